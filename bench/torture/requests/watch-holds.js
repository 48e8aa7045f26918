// A server loads this module before its program (`node --import`). It measures delays of the event loop during
// requests, and at the end writes the longest into the file in the address of this module (`?file=`).
import { subscribe } from "node:diagnostics_channel";
import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const heldMsMin = 5;
const namedMax = 3;

/** Running requests, and requests that ended in this turn of the event loop, by their responses. */
const underWay = new Map();
const ended = new Map();
const longest = new Map();
let turn = null;

if (isMainThread) {
  subscribe("http.server.request.start", ({ request, response }) => {
    underWay.set(response, toName(request));
    response.once("close", () => {
      ended.set(response, underWay.get(response));
      underWay.delete(response);
    });
    turn ??= beginTurn();
  });
  process.once("exit", () => {
    const file = new URL(import.meta.url).searchParams.get("file");
    writeFileSync(file, JSON.stringify([...longest].map(([name, ms]) => ({ name, ms }))));
  });
}

/** Starts a turn. While a request runs, turns follow one another without waiting. */
function beginTurn() {
  setImmediate(() => {
    note(endTurn());
    ended.clear();
    turn = underWay.size > 0 ? beginTurn() : null;
  });
  return { startedAt: performance.now(), usage: process.cpuUsage() };
}

/** Ends a turn and measures its CPU time, which does not grow while the machine does other work. */
function endTurn() {
  const { system, user } = process.cpuUsage(turn.usage);
  return Math.min(performance.now() - turn.startedAt, (system + user) / 1000);
}

/** Blames the delay on the request answered at the end of the turn, which usually caused it. */
function note(ms) {
  if (ms < heldMsMin) return;
  const names = [...new Set((ended.size > 0 ? ended : underWay).values())].sort();
  const others = names.length > namedMax ? [`${names.length - namedMax} others`] : [];
  const name = [...names.slice(0, namedMax), ...others].join(" or ");
  longest.set(name, Math.max(longest.get(name) ?? 0, ms));
}

/** The method, and the path without ids. */
function toName({ method, url }) {
  const steps = url.slice(0, 200).split("?", 1)[0].split("/");
  return `${method} ${steps.map((step) => (/^[a-z_.]*$/.test(step) ? step : "{id}")).join("/")}`;
}
