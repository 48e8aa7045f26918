// Runs a long mixed load. The memory and open handles of the server must not grow.
import { readdirSync, readFileSync } from "node:fs";
import { Agent } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { runClients } from "../chaos-clients.js";
import { startNotingReceiver } from "../chaos-receiver.js";
import { end } from "../measure.js";
import { callerHeaders, demoStore, scratch, serve } from "../store.js";
import { ask } from "./ask.js";
import { mustRun, runCommand } from "./stores.js";

const fullMinutes = 30;
const shortSeconds = 1;
const demoJobs = 2_000;
const shortJobs = 100;
const clients = 6;
const sampleEveryMs = 250;
/** Connections come and go, so this many more handles may be open at the end. */
const handlesGrownMax = 25;
/** Ignore the first tenth, while caches fill and Node.js compiles hot code. */
const warmUp = 0.1;
const memoryGrownMax = 1.3;

export async function runSoak({ databases, isShort, minutes = fullMinutes }) {
  const rows = [];
  const wrongs = [];
  const seconds = isShort ? shortSeconds : minutes * 60;
  for (const database of databases) {
    const { figure, found } = await soak(database, seconds, isShort).catch((error) => ({
      figure: "broke off",
      found: [String(error?.stack ?? error)],
    }));
    rows.push({
      part: "soak",
      what: `${seconds} s of mixed load, ${database.name}`,
      figure,
      wrong: found.length,
    });
    wrongs.push(...found.map((wrong) => `${database.name}: ${wrong}`));
  }
  return { rows, wrongs };
}

async function soak(database, seconds, isShort) {
  const source = demoStore(isShort ? shortJobs : demoJobs);
  const data = await database.toAddress(scratch("soak.db"));
  const receiver = await startNotingReceiver(Infinity);
  const target = ["--data", data, "--tenant", String(source.tenant_id)];
  const prepared = [
    ...(await mustRun(["store", "copy", "--from", source.data, "--to", data])),
    ...(await mustRun(["hooks", "update", "1", "--callback-url", receiver.url, ...target])),
  ];
  await runCommand(["hooks", "resume", "--yes", "--data", data]);
  if (prepared.length > 0) {
    receiver.close();
    throw new Error(prepared[0]);
  }
  const headers = callerHeaders({ ...source, data });
  const { child, ready } = await serve(data);
  const samples = [];
  try {
    const stopAt = performance.now() + seconds * 1000;
    const scene = { url: ready.url, headers, locationId: source.location_id, stopAt };
    const working = [
      runClients({ urls: [ready.url], headers, locationId: source.location_id, clients, seconds }),
      askOddly(scene),
      comeAndGo(scene),
      forget(receiver, stopAt),
    ];
    while (performance.now() < stopAt) {
      samples.push(sample(child.pid));
      await sleep(sampleEveryMs);
    }
    const [told] = await Promise.all(working);
    // Wait until the connections of the load are closed.
    await sleep(1500);
    samples.push(sample(child.pid));
    const bad = told.writes.filter(({ status }) => status === null || (status >= 400 && status !== 503));
    const found = [
      ...bad.slice(0, 3).map(({ operation, status }) => `${operation} was answered ${status}`),
      ...judgeGrowth(samples, isShort),
    ];
    return { figure: `${told.writes.length + told.reads.length} requests, ${describe(samples)}`, found };
  } finally {
    receiver.close();
    if (child.exitCode === null) await end(child);
  }
}

/** Sends rarer requests: a PDF, a wide page, a compressed page, a missing record, no token. */
async function askOddly({ url, headers, locationId, stopAt }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const odd = [
    {
      path: `/locations/${locationId}/trucks/1/get_jobs_list_pdf`,
      with: { ...headers, "x-api-version": "2021/08/02" },
    },
    { path: "/jobs?page_limit=1000", with: headers },
    { path: "/jobs?page_limit=200", with: { ...headers, "accept-encoding": "gzip" } },
    { path: "/openapi.json", with: {} },
    { path: "/none", with: headers },
    { path: "/jobs", with: {} },
  ];
  for (let turn = 0; performance.now() < stopAt; turn++) {
    const { path, with: sent } = odd[turn % odd.length];
    await ask(agent, { url: url + path, headers: sent });
    await sleep(50);
  }
  agent.destroy();
}

/** Opens connections that send half a request and close. */
async function comeAndGo({ url, stopAt }) {
  const { hostname, port } = new URL(url);
  for (let turn = 0; performance.now() < stopAt; turn++) {
    const socket = connect(Number(port), hostname);
    socket.on("error", () => undefined);
    // An unread answer would keep a connection open that both sides have ended.
    socket.resume();
    socket.write("POST /jobs HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nhalf");
    await sleep(30);
    if (turn % 2 === 0) socket.resetAndDestroy();
    else socket.end();
  }
}

/** Clears the receiver's records, so that they do not fill this machine's memory. */
async function forget({ arrivals }, stopAt) {
  while (performance.now() < stopAt) {
    arrivals.length = 0;
    await sleep(500);
  }
}

/** Returns the resident memory in MiB, and the open handles. Both are null without /proc. */
function sample(pid) {
  try {
    const [, kibibytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return { memory: Number(kibibytes) / 1024, handles: readdirSync(`/proc/${pid}/fd`).length };
  } catch {
    return { memory: null, handles: null };
  }
}

function toThree(samples) {
  const from = Math.floor((samples.length - 1) * warmUp);
  const middle = Math.floor((from + samples.length - 1) / 2);
  return [samples[from], samples[middle], samples.at(-1)];
}

function describe(samples) {
  const three = toThree(samples);
  if (three[0].memory === null) return "memory and handles are unknown on this system";
  const [memory, handles] = ["memory", "handles"].map((name) =>
    three.map((one) => Math.round(one[name])).join(", "),
  );
  return `at the start, in the middle, at the end: ${memory} MiB, ${handles} handles`;
}

/** Returns growth beyond the limits: of handles always, of memory only if the load lasted long enough. */
export function judgeGrowth(samples, isShort) {
  const [start, middle, last] = toThree(samples);
  if (start.memory === null) return [];
  const wrongs = [];
  if (last.handles > start.handles + handlesGrownMax)
    wrongs.push(`${last.handles} handles are open, ${start.handles} were`);
  if (!isShort && last.memory > middle.memory * memoryGrownMax)
    wrongs.push(
      `memory grew from ${Math.round(middle.memory)} to ${Math.round(last.memory)} MiB in the second half`,
    );
  return wrongs;
}
