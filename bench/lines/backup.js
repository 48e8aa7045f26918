// Speed and memory of a backup and a restore, against packing the same bytes.
import { createReadStream, createWriteStream, statSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { largeStore } from "../large-store.js";
import { startPostgres } from "../postgres.js";
import { run, scratch } from "../store.js";
import { timeRun } from "./start-up.js";

/** Large enough, because the time of a backup grows with its bytes, and its memory does not. */
const jobsMax = 50_000;
/** Memory limit of a command, for any size of a store. */
const peakMax = 250;

export async function* backup({ jobs }) {
  const { data, floor, megabytes } = await prepare(jobs);
  yield* measure("SQLite", data, scratch("restored.db"), { floor, megabytes });
}

export async function* backupOfPostgres({ jobs }) {
  const { data, floor, megabytes } = await prepare(jobs);
  const database = await startPostgres();
  try {
    run(["store", "copy", "--from", data, "--to", database.address]);
    yield* measure("PostgreSQL", database.address, await database.addDatabase(), { floor, megabytes });
  } finally {
    await database.remove();
  }
}

/** The size is that of the SQLite file in both cases, because a backup of PostgreSQL contains a SQLite file too. */
async function prepare(jobs) {
  const { data } = largeStore(Math.min(jobs, jobsMax));
  const megabytes = statSync(data).size / 1e6;
  const startedAt = performance.now();
  await pipeline(createReadStream(data), createGzip({ level: 3 }), createWriteStream(scratch("bare.gz")));
  return { data, floor: (megabytes * 1000) / (performance.now() - startedAt), megabytes };
}

async function* measure(name, data, target, { floor, megabytes }) {
  const file = scratch(`${name}.gz`);
  for (const [what, argv] of [
    ["backup", ["backup", file, "--data", data, "--yes"]],
    ["restore", ["restore", file, "--data", target, "--yes"]],
  ]) {
    const { peak, seconds } = await timeRun(argv);
    const question = `${what} on ${name}`;
    const note = `${megabytes.toFixed(0)} MB, packed ${(statSync(file).size / 1e6).toFixed(0)}`;
    yield { question, figure: megabytes / seconds, floor, unit: "MB/s", note };
    yield {
      question: `${question}: peak memory`,
      figure: peak,
      floor: peakMax,
      unit: "MiB",
      aim: 1,
      isAtMost: true,
    };
  }
}
