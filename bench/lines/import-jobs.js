// Measures an import of 10,000 jobs with all checks, events, and audit entries, against raw inserts of the same rows
// in one transaction.
import { copyFileSync, writeFileSync } from "node:fs";
import { jobBodies } from "../job-bodies.js";
import { end } from "../measure.js";
import { lastIds, rawCommits } from "../raw-commits.js";
import { callerHeaders, plainStore, scratch, serve } from "../store.js";
import { timeRun } from "./start-up.js";

const count = 10_000;

export async function* importJobs() {
  const store = plainStore(2000);
  const data = scratch("import-jobs.db");
  copyFileSync(store.data, data);
  const server = await serve(store.data, ["--no-deliver"]);
  const toBody = await jobBodies(
    `${server.ready.url}/locations/${store.location_id}/jobs`,
    callerHeaders(store),
  );
  await end(server.child);
  const rows = Array.from({ length: count }, (_, index) => ({
    ...JSON.parse(toBody(`Row ${index}`)),
    reference_number: `R-${index}`,
  }));
  const columns = Object.keys(rows[0]);
  const file = scratch("jobs.csv");
  writeFileSync(
    file,
    [columns, ...rows.map((row) => columns.map((name) => row[name]))].map((row) => row.join(",")).join("\n"),
  );
  const before = lastIds(data);
  const target = [
    "--data",
    data,
    "--tenant",
    String(store.tenant_id),
    "--location",
    String(store.location_id),
  ];
  const { seconds } = await timeRun(["import", "jobs", file, "--yes", ...target]);
  const made = lastIds(data).jobs - before.jobs;
  if (made !== count) throw new Error(`${made} jobs were imported.`);
  const floor = rawCommits(data, before, { inOne: true });
  yield {
    question: "import of 10,000 jobs, against raw inserts in one transaction",
    figure: count / seconds,
    floor,
    aim: 0.03,
  };
}
