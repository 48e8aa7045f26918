// What jobs in another layout cost: pages of them, against the same pages when the server has written them anew.
import { setTimeout as wait } from "node:timers/promises";
import SqliteDatabase from "better-sqlite3";
import { load } from "../load.js";
import { end } from "../measure.js";
import { callerHeaders, demoStore, scratch, serve } from "../store.js";

const jobs = 2000;
/** A server begins to write them anew ten seconds after its start. */
const secondsMax = 4;

export async function* olderLayout({ seconds }) {
  const store = demoStore(jobs);
  const headers = { ...callerHeaders(store), "x-api-version": "2023/04/19" };
  const data = scratch("older-layout.db");
  const source = new SqliteDatabase(store.data, { readonly: true });
  source.prepare("vacuum into ?").run(data);
  source.close();
  const db = new SqliteDatabase(data);
  const read = () => JSON.stringify(db.prepare("select id, record from jobs order by id").all());
  const before = read();
  db.prepare("update jobs set record = 'older' || substr(record, instr(record, char(31)))").run();
  const countLeft = () => db.prepare("select count(*) from jobs where record like 'older%'").pluck().get();

  const server = await serve(data);
  const pages = Array.from({ length: jobs / 100 }, (_, index) => index + 1);
  const requests = pages.map((page) => ({ path: `/jobs?page_limit=100&page_index=${page}`, headers }));
  const asked = { url: server.ready.url, requests };
  const older = await load({ ...asked, seconds: Math.min(seconds, secondsMax) });
  if (countLeft() !== jobs) throw new Error("The jobs were written anew while they were measured.");
  const startedAt = performance.now();
  while (countLeft() > 0) await wait(100);
  const writtenAfter = Math.round((performance.now() - startedAt) / 1000);
  await wait(1000);
  const anew = await load({ ...asked, seconds });
  await end(server.child);
  if (read() !== before) throw new Error("The jobs were not written as they were.");
  db.close();
  yield {
    question: `pages of jobs in another layout, against written anew ${writtenAfter} s later`,
    figure: older.perSecond,
    floor: anew.perSecond,
  };
}
