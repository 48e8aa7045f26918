// Runs four workers on one store without crashes. Each of 10,000 events must be sent once, and in order for each
// record.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import SqliteDatabase from "better-sqlite3";
import { compareArrivals, startNotingReceiver } from "./chaos-receiver.js";
import { end, sendOnce } from "./measure.js";
import { queryPostgres, startPostgres } from "./postgres.js";
import { callerHeaders, createTruckHook, demoStore, program, run, scratch, serve } from "./store.js";

const workerCount = 4;
const trucks = 100;
const deliveryMsMax = 300_000;

const { values } = parseArgs({ options: { events: { type: "string", default: "10000" } } });
const events = Number(values.events);
if (!(events >= trucks)) throw new Error(`--events takes a number from ${trucks}.`);

const store = demoStore(200);
const postgres = await startPostgres();
try {
  const file = scratch("workers.db");
  run(["store", "copy", "--from", store.data, "--to", file]);
  run(["store", "copy", "--from", store.data, "--to", postgres.address]);
  for (const data of [file, postgres.address]) run(["hooks", "resume", "--yes", "--data", data]);
  const wrongs = [
    ...(await checkStore("SQLite", file)),
    ...(await checkStore("PostgreSQL", postgres.address)),
  ];
  for (const wrong of wrongs.slice(0, 30)) console.error(wrong);
  process.exitCode = wrongs.length === 0 ? 0 : 1;
} finally {
  await postgres.remove();
}

async function checkStore(name, data) {
  const receiver = await startNotingReceiver(Infinity);
  createTruckHook({ ...store, data }, receiver.url);
  const [{ last }] = await query(data, "select coalesce(max(id), 0) as last from events");
  await makeEvents(data);
  const startedAt = performance.now();
  const workers = Array.from({ length: workerCount }, () => startWorker(data));
  const pending = `select count(*) as count from deliveries where status = 'pending' and event_id > ${last}`;
  while ((await query(data, pending))[0].count > 0 && performance.now() - startedAt < deliveryMsMax)
    await sleep(500);
  const seconds = (performance.now() - startedAt) / 1000;
  const attempts = await Promise.all(workers.map(endWorker));
  receiver.close();
  const stored = await query(
    data,
    `select id, uuid, kind, record_id from events where id > ${last} order by id`,
  );
  const wrongs = compareArrivals(stored, receiver.arrivals);
  const sentAgain = receiver.arrivals.length - new Set(receiver.arrivals.map(({ id }) => id)).size;
  if (sentAgain > 0) wrongs.push(`${sentAgain} attempts were made again`);
  const made = stored.length;
  console.log(
    `${name}: ${made} events, ${receiver.arrivals.length} attempts by ${workerCount} workers (${attempts.join(", ")}) in ${seconds.toFixed(0)} s, wrong: ${wrongs.length}`,
  );
  return wrongs;
}

/** Creates trucks, and changes each of them several times, all at once. */
async function makeEvents(data) {
  const headers = {
    ...callerHeaders({ ...store, data }),
    "content-type": "application/json",
    "x-api-version": "2023/04/19",
  };
  const server = await serve(data, ["--no-deliver"]);
  try {
    await changeTrucks(`${server.ready.url}/locations/${store.location_id}/trucks`, headers);
  } finally {
    await end(server.child);
  }
}

async function changeTrucks(url, headers) {
  const ids = [];
  for (let index = 0; index < trucks; index++) {
    const body = JSON.stringify({ name: `Truck ${index}` });
    ids.push(JSON.parse(await sendOnce({ url, method: "POST", headers, body })).id);
  }
  let left = events - trucks;
  const loop = async () => {
    while (left-- > 0) {
      const body = JSON.stringify({ notes: `change ${left}` });
      await sendOnce({ url: `${url}/${ids[left % trucks]}`, method: "PATCH", headers, body });
    }
  };
  await Promise.all(Array.from({ length: 8 }, loop));
}

function startWorker(data) {
  const argv = ["hooks", "deliver", "--watch", "--allow-private-hooks", "--data", data, "-o", "json"];
  const child = spawn(process.execPath, [program, ...argv], { stdio: ["ignore", "pipe", "inherit"] });
  return { child, said: text(child.stdout) };
}

/** Stops a worker. Returns the number of its attempts. */
async function endWorker({ child, said }) {
  child.kill("SIGINT");
  await once(child, "exit");
  return JSON.parse(await said).attempts;
}

async function query(data, sql) {
  if (data === postgres.address) return (await queryPostgres(data, [sql]))[0];
  const connection = new SqliteDatabase(data, { readonly: true, timeout: 10_000 });
  const rows = connection.prepare(sql).all();
  connection.close();
  return rows;
}
