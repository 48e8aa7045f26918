// Measures how one tenant's noise affects another: the times of its reads, writes, and webhooks without and with the
// noise, and of /healthz every 10 ms on its own connection, which shows delays of the event loop.
import { once } from "node:events";
import { Agent, createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { end } from "../measure.js";
import { startNoise as startClients } from "../noise.js";
import { callerHeaders, demoStore, run, scratch, serve } from "../store.js";
import { ask } from "./ask.js";
import { mustRun, runCommand } from "./stores.js";

const kinds = ["64 list readers", "64 writers", "600 slow hooks", "PDFs", "duplicates"];
const demoJobs = 5_000;
const fullSeconds = 15;
const shortSeconds = 0.4;
const healthEveryMs = 10;
const slowHooks = 600;
const shortHooks = 60;
const slowMs = 900;

/** The aims: p50 and p99 relative to the times without noise, and the milliseconds of /healthz. */
const limits = { p50: 2, p99: 5, healthMs: 50 };

export async function runNeighbors({ databases, isShort, only }) {
  const rows = [];
  const wrongs = [];
  for (const database of databases) {
    const scene = { isShort, ...(await open(database, isShort ? 300 : demoJobs)) };
    try {
      const seconds = isShort ? shortSeconds : fullSeconds;
      const alone = await measure(scene, seconds);
      rows.push({ part: "neighbors", what: `alone, ${database.name}`, figure: describe(alone), wrong: 0 });
      for (const kind of kinds.filter((name) => !only || name.includes(only))) {
        const noise = await startNoise(kind, scene);
        const beside = await measure(scene, seconds).finally(() => noise.stop());
        // This part reports times without judging them, because they need a quiet machine. Every caller must get an
        // answer on any machine.
        const found = findUnanswered(beside);
        const missed = isShort ? [] : compare(alone, beside);
        rows.push({
          part: "neighbors",
          what: `beside ${kind}, ${database.name}`,
          figure: [describe(beside), ...missed.map((aim) => `beyond the aim: ${aim}`)].join("; "),
          wrong: found.length,
        });
        wrongs.push(...found.map((wrong) => `beside ${kind}, ${database.name}: ${wrong}`));
      }
    } finally {
      await scene.close();
    }
  }
  return { rows, wrongs };
}

async function open(database, jobs) {
  const source = demoStore(jobs);
  const data = await database.toAddress(scratch("neighbors.db"));
  await succeed(["store", "copy", "--from", source.data, "--to", data]);
  const resumed = await runCommand(["hooks", "resume", "--yes", "--data", data]);
  if (resumed.code !== 0 && !/unknown command|not held/i.test(resumed.stderr))
    throw new Error(resumed.stderr);
  const noisy = { headers: callerHeaders({ ...source, data }), locationId: source.location_id };
  const { id } = JSON.parse(
    run(["tenants", "create", "--name", "Quiet", "--owner", "quiet", "--data", data, "-o", "json"]),
  );
  const receiver = await startSlowReceiver();
  const argv = ["--allow-private-hooks", ...(await hooksPerTenant())];
  const server = await serve(data, argv);
  const { url } = server.ready;
  const quiet = await openQuiet(url, { data, tenant_id: id, user: "quiet" }, receiver);
  const close = async () => {
    receiver.close();
    if (server.child.exitCode === null) await end(server.child);
  };
  return { url, noisy, quiet, receiver, close };
}

async function succeed(argv) {
  const [wrong] = await mustRun(argv);
  if (wrong) throw new Error(wrong);
}

async function hooksPerTenant() {
  const { stdout } = await runCommand(["serve", "--help"]);
  return stdout.includes("--hooks-per-tenant") ? ["--hooks-per-tenant", String(slowHooks + 10)] : [];
}

async function openQuiet(url, store, receiver) {
  const headers = { ...callerHeaders(store), "content-type": "application/json" };
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const post = async (path, body) => {
    const answer = await ask(agent, { url: url + path, method: "POST", headers, body: JSON.stringify(body) });
    return { ...answer, id: answer.status === 200 ? JSON.parse(answer.body).id : null };
  };
  const { id } = await post("/locations", { name: "Quiet yard" });
  const trucks = `/locations/${id}/trucks`;
  const truck = await post(trucks, { name: "Quiet truck" });
  await post("/hooks", { events: ["Truck"], url: `${receiver.url}/quick` });
  return {
    read: () =>
      ask(agent, {
        url: `${url}${trucks}/${truck.id}`,
        headers: { ...headers, "cache-control": "no-cache" },
      }),
    write: (name) => post(trucks, { name }),
  };
}

/** Starts a receiver that answers at once below /quick, where it records each truck, and slowly elsewhere. */
async function startSlowReceiver() {
  const arrivals = new Map();
  const server = createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      if (!request.url.startsWith("/quick")) return setTimeout(() => response.writeHead(200).end(), slowMs);
      arrivals.set(JSON.parse(Buffer.concat(chunks)).data.name, performance.now());
      return response.writeHead(200).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    arrivals,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

let measured = 0;

/** The quiet tenant reads and writes for this time, one request after another. */
async function measure({ url, quiet, receiver }, seconds) {
  const figures = { reads: [], writes: [], deliveries: [], health: [], unanswered: [] };
  const stopAt = performance.now() + seconds * 1000;
  const note = (list, { problem, status, tookMs }) => {
    if (status === 200) list.push(tookMs);
    else figures.unanswered.push(status ?? problem);
  };
  const written = new Map();
  const work = async () => {
    while (performance.now() < stopAt) {
      note(figures.reads, await quiet.read());
      const name = `Truck ${measured++}`;
      written.set(name, performance.now());
      note(figures.writes, await quiet.write(name));
      await sleep(5);
    }
  };
  const watch = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (performance.now() < stopAt) {
      note(figures.health, await ask(agent, { url: `${url}/healthz` }));
      await sleep(healthEveryMs);
    }
    agent.destroy();
  };
  await Promise.all([work(), watch()]);
  const waitUntil = performance.now() + 1000;
  while (performance.now() < waitUntil && ![...written.keys()].every((name) => receiver.arrivals.has(name)))
    await sleep(healthEveryMs);
  for (const [name, at] of written) {
    const arrivedAt = receiver.arrivals.get(name);
    // A delivery that is still missing counts with the time until now.
    figures.deliveries.push((arrivedAt ?? performance.now()) - at);
  }
  return figures;
}

async function startNoise(kind, scene) {
  if (kind === "600 slow hooks") return startHookNoise(scene);
  const noise = await startClients(kind, { ...scene.noisy, url: scene.url });
  return {
    stop: async () => {
      await noise.stop();
      // The last requests may still be running.
      await sleep(scene.isShort ? 300 : 2000);
    },
  };
}

/** Creates webhooks that call the slow receiver, and changes trucks all the time. */
async function startHookNoise({ isShort, url, noisy, receiver }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const headers = { ...noisy.headers, "content-type": "application/json" };
  const post = (path, body) =>
    ask(agent, { url: url + path, method: "POST", headers, body: JSON.stringify(body) });
  for (let index = 0; index < (isShort ? shortHooks : slowHooks); index++) {
    const { status } = await post("/hooks", { events: ["Truck"], url: `${receiver.url}/slow/${index}` });
    if (status === 409) break;
  }
  let isOver = false;
  const work = async () => {
    while (!isOver) {
      await post(`/locations/${noisy.locationId}/trucks`, { name: "Noise" });
      await sleep(50);
    }
  };
  const working = work();
  await sleep(1500);
  return {
    stop: async () => {
      isOver = true;
      await working;
      agent.destroy();
    },
  };
}

const at = (list, part) =>
  [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * part))] ?? 0;
const shown = (ms) => (ms < 10 ? ms.toFixed(1) : Math.round(ms));

function describe({ reads, writes, deliveries, health }) {
  const both = (list) => `${shown(at(list, 0.5))}/${shown(at(list, 0.99))}`;
  return `p50/p99 ms: read ${both(reads)}, write ${both(writes)}, webhook ${both(deliveries)}, /healthz ${both(health)}, at most ${shown(at(health, 1))}`;
}

export function findUnanswered({ unanswered }) {
  return unanswered.length === 0
    ? []
    : [`${unanswered.length} requests of the other were answered ${[...new Set(unanswered)].join(", ")}`];
}

/** Returns the values above the limits. */
export function compare(alone, beside) {
  const wrongs = [];
  for (const kind of ["reads", "writes"]) {
    for (const [name, part] of [
      ["p50", 0.5],
      ["p99", 0.99],
    ]) {
      const [before, after] = [at(alone[kind], part), at(beside[kind], part)];
      if (after > before * limits[name])
        wrongs.push(
          `${name} of ${kind} is ${shown(after)} ms, alone ${shown(before)}: more than ${limits[name]} ×`,
        );
    }
  }
  const slowest = at(beside.health, 1);
  if (slowest > limits.healthMs)
    wrongs.push(`/healthz took ${shown(slowest)} ms, more than ${limits.healthMs}`);
  return wrongs;
}
