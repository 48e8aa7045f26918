// Loaded into a server before its program (`node --import`): notes for how long its event loop was held while requests were
// under way, and writes the longest times at its end into the file that the address of this module names (`?file=`).
import { subscribe } from "node:diagnostics_channel";
import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const heldMsMin = 5;
const namedMax = 3;

/** Requests that are under way, and those that ended in this turn of the event loop, by their responses. */
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

/** Turns follow one another for as long as a request is under way; none waits for anything meanwhile. */
function beginTurn() {
  setImmediate(() => {
    note(endTurn());
    ended.clear();
    turn = underWay.size > 0 ? beginTurn() : null;
  });
  return { startedAt: performance.now(), usage: process.cpuUsage() };
}

/** How long the turn held the processor: while the machine does other work, the clock goes on and the usage does not. */
function endTurn() {
  const { system, user } = process.cpuUsage(turn.usage);
  return Math.min(performance.now() - turn.startedAt, (system + user) / 1000);
}

/** Mostly the request held the turn that was answered at its end. */
function note(ms) {
  if (ms < heldMsMin) return;
  const names = [...new Set((ended.size > 0 ? ended : underWay).values())].sort();
  const others = names.length > namedMax ? [`${names.length - namedMax} others`] : [];
  const name = [...names.slice(0, namedMax), ...others].join(" or ");
  longest.set(name, Math.max(longest.get(name) ?? 0, ms));
}

/** The method and the path without what names a record. */
function toName({ method, url }) {
  const steps = url.slice(0, 200).split("?", 1)[0].split("/");
  return `${method} ${steps.map((step) => (/^[a-z_.]*$/.test(step) ? step : "{id}")).join("/")}`;
}
