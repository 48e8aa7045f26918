// Measures the server's CPU time for an answer that it computes. Rates include the client's cost; this does not.
import { readFileSync } from "node:fs";
import { startBare } from "../floors.js";
import { largeStore } from "../large-store.js";
import { load } from "../load.js";
import { end, median, sendOnce } from "../measure.js";
import { callerHeaders, serve } from "../store.js";

const rounds = 3;

export async function* cpu({ jobs, seconds }) {
  if (process.platform !== "linux") return;
  const store = largeStore(jobs);
  const headers = callerHeaders(store);
  const { child, ready } = await serve(store.data, ["--cache-mb", "0"]);
  const toList = (limit) =>
    store.trucks.map((truck) => ({ path: `/jobs?page_limit=${limit}&truck_id=${truck}`, headers }));
  const [page] = toList(100);
  const list = JSON.parse(await sendOnce({ url: `${ready.url}${page.path}`, headers }));
  const one = list.results.map(({ id }) => ({ path: `/locations/${store.location_id}/jobs/${id}`, headers }));
  const bare = await startBare({ url: `${ready.url}${one[0].path}`, headers });
  const floor = await cpuOf(bare.child, { url: bare.ready.url, requests: [{ path: "/" }], seconds });
  const read = await cpuOf(child, { url: ready.url, requests: one, seconds });
  yield { ...cpuLine("GET of one job, no answer kept: CPU", read, floor), aim: 10 };
  const paged = await cpuOf(child, { url: ready.url, requests: toList(100), seconds });
  await end(child);
  await end(bare.child);
  yield { ...cpuLine("page of 100 jobs, no answer kept: CPU", paged, stringifyCpu(list)), aim: 1.3 };
}

const cpuLine = (question, figure, floor) => ({ question, figure, floor, unit: "µs", isAtMost: true });

/** Returns the server's CPU microseconds for each answer under load, after a warm-up. */
async function cpuOf(child, specification) {
  await load({ ...specification, seconds: 2 });
  const results = [];
  for (let round = 0; round < rounds; round++) {
    const before = usedOf(child.pid);
    const { perSecond } = await load(specification);
    results.push((usedOf(child.pid) - before) / (perSecond * specification.seconds));
  }
  return median(results);
}

/** Returns the CPU microseconds that a process has used. Linux counts them in hundredths of a second. */
function usedOf(pid) {
  const afterName = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(afterName[11]) + Number(afterName[12])) * 10_000;
}

/** Returns the microseconds of one `JSON.stringify` of a value in optimized code. */
function stringifyCpu(value) {
  const results = [];
  for (let round = 0; round <= rounds; round++) {
    const before = process.cpuUsage().user;
    for (let turn = 0; turn < 300; turn++) JSON.stringify(value);
    results.push((process.cpuUsage().user - before) / 300);
  }
  return median(results.slice(1));
}
