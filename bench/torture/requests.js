// Sends generated requests of every operation, role, and version, valid and invalid. Each answer must fit the
// document.
import { Agent } from "node:http";
import fc from "fast-check";
import { end } from "../measure.js";
import { scratch, serve } from "../store.js";
import { ask } from "./ask.js";
import { seedOf } from "./random.js";
import { createJudge } from "./requests/check.js";
import { readDocuments } from "./requests/documents.js";
import { toRequests } from "./requests/generate.js";
import { readHolds, watchHolds } from "./requests/holds.js";
import { makeWorld } from "./world.js";

const batch = 250;
const connections = 8;
const fullCount = 200_000;
const shortCount = 250;

/** Sends `count` requests in batches. Each batch has its own seed, which repeats it. */
export async function runRequests({ count: wanted, databases, isShort, round, seed, until }) {
  const rows = [];
  const wrongs = [];
  for (const { name, toAddress } of databases) {
    const count = wanted ?? (isShort ? shortCount : fullCount) / databases.length;
    const data = await toAddress(scratch(`requests-${name}.db`));
    const tenants = await makeWorld(data);
    const holds = scratch(`holds-${name}.json`);
    const { child, ready } = await serve(
      data,
      ["--allow-hauler-signup", "--no-deliver"],
      "inherit",
      watchHolds(holds),
    );
    const agent = new Agent({ keepAlive: true, maxSockets: connections });
    try {
      const told = await flood({ agent, url: ready.url, tenants, count, round, seed, until });
      wrongs.push(...told.wrongs.map((wrong) => `${name}: ${wrong}`));
      rows.push({
        part: "requests",
        what: `generated, ${name}`,
        figure: describe(told),
        wrong: told.wrongs.length,
      });
    } finally {
      agent.destroy();
      await end(child);
    }
    rows.push({
      part: "requests",
      what: `held the event loop, ${name}`,
      figure: await readHolds(holds),
      wrong: 0,
    });
  }
  return { rows, wrongs };
}

function describe({ sent, slowestMs, statuses }) {
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  return `${sent} sent (${counts.join(", ")}), slowest ${Math.round(slowestMs)} ms`;
}

async function flood({ agent, url, tenants, count, round: only, seed, until }) {
  const documents = await readDocuments(async (path) =>
    JSON.parse((await ask(agent, { url: url + path })).body),
  );
  const judge = createJudge(
    documents,
    tenants.map(({ marker }) => marker),
  );
  const requests = toRequests(documents, tenants);
  const told = { sent: 0, slowestMs: 0, statuses: new Map(), wrongs: [] };
  const rounds = Math.ceil(count / batch);
  for (let round = only ?? 0; round < (only === undefined ? rounds : only + 1); round++) {
    if (performance.now() > until) break;
    const made = fc.sample(requests, {
      numRuns: Math.min(batch, count - told.sent),
      seed: seedOf(seed, round) | 0,
    });
    let next = 0;
    const work = async () => {
      while (next < made.length) {
        const request = made[next++];
        const answer = await ask(agent, { ...request, url });
        note(told, request, answer, judge, `--only requests --seed ${seed} --round ${round}`);
      }
    };
    await Promise.all(Array.from({ length: connections }, work));
  }
  return told;
}

function note(told, request, answer, judge, repeat) {
  told.sent += 1;
  told.slowestMs = Math.max(told.slowestMs, answer.tookMs);
  told.statuses.set(answer.status, (told.statuses.get(answer.status) ?? 0) + 1);
  const { body, headers, method, target } = request;
  const shown = `${method} ${target.slice(0, 200)} as ${request.roles} ${JSON.stringify({ ...headers, authorization: undefined }).slice(0, 300)} ${String(body ?? "").slice(0, 300)}`;
  for (const problem of judge(request, answer))
    told.wrongs.push(`${request.operation}: ${answer.status} ${problem}\n    ${shown}\n    ${repeat}`);
}
