// Measures deliveries sent, logged, and committed, against a bare loop of POSTs of the same concurrency.
import { copyFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import SqliteDatabase from "better-sqlite3";
import { end, median, requestRate, sendOnce, startReady } from "../measure.js";
import { callerHeaders, createTruckHook, plainStore, run, scratch, serve } from "../store.js";

const receiverFile = fileURLToPath(new URL("../receiver.js", import.meta.url));
const postLoopFile = fileURLToPath(new URL("../post-loop.js", import.meta.url));
const attemptsAtOnce = 4;
const deliveriesMade = 4000;
const rounds = 3;

export async function* deliveries() {
  for (const hooks of [8, 1]) {
    const receiver = await startReady(receiverFile, []);
    const { data, body } = await fillOutbox(receiver.ready.url, hooks);
    const [ours, bare] = [[], []];
    // Measure both in turns and in separate processes, so that other work of the machine affects both alike.
    for (let round = 0; round < rounds; round++) {
      ours.push(deliver(data));
      bare.push(await postBare(receiver.ready.url, body, hooks));
    }
    await end(receiver.child);
    const question = `deliveries to ${hooks === 1 ? "one receiver" : `${hooks} receivers`}, against a bare loop`;
    yield { question, figure: median(ours), floor: median(bare), aim: 0.5 };
  }
  yield* writesWithHooks();
}

/** Measures the cost of webhooks for writers. */
async function* writesWithHooks() {
  const servers = [];
  for (const count of [0, 1, 10]) {
    const { data, ...store } = copyDemo(`events-${count}.db`);
    for (let hook = 0; hook < count; hook++) createTruckHook({ ...store, data }, "http://127.0.0.1:9/");
    const { child, ready } = await serve(data, ["--no-deliver"]);
    servers.push({ count, child, request: toTruckRequest(ready.url, { ...store, data }), rates: [] });
  }
  for (let round = 0; round < rounds; round++) {
    for (const { request, rates } of servers) rates.push(await requestRate({ ...request, seconds: 1.5 }));
  }
  for (const { child } of servers) await end(child);
  const floor = median(servers[0].rates);
  for (const { count, rates } of servers.slice(1))
    yield { question: `changes with ${count} webhooks, against none`, figure: median(rates), floor };
}

/** Fills a store with due deliveries. Returns it with the body of one. */
async function fillOutbox(receiverUrl, hooks) {
  const { data, ...store } = copyDemo(`outbox-${hooks}.db`);
  for (let hook = 0; hook < hooks; hook++) createTruckHook({ ...store, data }, receiverUrl);
  const { child, ready } = await serve(data, ["--no-deliver"]);
  const request = toTruckRequest(ready.url, { ...store, data });
  for (let event = 0; event < deliveriesMade / hooks; event++)
    await sendOnce({ ...request, body: request.body() });
  await end(child);
  const connection = new SqliteDatabase(data);
  const body = scratch("body.json");
  writeFileSync(body, connection.prepare("select data from events order by id desc limit 1").pluck().get());
  connection.close();
  return { data, body };
}

/** Sends the deliveries of a copy of the store. Returns their rate from the first request to the last commit. */
function deliver(data) {
  const copy = scratch("delivered.db");
  copyFileSync(data, copy);
  run(["hooks", "deliver", "--data", copy]);
  const connection = new SqliteDatabase(copy);
  const { first, last, count } = connection
    .prepare(
      `select min(a.started_on) as first, max(d.finished_on) as last, count(*) as count
        from delivery_attempts a join deliveries d on d.id = a.delivery_id where d.status = 'delivered'`,
    )
    .get();
  connection.close();
  if (count !== deliveriesMade) throw new Error(`${count} deliveries were made.`);
  return count / ((toMs(last) - toMs(first)) / 1000);
}

async function postBare(url, body, hooks) {
  const argv = [url, body, String(deliveriesMade), String(hooks * attemptsAtOnce)];
  const { ready } = await startReady(postLoopFile, argv);
  return ready.perSecond;
}

function copyDemo(name) {
  const { data: source, ...store } = plainStore(2000);
  const data = scratch(name);
  const connection = new SqliteDatabase(source, { readonly: true });
  connection.prepare("vacuum into ?").run(data);
  connection.close();
  return { ...store, data };
}

/** Each request creates a truck, and with it an event. */
function toTruckRequest(url, store) {
  let made = 0;
  return {
    url: `${url}/locations/${store.location_id}/trucks`,
    method: "POST",
    headers: { ...callerHeaders(store), "content-type": "application/json" },
    body: () => JSON.stringify({ name: `Truck ${made++}`, notes: "x".repeat(1500) }),
  };
}

const toMs = (moment) => Date.parse(`${moment.slice(0, 23)}Z`);
