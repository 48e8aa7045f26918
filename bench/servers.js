// What do more processes bring, on a file and on PostgreSQL? All against one process on a file, in the same run.
import { jobBodies } from "./job-bodies.js";
import { end, median, report, requestRate, sendOnce } from "./measure.js";
import { startPostgres } from "./postgres.js";
import { callerHeaders, demoStore, run, serve } from "./store.js";

const rounds = 3;
const seconds = 0.8;

export async function measureServers() {
  const store = demoStore(20_000);
  const headers = callerHeaders(store);
  const postgres = await startPostgres();
  const servers = [];
  try {
    run(["store", "copy", "--from", store.data, "--to", postgres.address]);
    const measured = [];
    for (const workers of [1, 2, 4]) {
      for (const [place, data] of Object.entries({ SQLite: store.data, PostgreSQL: postgres.address })) {
        const server = await serve(data, ["--no-deliver", "--workers", String(workers)]);
        servers.push(server);
        for (const [name, request] of await toRequests(server.ready.url, headers, store.location_id)) {
          const title = `${name}, ${place} × ${workers}`;
          measured.push({ name, title, workers, request, rates: [] });
        }
      }
    }
    await measureInTurns(measured);
    showRates(measured);
  } finally {
    for (const { child } of servers) await end(child);
    await postgres.remove();
  }
}

/** One after the other, so that what else the machine does meets all alike. */
async function measureInTurns(measured) {
  // New processes are slow, and the more there are the fewer requests each of them gets.
  for (const { request, workers } of measured) await requestRate({ ...request, seconds: seconds * workers });
  for (let round = 0; round < rounds; round++) {
    for (const { rates, request } of measured) rates.push(await requestRate({ ...request, seconds }));
  }
}

/** The first of each name, one process on a file, is the floor of the others. */
function showRates(measured) {
  const floors = new Map();
  for (const { name, title, rates } of measured.sort((a, b) => a.name.localeCompare(b.name))) {
    const rate = median(rates);
    if (!floors.has(name)) floors.set(name, rate);
    report({ name: title, figure: `${rate.toFixed(0)}/s`, ratio: rate / floors.get(name) });
  }
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
