// Measures how a flood of requests without a token affects a caller with one. Two connections each send hundreds of
// requests for a public page at once, for every version in turn: first to a new server, then to the same one.
import { readFileSync } from "node:fs";
import { Agent } from "node:http";
import { connect } from "node:net";
import { end } from "../measure.js";
import { callerHeaders, run, scratch, serve } from "../store.js";
import { ask } from "./ask.js";

const paths = [
  "/docs/none",
  "/docs",
  "/docs/conventions",
  "/docs/changes",
  "/openapi.json",
  "/llms.txt",
  "/board",
  "/metrics",
  "/readyz",
  "/nowhere",
];
const connections = 2;
const fullRequests = 1000;
const shortRequests = 60;
const answerMsMax = 120_000;

/** Without a flood, a server uses some 100 MiB. */
const memoryMiBMax = 512;

/** The aim for `/healthz`. A busy machine misses it, so this part reports it and does not judge it. */
const healthMsMax = 250;

export async function runFloods({ isShort, only }) {
  const data = scratch("floods.db");
  run(["init", "--tenant", "Acme", "--location", "Yard", "--data", data]);
  const headers = callerHeaders({ data, tenant_id: 1, user: "owner" });
  const rows = [];
  const wrongs = [];
  const chosen = paths.filter((path) => (only ? path.includes(only) : !isShort || shortPaths.includes(path)));
  for (const path of chosen) {
    const { child, ready } = await serve(data);
    try {
      const requests = isShort ? shortRequests : fullRequests;
      const texts = await toRequests(ready.url, path, requests);
      for (const state of ["cold", "warm"]) {
        const figures = await measure({ child, headers, url: ready.url }, texts);
        const found = findFlooded(figures, connections * requests);
        rows.push({
          part: "floods",
          what: `${path}, ${state}`,
          figure: describe(figures),
          wrong: found.length,
        });
        wrongs.push(...found.map((wrong) => `${path}, ${state}: ${wrong}`));
      }
    } finally {
      if (child.exitCode === null) await end(child);
    }
  }
  return { rows, wrongs };
}

const shortPaths = ["/docs/none", "/openapi.json"];

/**
 * Returns the requests as text. The last one closes the connection. The versions come from /llms.txt, so that the
 * server has written no page before the flood.
 */
async function toRequests(url, path, count) {
  const agent = new Agent({ keepAlive: true });
  const { body } = await ask(agent, { url: `${url}/llms.txt` });
  agent.destroy();
  const [, list = ""] = /Versions: ([\d/, ]+)/.exec(body.toString()) ?? [];
  const versions = list.split(", ");
  const toText = (number) => {
    const closes = number === count - 1 ? "connection: close\r\n" : "";
    const version = versions[number % versions.length];
    return `GET ${path}?version=${version} HTTP/1.1\r\nhost: localhost\r\n${closes}\r\n`;
  };
  return Array.from({ length: count }, (_, number) => toText(number)).join("");
}

/** Floods the server while one caller requests its jobs, and another requests the server's health. */
async function measure({ child, headers, url }, text) {
  const figures = { answered: 0, reads: [], health: [], unanswered: [], memoryMiB: 0 };
  let isOver = false;
  const askUntilOver = async (list, path) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let number = 1; !isOver; number += 1) {
      const asked = { url: `${url}${path}?page_limit=${1 + (number % 1000)}`, headers };
      const { problem, status, tookMs } = await ask(agent, asked);
      if (status === 200) list.push(tookMs);
      else figures.unanswered.push(status ?? problem);
    }
    agent.destroy();
  };
  const others = [askUntilOver(figures.reads, "/jobs"), askUntilOver(figures.health, "/healthz")];
  const counts = await Promise.all(Array.from({ length: connections }, () => flood(url, text)));
  isOver = true;
  await Promise.all(others);
  figures.answered = counts.reduce((sum, count) => sum + count, 0);
  figures.memoryMiB = readPeakMiB(child.pid);
  return figures;
}

/** Sends all requests at once. Returns the number of answers when the connection closes. */
function flood(url, text) {
  const { hostname, port } = new URL(url);
  const start = Buffer.from("HTTP/1.1 ");
  return new Promise((resolve) => {
    let answered = 0;
    let rest = Buffer.alloc(0);
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(text));
    const cutOff = setTimeout(() => socket.destroy(), answerMsMax);
    socket.on("data", (chunk) => {
      const bytes = Buffer.concat([rest, chunk]);
      for (let at = bytes.indexOf(start); at !== -1; at = bytes.indexOf(start, at + start.length))
        answered += 1;
      rest = bytes.subarray(Math.max(0, bytes.length - start.length + 1));
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearTimeout(cutOff);
      resolve(answered);
    });
  });
}

/** Returns the peak memory of a process, or 0 if the system does not report it. */
function readPeakMiB(pid) {
  try {
    const [, kilobytes = 0] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Math.round(Number(kilobytes) / 1024);
  } catch {
    return 0;
  }
}

const shown = (ms) => (ms < 10 ? ms.toFixed(1) : Math.round(ms));
const slowest = (list) => Math.max(0, ...list);

function describe({ answered, health, memoryMiB, reads }) {
  const slow = slowest(health);
  const missed = slow > healthMsMax ? `; beyond the aim: /healthz took more than ${healthMsMax} ms` : "";
  return `${answered} answered, ${reads.length} reads of another caller between them, at most ${shown(slowest(reads))} ms; /healthz at most ${shown(slow)} ms; ${memoryMiB} MiB${missed}`;
}

/** Returns what is wrong after a flood of this many requests. */
export function findFlooded({ answered, memoryMiB, unanswered }, sent) {
  const wrongs = [];
  if (answered < sent) wrongs.push(`${sent - answered} requests had no answer`);
  if (unanswered.length > 0)
    wrongs.push(
      `${unanswered.length} requests of others were answered ${[...new Set(unanswered)].join(", ")}`,
    );
  if (memoryMiB > memoryMiBMax) wrongs.push(`the server took ${memoryMiB} MiB`);
  return wrongs;
}
