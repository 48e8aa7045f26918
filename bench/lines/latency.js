// Measures answer times at half of the greatest load: p50, p95, and p99 in milliseconds.
import { copyFileSync } from "node:fs";
import { largeStore } from "../large-store.js";
import { load } from "../load.js";
import { end } from "../measure.js";
import { callerHeaders, scratch, serve } from "../store.js";
import { toCreation } from "./create-jobs.js";

export async function* latency({ seconds }) {
  const grown = largeStore(100_000);
  const store = { ...grown, data: scratch("latency.db") };
  copyFileSync(grown.data, store.data);
  const server = await serve(store.data, ["--no-deliver"]);
  yield* atHalfLoad("", server.ready.url, store, callerHeaders(store), seconds);
  await end(server.child);
}

/** Finds the greatest rate of pages and of new jobs, then sends half of it. */
export async function* atHalfLoad(prefix, url, store, headers, seconds) {
  const pages = store.trucks.map((truck) => ({ path: `/jobs?page_limit=100&truck_id=${truck}`, headers }));
  const subjects = [
    ["pages of 100 jobs", { url, requests: pages, connections: 8 }],
    ["POST a job", { ...(await toCreation(url, store)), connections: 32 }],
  ];
  for (const [name, subject] of subjects) {
    const full = await load({ ...subject, seconds });
    const half = await load({ ...subject, seconds, rate: full.perSecond / 2 });
    for (const part of ["p50", "p95", "p99"])
      yield {
        question: `${prefix}${name} at half load, ${part}`,
        figure: half[part],
        unit: "ms",
        note: `${(full.perSecond / 2).toFixed(0)}/s`,
      };
  }
}
