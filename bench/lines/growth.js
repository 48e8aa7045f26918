// Measures requests whose answers keep their size while the store grows, and the time of `doctor`.
import { copyFileSync } from "node:fs";
import { largeStore } from "../large-store.js";
import { load } from "../load.js";
import { end, median } from "../measure.js";
import { callerHeaders, scratch, serve } from "../store.js";
import { createRate } from "./create-jobs.js";
import { timeRun } from "./start-up.js";

const sizes = [1000, 100_000, 1_000_000];

export async function* growth({ jobs, seconds }) {
  const measured = [];
  for (const size of sizes.filter((size) => size <= jobs))
    measured.push({ size, times: await measureAt(size, seconds) });
  const [smallest, ...larger] = measured;
  for (const { size, times } of larger) {
    for (const [name, ms] of Object.entries(times)) {
      const question = `${name}, ${size.toLocaleString("en")} jobs against ${smallest.size.toLocaleString("en")}`;
      yield { question, figure: ms, floor: smallest.times[name], unit: "ms", aim: 1.5, isAtMost: true };
    }
  }
  yield* doctor(jobs);
}

async function measureAt(size, seconds) {
  const grown = largeStore(size);
  const store = { ...grown, data: scratch(`growth-${size}.db`) };
  copyFileSync(grown.data, store.data);
  const headers = callerHeaders(store);
  const server = await serve(store.data, ["--no-deliver"]);
  const url = server.ready.url;
  const perRequest = async (requests) =>
    1000 / (await load({ url, requests, connections: 1, seconds })).perSecond;
  const trucks = store.trucks.map((truck) => ({ path: `/jobs?page_limit=5&truck_id=${truck}`, headers }));
  const times = {
    "GET of one job": await perRequest([{ path: `/locations/${store.location_id}/jobs/1`, headers }]),
    "a page of 5 jobs by truck": await perRequest(trucks),
  };
  await end(server.child);
  times["POST a job"] = 1000 / (await createRate(store, 1, seconds));
  const target = ["--data", store.data, "--tenant", String(store.tenant_id)];
  const listings = [];
  for (let run = 0; run < 5; run++)
    listings.push((await timeRun(["jobs", "list", "--page-limit", "20", ...target])).seconds * 1000);
  times["the command jobs list"] = median(listings);
  return times;
}

async function* doctor(jobs) {
  const small = Math.min(10_000, jobs);
  const [first, last] = [largeStore(small), largeStore(jobs)];
  const [few, many] = [
    await timeRun(["doctor", "--data", first.data]),
    await timeRun(["doctor", "--data", last.data]),
  ];
  yield {
    question: `doctor, ${jobs.toLocaleString("en")} jobs against ${small.toLocaleString("en")}`,
    figure: many.seconds,
    floor: few.seconds,
    unit: "s",
    aim: 20,
    isAtMost: true,
  };
}
