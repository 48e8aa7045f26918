// Sends malformed requests. Other clients must still get answers, and no smuggled request may be answered.
import { Agent } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { end } from "../measure.js";
import { scratch, serve } from "../store.js";
import { ask } from "./ask.js";
import { createRandom, seedOf } from "./random.js";
import { dripMany, judgeDrips, toAim } from "./sockets/drips.js";
import { toForms } from "./sockets/forms.js";
import { makeWorld } from "./world.js";

const fullRounds = 3_000;
const shortRounds = 60;
const drips = 3_000;
const atOnce = 32;
/** The test closes a connection that is open after this time, because the server's limits are longer. */
const patienceMs = 1_500;
const askEveryMs = 20;

export async function runSockets({ isShort, round: only, seed, until }) {
  const data = scratch("sockets.db");
  const tenants = await makeWorld(data, ["Dispatcher"]);
  const { child, ready } = await serve(data, ["--no-deliver"]);
  const [tenant] = tenants;
  const forms = toForms(tenant.callers.find(({ roles }) => roles.includes("Dispatcher")).headers, tenant.ids);
  const others = startOthers(ready.url, tenant);
  const wrongs = [];
  const counts = { rounds: 0, answered: 0 };
  const first = only ?? 0;
  const last = only === undefined ? (isShort ? shortRounds : fullRounds) : first + 1;
  let next = first;
  const work = async () => {
    while (next < last && performance.now() < until) {
      const number = next++;
      const random = createRandom(seedOf(seed, number));
      const form = random.pick(forms);
      const answer = await abuse(ready.url, form, random);
      counts.rounds += 1;
      if (answer !== "") counts.answered += 1;
      const found = judge(form, answer);
      wrongs.push(
        ...found.map((wrong) => `${form.name}: ${wrong} (--only sockets --seed ${seed} --round ${number})`),
      );
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  // Slow senders take half a minute, so a separate test has a few of them.
  const dripped = isShort || only !== undefined ? null : await dripAt(ready.url, tenant);
  const told = await others.stop();
  const alive = child.exitCode === null ? [] : [`the server ended with ${child.exitCode}`];
  if (alive.length === 0) await end(child);
  const what = `${forms.length} forms of abuse`;
  const rows = [
    {
      part: "sockets",
      what,
      figure: `${counts.rounds} connections, ${counts.answered} answered`,
      wrong: wrongs.length,
    },
    {
      part: "sockets",
      what: "a client beside them",
      figure: `${told.asked} requests, slowest ${Math.round(told.slowestMs)} ms`,
      wrong: told.wrongs.length + alive.length,
    },
  ];
  if (dripped) rows.splice(1, 0, dripped.row);
  return { rows, wrongs: [...wrongs, ...(dripped?.wrongs ?? []), ...told.wrongs, ...alive] };
}

async function dripAt(url, { callers, ids }) {
  const { headers } = callers.find(({ roles }) => roles.includes("Dispatcher"));
  const told = await dripMany(url, { headers, path: `/locations/${ids.location_id}/trucks` }, drips);
  const wrongs = judgeDrips(told).map((wrong) => `${wrong} (--only sockets)`);
  const seconds = (told.longestMs / 1000).toFixed(1);
  const figure = `${told.count} connections, ${told.told408} told 408, the last gone after ${seconds} s${toAim(told)}`;
  return { row: { part: "sockets", what: "a byte a second", figure, wrong: wrongs.length }, wrongs };
}

/**
 * Returns what is wrong with the received bytes: more answers than requests, an internal error, or the answer to a
 * smuggled request.
 */
export function judge({ most, statuses }, answer) {
  const found = [...answer.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status));
  return [
    ...(found.length > most ? [`${found.length} answers where at most ${most} belong`] : []),
    ...found.filter((status) => status >= 500 && status !== 503).map((status) => `answered with ${status}`),
    ...found
      .filter((status) => status < 500 && !statuses.includes(status))
      .map((status) => `answered with ${status}, not ${statuses.join(" or ")}`),
  ];
}

/** Sends the form's pieces with their pauses. Returns all received bytes. */
function abuse(url, { pieces, ends }, random) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const chunks = [];
  return new Promise((resolve) => {
    const finish = () => resolve(Buffer.concat(chunks).toString("latin1"));
    const timer = setTimeout(() => socket.destroy(), patienceMs);
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearTimeout(timer);
      finish();
    });
    socket.on("connect", async () => {
      for (const piece of pieces(random)) {
        if (socket.destroyed) return;
        if (typeof piece === "number") await sleep(piece);
        else socket.write(piece);
      }
      if (ends === "reset") socket.resetAndDestroy();
      if (ends === "hang up") socket.end();
    });
  });
}

/** Starts a correct client, each of whose requests must get 200. */
function startOthers(url, tenant) {
  const agent = new Agent({ keepAlive: true, maxSockets: 2 });
  const told = { asked: 0, slowestMs: 0, wrongs: [] };
  const { headers } = tenant.callers.find(({ roles }) => roles.includes("Dispatcher"));
  const paths = ["/healthz", `/locations/${tenant.ids.location_id}/jobs/${tenant.ids.job_id}`];
  let isOver = false;
  const work = async () => {
    while (!isOver) {
      const path = paths[told.asked % paths.length];
      const { problem, status, tookMs } = await ask(agent, { url: url + path, headers });
      told.asked += 1;
      told.slowestMs = Math.max(told.slowestMs, tookMs);
      if (status !== 200) told.wrongs.push(`${path} is answered ${status ?? problem} beside the abuse`);
      await sleep(askEveryMs);
    }
  };
  const working = work();
  return {
    stop: async () => {
      isOver = true;
      await working;
      agent.destroy();
      return told;
    },
  };
}
