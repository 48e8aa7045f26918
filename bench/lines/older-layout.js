// Measures pages of 100 jobs after the server rewrote them in the current layout, against pages of jobs in another
// layout.
import { setTimeout as wait } from "node:timers/promises";
import SqliteDatabase from "better-sqlite3";
import { end, requestRate } from "../measure.js";
import { callerHeaders, demoStore, scratch, serve } from "../store.js";

const jobs = 2000;

export async function* olderLayout() {
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
  if (left.get() !== before.length) throw new Error("The server rewrote the jobs during the measurement.");
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
  yield {
    question: "pages of 100 rewritten jobs, against another layout",
    figure: anew,
    floor: older,
    note: `after ${seconds.toFixed(0)} s`,
  };
}
