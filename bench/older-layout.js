// How many pages of 100 jobs a second while all jobs are stored in another layout, against after they were written anew?
import { setTimeout as wait } from "node:timers/promises";
import SqliteDatabase from "better-sqlite3";
import { end, report, requestRate } from "./measure.js";
import { callerHeaders, demoStore, scratch, serve } from "./store.js";

const jobs = 2000;

export async function measureOlderLayout() {
  const store = demoStore(jobs);
  const headers = { ...callerHeaders(store), "x-api-version": "2023/04/19" };
  const data = scratch("older-layout.db");
  const source = new SqliteDatabase(store.data, { readonly: true });
  source.prepare("vacuum into ?").run(data);
  source.close();
  const db = new SqliteDatabase(data);
  const before = db.prepare("select id, record from jobs order by id").all();
  db.prepare("update jobs set record = 'older' || substr(record, instr(record, char(31)))").run();
  const left = db.prepare("select count(*) from jobs where record like 'older%'").pluck();

  const server = await serve(data);
  const asked = { url: `${server.ready.url}/jobs?page_limit=100`, headers };
  const older = await requestRate({ ...asked, seconds: 3 });
  if (left.get() !== before.length) throw new Error("The jobs were written anew while they were measured.");
  const startedAt = performance.now();
  while (left.get() > 0) await wait(100);
  const seconds = (performance.now() - startedAt) / 1000;
  await wait(1000);
  const anew = await requestRate({ ...asked, seconds: 3 });
  await end(server.child);
  const after = db.prepare("select id, record from jobs order by id").all();
  db.close();
  if (JSON.stringify(after) !== JSON.stringify(before))
    throw new Error("Jobs were not written as they were.");
  report({
    name: `GET /jobs?page_limit=100, written anew after ${seconds.toFixed(0)} s`,
    figure: `${anew.toFixed(0)}/s, in another layout: ${older.toFixed(0)}/s`,
    ratio: anew / older,
    target: 1.5,
  });
}
