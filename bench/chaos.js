// Runs four servers on one store. A server is killed every 5 s, and the database restarts twice. Every acknowledged
// change must be stored once and delivered in order.
import { once } from "node:events";
import { openSync, readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import SqliteDatabase from "better-sqlite3";
import { compare, isUnknown, toQueries } from "./chaos-check.js";
import { runClients } from "./chaos-clients.js";
import { compareArrivals, startNotingReceiver } from "./chaos-receiver.js";
import { end, sendOnce } from "./measure.js";
import { queryPostgres, startPostgres } from "./postgres.js";
import { callerHeaders, demoStore, run, scratch, serve } from "./store.js";

const serverCount = 4;
const clients = 8;
const killEveryMs = 5_000;
const recoveryMsMax = 15_000;
/** A killed server's claims are due again after at most 10 s, or when their lease of 45 s ends. */
const deliveryMsMax = 120_000;

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "60" }, sqlite: { type: "boolean", default: false } },
});
const seconds = Number(values.seconds);
if (!(seconds > 0)) throw new Error("--seconds takes a number above 0.");

const logFile = scratch("servers.log");
const log = openSync(logFile, "a");
const store = demoStore(2000);
const headers = callerHeaders(store);
const tenant = String(store.tenant_id);
const receiver = await startNotingReceiver(25);
const postgres = values.sqlite ? null : await startPostgres();
try {
  run(["hooks", "update", "1", "--callback-url", receiver.url, "--data", store.data, "--tenant", tenant]);
  if (postgres) {
    run(["store", "copy", "--from", store.data, "--to", postgres.address]);
    run(["hooks", "resume", "--yes", "--data", postgres.address]);
  }
  process.exitCode = (await isAllWell(postgres?.address ?? store.data)) ? 0 : 1;
} finally {
  receiver.close();
  await postgres?.remove();
}

async function isAllWell(data) {
  const before = await read(data, toLastIds());
  const lastIds = Object.fromEntries(Object.entries(before).map(([table, [{ id }]]) => [table, id]));
  const servers = await Promise.all(Array.from({ length: serverCount }, () => startAt(data, 0)));
  const urls = servers.map(({ url }) => url);
  const stopped = new AbortController();
  const troubles = Promise.all([killServers(data, servers, stopped.signal), restartDatabase(stopped.signal)]);
  // This promise is awaited below. Until then its failure must not end the process.
  troubles.catch(() => undefined);
  const told = await runClients({ urls, headers, locationId: store.location_id, clients, seconds });
  stopped.abort();
  const [kills, restarts] = await troubles;
  const wrongs = await findUnready(urls);
  const waitedMs = await waitForDeliveries(data, lastIds.events);
  for (const { child } of servers) await end(child);
  const stored = await read(data, toQueries(lastIds));
  const { unknownStored, wrongs: others } = compare(told.writes, stored);
  wrongs.push(...others, ...compareArrivals(stored.events, receiver.arrivals));
  const count = (wanted) => told.writes.filter(wanted).length;
  const badReads = told.reads.filter((status) => ![200, 503, null].includes(status));
  if (badReads.length > 0) wrongs.push(`lists were answered with ${[...new Set(badReads)].join(", ")}`);
  show({
    database: postgres ? "PostgreSQL" : "SQLite",
    seconds,
    "servers killed": kills,
    "database restarts": restarts,
    requests: told.writes.length + told.reads.length,
    writes: told.writes.length,
    "  acknowledged": count(({ status }) => status === 200),
    "  refused with 503": count(({ status }) => status === 503),
    "  without an answer": count(({ status }) => status === null),
    "  unknown and stored": `${unknownStored} of ${count(isUnknown)}`,
    lists: told.reads.length,
    "  answered": told.reads.filter((status) => status === 200).length,
    "slowest answer": `${Math.round(told.slowestMs)} ms`,
    "audit rows, events, jobs made": [stored.audit, stored.events, stored.jobs].map((rows) => rows.length),
    deliveries: stored.deliveries.length,
    "  attempts that arrived": receiver.arrivals.length,
    "  refused with 500": receiver.arrivals.filter(({ isTaken }) => !isTaken).length,
    "  taken more than once": countTakenAgain(),
    "  waited for the last": `${Math.round(waitedMs / 1000)} s`,
    "load of the machine": loadavg()[0].toFixed(1),
    wrong: wrongs.length,
  });
  for (const wrong of wrongs.slice(0, 30)) console.error(wrong);
  if (wrongs.length > 0) console.error(findFaults().slice(0, 10).join("\n"));
  return wrongs.length === 0;
}

/** Counts repeated deliveries. They are allowed: a killed server may have sent an attempt without recording it. */
function countTakenAgain() {
  const taken = receiver.arrivals.filter(({ isTaken }) => isTaken).map(({ id }) => id);
  return taken.length - new Set(taken).size;
}

/** Waits until no delivery is pending. Returns the milliseconds. */
async function waitForDeliveries(data, lastEvent) {
  const startedAt = performance.now();
  const pending = `select count(*) as count from deliveries where status = 'pending' and event_id > ${lastEvent}`;
  while (performance.now() - startedAt < deliveryMsMax) {
    const [{ count }] = (await read(data, { pending })).pending;
    if (count === 0) break;
    await sleep(500);
  }
  return performance.now() - startedAt;
}

/** Returns the log lines about the servers' internal errors. */
function findFaults() {
  return readFileSync(logFile, "utf8")
    .split("\n")
    .filter((line) => line.includes('"msg":"fault"'));
}

/** Kills one server after another and restarts each at its address. Returns the number of kills. */
async function killServers(data, servers, signal) {
  let kills = 0;
  while (await isStillOn(killEveryMs, signal)) {
    const index = kills++ % servers.length;
    const { child, port } = servers[index];
    child.kill("SIGKILL");
    if (child.signalCode === null) await once(child, "exit");
    servers[index] = await startAt(data, port);
  }
  return kills;
}

/** Restarts the database twice: first cleanly, then by a crash. */
async function restartDatabase(signal) {
  if (!postgres?.restart) return 0;
  let restarts = 0;
  for (const manner of ["fast", "crash"]) {
    if (!(await isStillOn(seconds * 300, signal))) break;
    await postgres.restart(manner, 1000);
    restarts++;
  }
  return restarts;
}

async function isStillOn(ms, signal) {
  await sleep(ms, null, { signal }).catch(() => undefined);
  return !signal.aborted;
}

/** Starts a server and restarts it when it ends, as a supervisor does. Without the database it ends at once. */
async function startAt(data, port) {
  for (let attempt = 1; ; attempt++) {
    try {
      const { child, ready } = await serve(data, ["--port", String(port)], log);
      return { child, url: ready.url, port: Number(new URL(ready.url).port) };
    } catch (error) {
      if (attempt === 50) throw error;
      await sleep(200);
    }
  }
}

/** Returns the servers that are still not ready some time after the last failure, without a restart. */
async function findUnready(urls) {
  const deadline = performance.now() + recoveryMsMax;
  const wrongs = [];
  for (const url of urls) {
    for (;;) {
      const problem = await sendOnce({ url: `${url}/readyz` }).then(() => null, String);
      if (problem === null) break;
      if (performance.now() < deadline) {
        await sleep(200);
        continue;
      }
      wrongs.push(`${url} is not ready: ${problem}`);
      break;
    }
  }
  return wrongs;
}

function toLastIds() {
  const tables = ["audit", "events", "jobs"];
  return Object.fromEntries(
    tables.map((table) => [table, `select coalesce(max(id), 0) as id from ${table}`]),
  );
}

async function read(data, queries) {
  const sqls = Object.values(queries);
  const results = postgres ? await queryPostgres(data, sqls) : querySqlite(data, sqls);
  return Object.fromEntries(Object.keys(queries).map((name, index) => [name, results[index]]));
}

function querySqlite(data, queries) {
  const connection = new SqliteDatabase(data, { readonly: true });
  const integrity = connection.pragma("integrity_check", { simple: true });
  if (integrity !== "ok") throw new Error(`The file is damaged: ${integrity}`);
  const results = queries.map((query) => connection.prepare(query).all());
  connection.close();
  return results;
}

function show(figures) {
  for (const [name, figure] of Object.entries(figures)) {
    console.log(`${name.padEnd(32)} ${Array.isArray(figure) ? figure.join(", ") : figure}`);
  }
}
