// Kills servers, their workers, and deliverers under load. Every acknowledged change must be stored once and
// delivered.
import { once } from "node:events";
import { openSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { compare, toQueries } from "../../chaos-check.js";
import { runClients } from "../../chaos-clients.js";
import { compareArrivals, startNotingReceiver } from "../../chaos-receiver.js";
import { end } from "../../measure.js";
import { callerHeaders, demoStore, serve } from "../../store.js";
import { findIll, mustRun, query, queryOne, runCommand, startCommand } from "../stores.js";
import { judgeIntegrity } from "./judge.js";
import { reach } from "./strike.js";

const clients = 6;
const workers = 2;
const loadSeconds = 1.5;
const demoJobs = 300;
/** Claims of a dead worker are due again when their lease ends. */
const deliveryMsMax = 120_000;
/** Workers must end within this time after their supervisor dies. */
const orphanMsMax = 10_000;
const changedTrucks = 60;

/** The machine's clock jumps a minute ahead half a second after the start, and two minutes back half a second later. */
const jumpingClock = `const { now } = Date; const start = performance.now();
  Date.now = () => now() + [0, 60_000, -60_000][Math.min(2, Math.floor((performance.now() - start) / 500))];`;

export const serverScenarios = [
  { name: "serve", open: openServed, round: killServer(1), finish: finishDeliveries, close },
  {
    name: `serve --workers ${workers}`,
    open: openServed,
    round: killServer(workers),
    finish: finishDeliveries,
    close,
  },
  {
    name: "serve while the clock jumps",
    // A store in a file has no other clock.
    needsPostgres: true,
    open: openServed,
    round: killServer(1, ["--import", `data:text/javascript,${encodeURIComponent(jumpingClock)}`]),
    finish: finishDeliveries,
    close,
  },
  {
    name: "hooks deliver --watch",
    open: openDelivered,
    round: killDeliverer,
    finish: finishDeliveries,
    close,
  },
];

/** Serves a demo store with a webhook for a receiver that records each delivery. */
async function openServed({ fresh, folder, isFile }, hookEvents) {
  const source = demoStore(demoJobs);
  const data = await fresh("served.db");
  await succeed(["store", "copy", "--from", source.data, "--to", data]);
  // A copy holds its deliveries until they are resumed.
  const resumed = await runCommand(["hooks", "resume", "--yes", "--data", data]);
  if (resumed.code !== 0 && !/unknown command|not held/i.test(resumed.stderr))
    throw new Error(resumed.stderr);
  const store = { ...source, data };
  const receiver = await startNotingReceiver(25);
  const target = ["--data", data, "--tenant", String(store.tenant_id)];
  await succeed(["hooks", "update", "1", "--callback-url", receiver.url, ...(hookEvents ?? []), ...target]);
  const headers = callerHeaders(store);
  const first = await readLastIds(data);
  const log = join(folder, "log");
  return { data, isFile, store, receiver, headers, first, log, logFd: openSync(log, "a"), target };
}

async function succeed(argv) {
  const [wrong] = await mustRun(argv);
  if (wrong) throw new Error(wrong);
}

const readLastIds = (data) =>
  queryOne(
    data,
    `select (select coalesce(max(id), 0) from audit) as audit, (select coalesce(max(id), 0) from events) as events,
      (select coalesce(max(id), 0) from jobs) as jobs`,
  );

function killServer(count, nodeOptions = []) {
  return async (state, { random, told }) => {
    const { data, headers, logFd, store } = state;
    const before = await readLastIds(data);
    const options = ["--log-level", "info", ...(count > 1 ? ["--workers", String(count)] : [])];
    const { child, ready } = await serve(data, options, logFd, nodeOptions);
    const processes = count > 1 ? readChildren(child.pid) : [];
    const stopped = new AbortController();
    const counts = { acknowledged: 0 };
    let isStruck = false;
    const working = runClients({
      urls: [ready.url],
      headers,
      locationId: store.location_id,
      clients,
      seconds: loadSeconds,
      signal: stopped.signal,
      onTold: ({ writes }) => {
        counts.acknowledged = writes.filter(({ status }) => status === 200).length;
      },
    }).catch((error) => {
      // The kill came while the clients looked for records, so they have written nothing.
      if (isStruck) return { writes: [] };
      throw error;
    });
    const { point, reached } = pickPoint(random, state, counts);
    const wrongs = [];
    const isOver = settled(working);
    await reached(isOver);
    isStruck = true;
    const isWorker = processes.length > 0 && random.next() < 0.5;
    if (isWorker) {
      process.kill(random.pick(processes), "SIGKILL");
      // The other workers still serve, so the clients finish their work.
      await working;
      await sleep(200);
      processes.push(...readChildren(child.pid));
    }
    child.kill("SIGKILL");
    if (child.signalCode === null && child.exitCode === null) await once(child, "exit");
    told.killed += 1;
    stopped.abort();
    const { writes } = await working;
    wrongs.push(...(await findOrphans(processes)), ...(await checkFile(state)));
    const [audit, deliveries, events, jobs, customers] = await query(
      data,
      ...Object.values(toQueries(before)),
    );
    wrongs.push(...compare(writes, { audit, deliveries, events, jobs, customers }).wrongs);
    return { point: isWorker ? `a worker ${point}` : point, wrongs };
  };
}

function settled(promise) {
  let isOver = false;
  const note = () => {
    isOver = true;
  };
  promise.then(note, note);
  return () => isOver;
}

/** Chooses when to kill: at a time, or at a visible event. */
function pickPoint(random, { data, isFile, log, receiver }, counts) {
  const afterMs = random.below(loadSeconds * 1000);
  const wanted = 1 + random.below(60);
  const arrived = receiver.arrivals.length + wanted;
  const sizeOf = (file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const logged = sizeOf(log) + wanted * 150;
  const changes = 4096 * 5 * wanted;
  const points = [
    { point: `after ${afterMs} ms`, reached: () => sleep(afterMs) },
    {
      point: `at acknowledgement ${wanted}`,
      reached: (isOver) => reach(() => counts.acknowledged >= wanted, isOver),
    },
    {
      point: `at delivery ${wanted}`,
      reached: (isOver) => reach(() => receiver.arrivals.length >= arrived, isOver),
    },
    { point: `at log line ${wanted}`, reached: (isOver) => reach(() => sizeOf(log) >= logged, isOver) },
  ];
  const ofFile = {
    point: `when its log of changes has ${changes} bytes`,
    reached: (isOver) => reach(() => sizeOf(`${data}-wal`) >= changes, isOver),
  };
  return random.pick(isFile ? [...points, ofFile] : points);
}

function readChildren(pid) {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
      .trim()
      .split(" ")
      .filter(Boolean)
      .map(Number);
  } catch {
    // On other systems than Linux, only the supervisor is killed.
    return [];
  }
}

/** Returns the processes that outlive their supervisor. */
export async function findOrphans(pids, msMax = orphanMsMax) {
  const isAlive = (pid) => {
    try {
      return process.kill(pid, 0) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
    } catch {
      return false;
    }
  };
  const deadline = performance.now() + msMax;
  while (pids.some(isAlive) && performance.now() < deadline) await sleep(50);
  return pids.filter(isAlive).map((pid) => `worker ${pid} outlived its supervisor by ${msMax / 1000} s`);
}

async function checkFile({ data, isFile }) {
  if (!isFile) return [];
  const { integrity_check: said } = await queryOne(data, "pragma integrity_check");
  return judgeIntegrity(said);
}

async function openDelivered(world) {
  const state = await openServed(world, ["--events", "Truck"]);
  const trucks = Array.from({ length: changedTrucks }, (_, index) => `struck truck ${index}`);
  return { ...state, trucks, file: join(world.folder, "trucks.csv") };
}

/** Changes every truck, each of which causes an event, and kills a deliverer while it sends them. */
async function killDeliverer(state, { number, random, told }) {
  const { data, file, receiver, target, trucks } = state;
  const rows = trucks.map((name) => `${name},round ${number}`);
  writeFileSync(file, ["name,notes", ...rows, ""].join("\n"));
  await succeed(["import", "trucks", file, "--location", "1", "--yes", ...target]);
  const { child, ended } = startCommand([
    "hooks",
    "deliver",
    "--watch",
    "--allow-private-hooks",
    "--data",
    data,
  ]);
  const arrived = receiver.arrivals.length + 1 + random.below(changedTrucks);
  const isAtMoment = random.next() < 0.3;
  const afterMs = random.below(isAtMoment ? 1200 : 10);
  if (!isAtMoment)
    await reach(
      () => receiver.arrivals.length >= arrived,
      () => child.exitCode !== null,
    );
  await sleep(afterMs);
  child.kill("SIGKILL");
  const { signal } = await ended;
  if (signal === "SIGKILL") told.killed += 1;
  const point = isAtMoment ? `after ${afterMs} ms` : `${afterMs} ms after delivery ${arrived}`;
  return {
    point,
    wrongs: [...(signal ? [] : ["the deliverer ended early"]), ...(await checkFile(state))],
  };
}

/** Runs a last deliverer that sends the rest. Then every event must have arrived, in order. */
async function finishDeliveries({ data, first, logFd, receiver }) {
  const { child } = await serve(data, ["--log-level", "warn"], logFd);
  const startedAt = performance.now();
  const pending = `select count(*) as count from deliveries where status = 'pending' and event_id > ${first.events}`;
  while ((await queryOne(data, pending)).count > 0 && performance.now() - startedAt < deliveryMsMax)
    await sleep(250);
  await end(child);
  const waited = Math.round((performance.now() - startedAt) / 1000);
  const [events] = await query(
    data,
    `select distinct e.id, e.uuid, e.kind, e.record_id from events e join deliveries d on d.event_id = e.id
      where e.id > ${first.events} and d.hook_id = 1 order by e.id`,
  );
  const wrongs = [...compareArrivals(events, receiver.arrivals), ...(await findIll(data))];
  return { wrongs, note: `${events.length} events arrived, ${waited} s waited for the last` };
}

async function close({ receiver }) {
  receiver.close();
}
