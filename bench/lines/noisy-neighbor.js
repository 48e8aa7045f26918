// Measures the cost of one tenant's noise for another: the quiet tenant's reads and writes, alone and with the noise,
// the time of /healthz, and the rate of the noisy tenant.
import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { jobBodies } from "../job-bodies.js";
import { sharedStore } from "../large-store.js";
import { end, sendRequest } from "../measure.js";
import { startNoise } from "../noise.js";
import { callerHeaders, serve } from "../store.js";
import { ask } from "../torture/ask.js";

const jobsEach = 20_000;
const kinds = ["64 list readers", "64 writers"];
const healthMsMax = 50;
const healthEveryMs = 10;
const settleMs = 1_500;
const secondsMin = 8;

export async function* noisyNeighbor({ seconds: given }) {
  const seconds = Math.max(given, secondsMin);
  const [noisy, quiet] = sharedStore(jobsEach);
  const noisyHeaders = callerHeaders(noisy);
  const quietHeaders = { ...callerHeaders(quiet), "content-type": "application/json" };
  const server = await serve(noisy.data, ["--no-deliver"]);
  try {
    const { url } = server.ready;
    const clients = await openQuiet(url, quietHeaders, quiet.location_id);
    await measure(url, clients, 1);
    const alone = await measure(url, clients, seconds);
    for (const kind of kinds) {
      const told = { headers: noisyHeaders, locationId: noisy.location_id, url };
      const noise = await startNoise(kind, told);
      const [rateAlone, beside, rateBeside] = await measureBoth(url, noise, clients, seconds).finally(() =>
        noise.stop(),
      );
      yield* toResults(kind, alone, beside);
      yield {
        question: `${kind}, beside one that reads and one that posts`,
        figure: rateBeside,
        floor: rateAlone,
      };
      // The last requests may still be running.
      await sleep(settleMs);
    }
  } finally {
    await end(server.child);
  }
}

/** Measures the noisy tenant's rate alone, then the quiet tenant's times and the noisy rate together. */
async function measureBoth(url, noise, clients, seconds) {
  await sleep(settleMs);
  const [alone] = await rateDuring(noise, () => sleep(seconds * 1000));
  const [beside, figures] = await rateDuring(noise, () => measure(url, clients, seconds));
  return [alone, figures, beside];
}

async function rateDuring(noise, work) {
  const [before, startedAt] = [noise.heard(), performance.now()];
  const result = await work();
  const [after, seconds] = [noise.heard(), (performance.now() - startedAt) / 1000];
  if (after.failed > before.failed) throw new Error("The noisy tenant was refused.");
  return [(after.answered - before.answered) / seconds, result];
}

function* toResults(kind, alone, beside) {
  for (const [name, what] of [
    ["reads", "GET of one job"],
    ["writes", "POST a job"],
  ])
    for (const [part, aim] of [
      [0.5, 2],
      [0.99, 5],
    ])
      yield {
        question: `${what} beside ${kind} of another tenant, p${part * 100}`,
        figure: at(beside[name], part),
        floor: at(alone[name], part),
        unit: "ms",
        aim,
        isAtMost: true,
        note: `${beside[name].length} answers`,
      };
  yield {
    question: `the slowest /healthz beside ${kind}`,
    figure: at(beside.health, 1),
    floor: healthMsMax,
    unit: "ms",
    aim: 1,
    isAtMost: true,
    note: `alone ${at(alone.health, 1).toFixed(1)} ms`,
  };
}

const at = (times, part) =>
  [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;

/** Returns the requests of the quiet tenant: a read of another job each time, and the creation of a job. */
async function openQuiet(url, headers, locationId) {
  const jobs = `${url}/locations/${locationId}/jobs`;
  const { body } = await sendRequest({ url: `${jobs}?page_limit=1000`, headers });
  const ids = JSON.parse(body).results.map(({ id }) => id);
  const toBody = await jobBodies(jobs, headers);
  let turn = 0;
  return {
    reads: () => ({ url: `${jobs}/${ids[turn++ % ids.length]}`, headers }),
    writes: () => ({ url: jobs, method: "POST", headers, body: toBody("quiet") }),
    health: () => ({ url: `${url}/healthz` }),
  };
}

/** Each client sends one request after another for this time. Returns their milliseconds by name. */
async function measure(url, clients, seconds) {
  const stopAt = performance.now() + seconds * 1000;
  const measured = Object.entries(clients).map(async ([name, toRequest]) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const times = [];
    while (performance.now() < stopAt) {
      const { problem, status, tookMs } = await ask(agent, toRequest());
      if (status !== 200) throw new Error(`${name} at ${url}: ${status ?? problem}`);
      times.push(tookMs);
      if (name === "health") await sleep(healthEveryMs);
    }
    agent.destroy();
    return [name, times];
  });
  return Object.fromEntries(await Promise.all(measured));
}
