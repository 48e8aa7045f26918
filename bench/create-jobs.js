// How many jobs a second are created over HTTP, against raw commits of the same rows with the same durability?
import SqliteDatabase from "better-sqlite3";
import { jobBodies } from "./job-bodies.js";
import { end, report, requestRate } from "./measure.js";
import { callerHeaders, demoStore, scratch, serve } from "./store.js";

export async function measureCreateJobs() {
  const store = demoStore(2000);
  const headers = { ...callerHeaders(store), "content-type": "application/json" };
  // The rate of writing is asked for, not that of delivering.
  const server = await serve(store.data, ["--no-deliver"]);
  const url = `${server.ready.url}/locations/${store.location_id}/jobs`;
  const toBody = await jobBodies(url, headers);
  let made = 0;
  const body = () => toBody(`Job ${++made}`);
  const before = lastIds(store.data);
  const ours = await requestRate({ url, method: "POST", headers, body, seconds: 5 });
  await end(server.child);
  const floor = rawRate(store.data, before);
  report({
    name: "POST /locations/1/jobs, each with event, delivery and audit row",
    figure: `${ours.toFixed(0)}/s, raw commits: ${floor.toFixed(0)}/s`,
    ratio: ours / floor,
    target: 0.25,
  });
}

const tables = ["jobs", "events", "deliveries", "audit"];

function lastIds(data) {
  const db = new SqliteDatabase(data, { readonly: true });
  const ids = Object.fromEntries(
    tables.map((table) => [table, db.prepare(`select max(id) from ${table}`).pluck().get() ?? 0]),
  );
  db.close();
  return ids;
}

/** Commits a second when the rows that the server wrote are inserted raw into a copy of the store as it was. */
function rawRate(data, before) {
  const source = new SqliteDatabase(data, { readonly: true });
  const rows = Object.fromEntries(
    tables.map((table) => [
      table,
      source.prepare(`select * from ${table} where id > ? order by id`).all(before[table]),
    ]),
  );
  const copy = scratch("raw.db");
  source.prepare("vacuum into ?").run(copy);
  source.close();
  const db = new SqliteDatabase(copy);
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  db.pragma("foreign_keys = ON");
  for (const table of [...tables].reverse())
    db.prepare(`delete from ${table} where id > ?`).run(before[table]);
  const inserts = tables.map((table) => {
    const columns = Object.keys(rows[table][0]);
    return [
      table,
      db.prepare(`insert into ${table} (${columns}) values (${columns.map((name) => `@${name}`)})`),
    ];
  });
  const commit = db.transaction((index) => {
    for (const [table, insert] of inserts) insert.run(rows[table][index]);
  });
  const startedAt = performance.now();
  for (let index = 0; index < rows.jobs.length; index++) commit.immediate(index);
  const seconds = (performance.now() - startedAt) / 1000;
  db.close();
  return rows.jobs.length / seconds;
}
