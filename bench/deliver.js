// How many deliveries a second are made, logged and committed, against a bare loop of POSTs of the same concurrency?

import { fileURLToPath } from "node:url";
import SqliteDatabase from "better-sqlite3";
import { Client } from "undici";
import { end, report, sendOnce, startReady } from "./measure.js";
import { callerHeaders, demoStore, run, scratch, serve } from "./store.js";

const hooks = 8;
const attemptsAtOnce = 4;
const events = 250;

export async function measureDeliver() {
  const { data: source, ...store } = demoStore(2000);
  const data = scratch("deliver.db");
  const connection = new SqliteDatabase(source, { readonly: true });
  connection.prepare("vacuum into ?").run(data);
  connection.close();
  const receiver = await startReady(fileURLToPath(new URL("./receiver.js", import.meta.url)), []);
  for (let hook = 0; hook < hooks; hook++) {
    run([
      "hooks",
      "create",
      "--events",
      "Truck",
      "--callback-url",
      receiver.ready.url,
      "--data",
      data,
      "--tenant",
      String(store.tenant_id),
    ]);
  }
  const headers = { ...callerHeaders({ ...store, data }), "content-type": "application/json" };
  const server = await serve(data, ["--no-deliver"]);
  const url = `${server.ready.url}/locations/${store.location_id}/trucks`;
  for (let index = 0; index < events; index++) {
    await sendOnce({
      url,
      method: "POST",
      headers,
      body: JSON.stringify({ name: `Truck ${index}`, notes: "x".repeat(1500) }),
    });
  }
  await end(server.child);
  run(["hooks", "deliver", "--data", data]);
  const db = new SqliteDatabase(data, { readonly: true });
  const { first, last, count, body } = db
    .prepare(
      "select min(a.started_on) as first, max(d.finished_on) as last, count(*) as count, max(a.request_body) as body from delivery_attempts a join deliveries d on d.id = a.delivery_id where d.status = 'delivered'",
    )
    .get();
  db.close();
  const ours = count / ((Date.parse(`${last.slice(0, 23)}Z`) - Date.parse(`${first.slice(0, 23)}Z`)) / 1000);
  const kept = await bareRate(receiver.ready.url, body, count, 1);
  const closed = await bareRate(receiver.ready.url, body, count, 0);
  await end(receiver.child);
  report({
    name: `${hooks} webhooks, ${count} deliveries`,
    figure: `${ours.toFixed(0)}/s, bare loop: ${closed.toFixed(0)}/s, with connections kept: ${kept.toFixed(0)}/s`,
    ratio: ours / closed,
    target: 0.4,
  });
}

/** POSTs a second of a loop that does nothing else; with pipelining 0 each has a connection of its own, as deliveries have. */
async function bareRate(url, body, count, pipelining) {
  const startedAt = performance.now();
  let left = count;
  const loop = async () => {
    const client = new Client(new URL(url).origin, { pipelining });
    while (left-- > 0) {
      const answer = await client.request({
        method: "POST",
        path: "/",
        headers: { "content-type": "application/json" },
        body,
      });
      await answer.body.text();
    }
    await client.close();
  };
  await Promise.all(Array.from({ length: hooks * attemptsAtOnce }, loop));
  return count / ((performance.now() - startedAt) / 1000);
}
