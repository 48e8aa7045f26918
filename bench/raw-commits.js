import SqliteDatabase from "better-sqlite3";
import { scratch } from "./store.js";

const tables = ["jobs", "events", "deliveries", "audit"];
let copies = 0;

export function lastIds(data) {
  const db = new SqliteDatabase(data, { readonly: true });
  const ids = Object.fromEntries(
    tables.map((table) => [table, db.prepare(`select max(id) from ${table}`).pluck().get() ?? 0]),
  );
  db.close();
  return ids;
}

/**
 * Measures commits a second of the server's rows, inserted raw into a copy of the earlier store: one job with its
 * event, deliveries, and audit entry after another, each on the disk before the next.
 */
export function rawCommits(data, before, { inOne = false } = {}) {
  const source = new SqliteDatabase(data, { readonly: true });
  const rows = Object.fromEntries(
    tables.map((table) => [
      table,
      source.prepare(`select * from ${table} where id > ? order by id limit 5000`).all(before[table]),
    ]),
  );
  const copy = scratch(`raw-${copies++}.db`);
  source.prepare("vacuum into ?").run(copy);
  source.close();
  const db = new SqliteDatabase(copy);
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  db.pragma("foreign_keys = OFF");
  for (const table of tables) db.prepare(`delete from ${table} where id > ?`).run(before[table]);
  db.pragma("foreign_keys = ON");
  const inserts = tables.flatMap((table) => {
    if (rows[table].length === 0) return [];
    const columns = Object.keys(rows[table][0]);
    const insert = db.prepare(
      `insert into ${table} (${columns}) values (${columns.map((name) => `@${name}`)})`,
    );
    return [(index) => rows[table][index] && insert.run(rows[table][index])];
  });
  const insertOne = (index) => {
    for (const insert of inserts) insert(index);
  };
  const commit = db.transaction(insertOne);
  const all = db.transaction(() => {
    for (const index of rows.jobs.keys()) insertOne(index);
  });
  const startedAt = performance.now();
  if (inOne) all.immediate();
  else for (let index = 0; index < rows.jobs.length; index++) commit.immediate(index);
  const seconds = (performance.now() - startedAt) / 1000;
  db.close();
  return rows.jobs.length / seconds;
}
