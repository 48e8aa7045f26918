// Measures jobs created over HTTP, each with event, delivery, and audit entry on the disk before the answer, against
// raw commits of the same rows one by one.
import { copyFileSync } from "node:fs";
import { jobBodies } from "../job-bodies.js";
import { load } from "../load.js";
import { end, median } from "../measure.js";
import { lastIds, rawCommits } from "../raw-commits.js";
import { callerHeaders, plainStore, scratch, serve } from "../store.js";

const rounds = 3;
const bodiesMax = 2000;

export async function* createJobs({ seconds }) {
  const store = plainStore(2000);
  const data = scratch("create-jobs.db");
  copyFileSync(store.data, data);
  for (const [clients, aim] of [
    [1, 0.3],
    [32, 0.6],
  ]) {
    const [rates, floors] = [[], []];
    for (let round = 0; round < rounds; round++) {
      const before = lastIds(data);
      rates.push(await createRate({ ...store, data }, clients, seconds));
      floors.push(rawCommits(data, before));
    }
    yield {
      question: `POST a job with event, delivery and audit row, ${clients === 1 ? "1 client" : `${clients} clients`}`,
      figure: median(rates),
      floor: median(floors),
      aim,
    };
  }
}

export async function createRate(store, connections, seconds) {
  // Measure the rate of writes without deliveries.
  const server = await serve(store.data, ["--no-deliver"]);
  try {
    const specification = { ...(await toCreation(server.ready.url, store)), connections };
    // Warm up: a new process first compiles its hot paths, but users' servers run for weeks.
    await load({ ...specification, seconds: 2 * seconds });
    return (await load({ ...specification, seconds })).perSecond;
  } finally {
    await end(server.child);
  }
}

/** Returns requests that create jobs, as the store's caller if it exists. */
export async function toCreation(url, store) {
  const headers = { ...(store.headers ?? callerHeaders(store)), "content-type": "application/json" };
  const path = `/locations/${store.location_id}/jobs`;
  const toBody = await jobBodies(`${url}${path}`, headers);
  const requests = Array.from({ length: bodiesMax }, (_, index) => ({
    method: "POST",
    path,
    headers,
    body: toBody(`Job ${index}`),
  }));
  return { url, requests };
}
