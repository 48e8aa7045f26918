// The process of a noisy tenant. `noise.js` passes it its kind and the JSON of url, headers, and locationId. It
// reports the numbers of its answers and of failures to its parent ten times a second, until it is killed.
import { Agent } from "node:http";
import { setPriority } from "node:os";
import { jobBodies } from "./job-bodies.js";
import { ask } from "./torture/ask.js";

const [kind, text] = process.argv.slice(2);
const { headers, locationId, url } = JSON.parse(text);
const jobs = `${url}/locations/${locationId}/jobs`;
const sent = { ...headers, "content-type": "application/json" };
const kinds = { "64 list readers": readLists, "64 writers": writeJobs, PDFs: print, duplicates: search };

// Give the measuring client priority. At the lowest priority, a busy machine would stop this process completely.
setPriority(5);
const heard = { answered: 0, failed: 0 };
setInterval(() => process.send(heard), 100);
await kinds[kind]();

/** Runs this many loops of requests at once. */
async function loop(count, toRequest, expected = 200) {
  const agent = new Agent({ keepAlive: true, maxSockets: count });
  let turn = 0;
  const work = async () => {
    for (;;) {
      const { status } = await ask(agent, { headers: sent, timeoutMs: 60_000, ...toRequest(turn++) });
      heard.answered++;
      if (status !== 200 && status !== expected) heard.failed++;
    }
  };
  await Promise.all(Array.from({ length: count }, work));
}

/** Reads lists, each with another filter, so that the server never answers from its cache. */
function readLists() {
  const moment = (turn) => `2020-01-01T00:00:00.${String(turn % 1_000_000).padStart(6, "0")}`;
  return loop(64, (turn) => ({ url: `${url}/jobs?page_limit=1000&last_updated_gte=${moment(turn)}` }));
}

async function writeJobs() {
  const toBody = await jobBodies(jobs, headers);
  return loop(64, (turn) => ({ url: jobs, method: "POST", body: toBody(`noise ${turn}`) }));
}

function print() {
  const at = { "x-api-version": "2021/08/02" };
  return loop(8, (turn) => ({
    url: `${url}/locations/${locationId}/trucks/${1 + (turn % 8)}/get_jobs_list_pdf`,
    headers: { ...headers, ...at },
  }));
}

/** Creates customers, with a wide search for duplicates. */
function search() {
  const address = (line) => ({
    country: "US",
    is_billing: true,
    is_shipping: true,
    latitude: 38.867,
    line_1: line,
    locality: "Washington",
    longitude: -76.979,
    postcode: "20020",
    region: "DC",
  });
  const addresses = Array.from({ length: 250 }, (_, index) => address(`${index} T Street SE`));
  const body = JSON.stringify({ name: "Potomac Roofing", addresses, contacts: [] });
  const path = `/locations/${locationId}/customers?max_address_edit_distance=100`;
  return loop(8, () => ({
    url: url + path,
    method: "POST",
    headers: { ...sent, "x-dry-run": "true" },
    body,
  }));
}
