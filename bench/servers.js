// What do more processes bring, on a file and on PostgreSQL? All against one process on a file, in the same run.
import { jobBodies } from "./job-bodies.js";
import { end, median, report, requestRate, sendOnce } from "./measure.js";
import { startPostgres } from "./postgres.js";
import { callerHeaders, demoStore, run, serve } from "./store.js";

const rounds = 3;
const seconds = 0.9;

export async function measureServers() {
  const store = demoStore(20_000);
  const headers = callerHeaders(store);
  const postgres = await startPostgres();
  try {
    run(["store", "copy", "--from", store.data, "--to", postgres.address]);
    const places = { SQLite: store.data, PostgreSQL: postgres.address };
    const floors = {};
    for (const workers of [1, 2, 4]) {
      const rates = await measureWorkers(places, workers, headers, store.location_id);
      for (const { place, name, found } of Object.values(rates)) {
        const rate = median(found);
        floors[name] ??= rate;
        report({
          name: `${name}, ${place}, ${workers} ${workers > 1 ? "processes" : "process"}`,
          figure: `${rate.toFixed(0)}/s`,
          ratio: rate / floors[name],
        });
      }
    }
  } finally {
    await postgres.remove();
  }
}

/** Rates of both requests at both places, in turns, so that what else the machine does meets all alike. */
async function measureWorkers(places, workers, headers, locationId) {
  const servers = {};
  const rates = {};
  const asked = {};
  for (const [place, data] of Object.entries(places)) {
    servers[place] = await serve(data, ["--no-deliver", "--workers", String(workers)]);
    for (const [name, request] of await toRequests(servers[place].ready.url, headers, locationId)) {
      asked[`${place} ${name}`] = request;
      rates[`${place} ${name}`] = { place, name, found: [] };
    }
  }
  // New processes are slow; the round that warms them does not count.
  for (let round = 0; round <= rounds; round++) {
    for (const [key, request] of Object.entries(asked)) {
      const rate = await requestRate({ ...request, seconds });
      if (round > 0) rates[key].found.push(rate);
    }
  }
  for (const { child } of Object.values(servers)) await end(child);
  return rates;
}

async function toRequests(url, headers, locationId) {
  const jobs = `${url}/locations/${locationId}/jobs`;
  const toBody = await jobBodies(jobs, headers);
  const create = {
    url: jobs,
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: () => toBody("Call first"),
  };
  const list = { url: `${url}/jobs?page_limit=100&truck_id=1`, headers };
  const { results } = JSON.parse(await sendOnce(list));
  if (results.length !== 100) throw new Error(`The page has ${results.length} jobs instead of 100.`);
  return [
    ["GET /jobs?page_limit=100&truck_id=1", list],
    [`POST /locations/${locationId}/jobs`, create],
  ];
}
