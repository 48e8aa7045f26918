// Measures an export of all jobs as NDJSON, from a store and through a server, against reading the rows and writing
// their bytes.

import { once } from "node:events";
import { createWriteStream, statSync } from "node:fs";
import SqliteDatabase from "better-sqlite3";
import { largeStore } from "../large-store.js";
import { end } from "../measure.js";
import { callerHeaders, scratch, serve } from "../store.js";
import { timeRun } from "./start-up.js";

const peakMax = 120;

export async function* exportJobs({ jobs }) {
  const store = largeStore(jobs);
  const tenant = String(store.tenant_id);
  const file = scratch("export.ndjson");
  const floor = await bareRate(store.data, scratch("bare.ndjson"), store.tenant_id);
  const { authorization } = callerHeaders(store);
  const sources = [
    ["from a store", () => ({ DISPATCH_DATA: store.data, DISPATCH_TENANT: tenant })],
    [
      "through a server",
      (url) => ({
        DISPATCH_URL: url,
        DISPATCH_TOKEN: authorization.replace("Bearer ", ""),
        DISPATCH_TENANT: tenant,
      }),
    ],
  ];
  for (const [name, toEnv] of sources) {
    const server = await serve(store.data);
    const { seconds, peak } = await timeRun(
      ["export", "jobs", "--out", file, "--yes"],
      toEnv(server.ready.url),
    );
    await end(server.child);
    const words = `${jobs.toLocaleString("en")} jobs as ndjson, ${name}`;
    const note = `${(statSync(file).size / 1e6).toFixed(0)} MB`;
    yield { question: `export of ${words}`, figure: jobs / seconds, floor, aim: 0.4, note };
    yield {
      question: `export of ${words}: peak memory`,
      figure: peak,
      floor: peakMax,
      unit: "MiB",
      aim: 1,
      isAtMost: true,
    };
  }
}

/** Returns the jobs a second when the rows are read and written unchanged, to a file of about the same size. */
async function bareRate(data, file, tenantId) {
  const db = new SqliteDatabase(data, { readonly: true });
  const rows = db.prepare(
    `select j.record, c.name from jobs j join customers c on c.id = j.customer_id where j.tenant_id = ? order by j.id`,
  );
  const out = createWriteStream(file);
  const padding = "x".repeat(1800);
  const startedAt = performance.now();
  let count = 0;
  for (const row of rows.iterate(tenantId)) {
    count++;
    if (!out.write(`${row.record}${row.name}${padding}\n`)) await once(out, "drain");
  }
  out.end();
  await once(out, "finish");
  db.close();
  return count / ((performance.now() - startedAt) / 1000);
}
