// Fills the disk under the store, the log, or a backup, and makes logs unwritable. The server must continue, lose
// nothing, and report the problem.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, copyFileSync, openSync, readdirSync, statSync } from "node:fs";
import { Agent } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { end } from "../measure.js";
import { callerHeaders, demoStore, program, scratch, serve } from "../store.js";
import { ask } from "./ask.js";
import { judgeAnswers, judgeFullDisk, judgeRefusedBackup, judgeStored } from "./disks/judge.js";
import { mountSmallDisk } from "./small-disk.js";
import { mustRun, query, runCommand } from "./stores.js";

const diskMebibytes = 12;
const demoJobs = 300;
const writers = 16;
const requestsMax = 600;

/** The trials by name. Each returns what is wrong, and its size as `figure`. */
const trials = {
  "store on a full disk": tryStore,
  "log on a full disk": tryLog,
  "backup on a full disk": tryBackup,
  "log to /dev/full": () => tryDeadLog(() => openSync("/dev/full", "w")),
  "log to /dev/full, two workers": () => tryDeadLog(() => openSync("/dev/full", "w"), ["--workers", "2"]),
  "log to a closed pipe": () => tryDeadLog(() => "pipe"),
  "log to a closed pipe, two workers": () => tryDeadLog(() => "pipe", ["--workers", "2"]),
  "deliverer's log to /dev/full": tryDeliverer,
};

export async function runDisks({ only }) {
  const rows = [];
  const wrongs = [];
  for (const [name, attempt] of Object.entries(trials)) {
    if (only && !name.includes(only)) continue;
    const found = await attempt().catch((error) => ({
      figure: "broke off",
      wrongs: [String(error?.stack ?? error)],
    }));
    rows.push({
      part: "disks",
      what: name,
      figure: found?.figure ?? "not tried: no file system can be mounted",
      wrong: found?.wrongs.length ?? 0,
    });
    wrongs.push(...(found?.wrongs ?? []).map((wrong) => `${name}: ${wrong} (--only "disks:${name}")`));
  }
  return { rows, wrongs };
}

async function onDisk(attempt) {
  const disk = mountSmallDisk(scratch("disk"), diskMebibytes);
  if (!disk) return null;
  try {
    return await attempt(disk);
  } finally {
    disk.unmount();
  }
}

async function serveAt(data, { log, options = [] }) {
  const { child, ready } = await serve(data, ["--log-level", "info", ...options], log);
  const agent = new Agent({ keepAlive: true });
  return {
    child,
    get: (path, headers) => ask(agent, { url: ready.url + path, headers }),
    post: (path, headers, body) =>
      ask(agent, {
        url: ready.url + path,
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    end: async () => {
      agent.destroy();
      if (child.exitCode === null && child.signalCode === null) await end(child);
    },
  };
}

let original;

/** A copy of the demo with held deliveries, and the headers of a caller. */
async function copyDemo(data) {
  original ??= makeOriginal();
  const { data: file, ...caller } = await original;
  copyFileSync(file, data);
  return caller;
}

async function makeOriginal() {
  const source = demoStore(demoJobs);
  const data = scratch("original.db");
  const [wrong] = await mustRun(["store", "copy", "--from", source.data, "--to", data]);
  if (wrong) throw new Error(wrong);
  const headers = callerHeaders({ ...source, data });
  return { data, headers, path: `/locations/${source.location_id}/trucks` };
}

function tryStore() {
  return onDisk(async (disk) => {
    const data = join(disk.folder, "store.db");
    const { headers, path } = await copyDemo(data);
    const server = await serveAt(data, { log: "ignore" });
    const told = [];
    const create = async (name) => {
      const { status, body } = await server.post(path, headers, { name, notes: "n".repeat(2000) });
      told.push({ status, id: status === 200 ? JSON.parse(body).id : null });
      return status;
    };
    const createMany = (word) =>
      Promise.all(Array.from({ length: writers }, (_, index) => create(`${word} ${told.length + index}`)));
    try {
      disk.fill(200_000);
      while (told.length < requestsMax && !told.some(({ status }) => status !== 200))
        await createMany("fill");
      disk.fillUp();
      await createMany("full");
      const refused = told.filter(({ status }) => status !== 200).length;
      const [ready, list] = [await server.get("/readyz"), await server.get(`${path}?page_limit=5`, headers)];
      disk.empty();
      await sleep(1200);
      const after = [await create("after"), (await server.get("/readyz")).status];
      await server.end();
      return {
        figure: `${told.length} writes, ${refused} refused`,
        wrongs: [
          ...judgeFullDisk({ told, ready: ready.status, list: list.status, after }),
          ...(await compareTrucks(data, told)),
        ],
      };
    } finally {
      await server.end();
    }
  });
}

async function compareTrucks(data, told) {
  const [rows, [{ integrity_check: said }]] = await query(
    data,
    "select id from trucks where name like 'f%' or name like 'after%'",
    "pragma integrity_check",
  );
  return judgeStored(told, rows, said);
}

function tryLog() {
  return onDisk(async (disk) => {
    const data = scratch(`log-${Date.now()}.db`);
    const { headers, path } = await copyDemo(data);
    const file = join(disk.folder, "log");
    const log = openSync(file, "a");
    const server = await serveAt(data, { log });
    try {
      disk.fillUp();
      const wrongs = await findUnanswered(server, headers, path);
      const before = statSync(file).size;
      disk.empty();
      wrongs.push(...(await findUnanswered(server, headers, path)));
      // Delayed lines wait for the next attempt to write.
      await sleep(2000);
      wrongs.push(...(await findUnanswered(server, headers, path)));
      await sleep(500);
      if (statSync(file).size === before) wrongs.push("with free space nothing is logged");
      return { figure: `${3 * askedEach} requests, then logged again`, wrongs };
    } finally {
      await server.end();
      closeSync(log);
    }
  });
}

const askedEach = 100;
const watchedMs = 2_500;

/** Requests known and unknown paths. Each request writes a line to the log. */
async function findUnanswered(server, headers, path) {
  const answers = [];
  for (let index = 0; index < askedEach; index++)
    answers.push(await server.get(index % 2 === 0 ? `${path}?page_limit=1` : `/none/${index}`, headers));
  return judgeAnswers(answers, server.child.exitCode);
}

async function tryDeadLog(toLog, options = []) {
  const data = scratch(`dead-log-${Date.now()}.db`);
  const { headers, path } = await copyDemo(data);
  const log = toLog();
  const server = await serveAt(data, { log, options });
  server.child.stderr?.destroy();
  try {
    const wrongs = await findUnanswered(server, headers, path);
    await server.end();
    const { exitCode } = server.child;
    if (exitCode !== 0) wrongs.push(`ends with ${exitCode}`);
    return { figure: `${askedEach} requests`, wrongs };
  } finally {
    await server.end();
    if (typeof log === "number") closeSync(log);
  }
}

async function tryDeliverer() {
  const data = scratch(`dead-log-${Date.now()}.db`);
  await copyDemo(data);
  const log = openSync("/dev/full", "w");
  const argv = ["hooks", "deliver", "--watch", "--data", data];
  const child = spawn(process.execPath, [program, ...argv], { stdio: ["ignore", "ignore", log] });
  await sleep(watchedMs);
  const wrongs = child.exitCode === null ? [] : [`hooks deliver --watch ended with ${child.exitCode}`];
  child.kill("SIGTERM");
  if (child.exitCode === null) await once(child, "exit");
  closeSync(log);
  return { figure: `${watchedMs / 1000} s`, wrongs };
}

function tryBackup() {
  return onDisk(async (disk) => {
    const { data } = demoStore(demoJobs);
    const file = join(disk.folder, "b.gz");
    const argv = ["backup", file, "--yes", "--data", data];
    disk.fill(100_000);
    const refused = await runCommand(argv);
    const left = readdirSync(disk.folder).filter((name) => name !== "filler");
    disk.empty();
    const wrongs = [...judgeRefusedBackup(refused, left), ...(await mustRun(argv))];
    return { figure: "refused, then made with free space", wrongs };
  });
}
