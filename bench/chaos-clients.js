import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { jobBodies } from "./job-bodies.js";
import { sendOnce } from "./measure.js";

/** Timeout of a request. */
const answerMsMax = 30_000;

/**
 * Sends mixed load for `seconds`, each request to any server. Returns what the clients know: each write with its
 * status (null without an answer), the status of each read, and the longest time of an answer. `signal` ends it
 * early. It calls `onTold` after each write.
 */
export async function runClients({ urls, headers, locationId, clients, seconds, signal, onTold = () => {} }) {
  const sent = { headers: { ...headers, "content-type": "application/json" } };
  const known = await findRecords(urls[0], locationId, headers);
  const toBody = await jobBodies(`${urls[0]}/locations/${locationId}/jobs`, headers);
  const told = { writes: [], reads: [], slowestMs: 0 };
  // Make each run's values unique: a write of an equal value leaves no row.
  const run = randomUUID().slice(0, 8);
  const stopAt = performance.now() + seconds * 1000;
  const work = async (client) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = async (method, path, body) => {
      const startedAt = performance.now();
      const answer = await send(`${pick(urls)}${path}`, { ...sent, method, agent }, body);
      told.slowestMs = Math.max(told.slowestMs, performance.now() - startedAt);
      // A client pauses after a failure.
      if (answer.status !== 200) await sleep(100);
      return answer;
    };
    const own = { made: [], onTruck: [] };
    for (let turn = 0; performance.now() < stopAt && !signal?.aborted; turn++) {
      const marker = `client ${client} turn ${turn} of ${run}`;
      const { path, method, body, ...write } = pickRequest({ own, known, locationId, marker, toBody });
      const answer = await ask(method, path, body);
      if (method === "GET") {
        told.reads.push(answer.status);
        continue;
      }
      const recordId = write.recordId ?? (answer.status === 200 ? JSON.parse(answer.body).id : null);
      told.writes.push({ ...write, marker, recordId, status: answer.status, requestId: answer.requestId });
      // Skip jobs whose last change has an unknown outcome, so that each is dispatched and completed at most once.
      if (answer.status === 200) own[next[write.operation]]?.push(recordId);
      onTold(told);
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: clients }, (_, client) => work(client)));
  return told;
}

const next = { "jobs.create": "made", "jobs.dispatch": "onTruck" };

/** Returns a request, and how to find its write: by a field with the marker, or by the record alone. */
function pickRequest({ own, known, locationId, marker, toBody }) {
  const jobs = `/locations/${locationId}/jobs`;
  const chance = Math.random();
  if (chance < 0.15) return { method: "GET", path: `/jobs?page_limit=50&truck_id=${pick(known.trucks)}` };
  if (chance < 0.3) {
    const recordId = pick(known.customers);
    const body = JSON.stringify({ name: marker });
    const path = `/customers/${recordId}`;
    return { method: "PATCH", path, body, operation: "customers.update", recordId, field: "name" };
  }
  if (chance < 0.5 && own.onTruck.length > 0) {
    const recordId = own.onTruck.shift();
    const body = JSON.stringify({ is_completed: true, driver_notes: marker });
    const path = `${jobs}/${recordId}`;
    return { method: "PATCH", path, body, operation: "jobs.update", recordId, field: "driver_notes" };
  }
  if (chance < 0.75 && own.made.length > 0) {
    const recordId = own.made.shift();
    const body = JSON.stringify({ truck_id: pick(known.trucks) });
    const path = `${jobs}/${recordId}/dispatch`;
    return { method: "PATCH", path, body, operation: "jobs.dispatch", recordId, field: null };
  }
  const made = { operation: "jobs.create", recordId: null, field: "dispatcher_notes" };
  return { method: "POST", path: jobs, body: toBody(marker), ...made };
}

/** Returns few customers, so that clients compete for them. */
async function findRecords(url, locationId, headers) {
  const list = async (path) => JSON.parse(await sendOnce({ url: `${url}${path}`, headers })).results;
  const trucks = await list(`/locations/${locationId}/trucks?page_limit=100`);
  const customers = await list("/customers?page_limit=10");
  return {
    customers: customers.map(({ id }) => id),
    trucks: trucks.filter((truck) => !truck.out_of_service).map(({ id }) => id),
  };
}

const pick = (list) => list[Math.floor(Math.random() * list.length)];

/** Sends a request. Never rejects; the status is null without a complete answer. */
function send(url, { method, headers, agent }, body) {
  return new Promise((resolve) => {
    const giveUp = () => resolve({ status: null, requestId: null, body: "" });
    const sent = request(url, { method, headers, agent, timeout: answerMsMax }, (answer) => {
      const chunks = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("error", giveUp);
      answer.on("end", () =>
        resolve({
          status: answer.statusCode,
          requestId: answer.headers["x-request-id"],
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
    sent.on("timeout", () => sent.destroy(new Error("No answer came in time.")));
    sent.on("error", giveUp);
    sent.end(body);
  });
}
