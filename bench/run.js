// Prints one table: each question with its figure, the floor of the same run, their ratio, and the aim.
// `--only <text>` selects lines by name, `--jobs <n>` sizes the large store, `--json <file>` saves the
// figures, `--compare <file>` shows changes, `--postgres` also measures a database.
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { lines } from "./lines/index.js";
import { showComparison, showHead, showLine } from "./report.js";

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: [] },
    rows: { type: "string", default: "100000" },
    jobs: { type: "string", default: "1000000" },
    json: { type: "string" },
    compare: { type: "string" },
    postgres: { type: "boolean", default: false },
    seconds: { type: "string", default: "3" },
  },
});
const options = { jobs: Number(values.jobs), rows: Number(values.rows), seconds: Number(values.seconds) };
if (!(options.jobs >= 1000)) throw new Error("--jobs takes a number from 1000.");

const chosen = lines
  .filter(({ needsPostgres = false }) => values.postgres || !needsPostgres)
  .filter(({ name }) => values.only.length === 0 || values.only.some((text) => name.includes(text)));
const results = [];
const report = {
  node: process.version,
  cpu: cpus()[0]?.model ?? "",
  measured_on: new Date().toISOString(),
  results,
};
showHead(process.version, cpus());
for (const { name, measure } of chosen) {
  try {
    for await (const result of measure(options)) {
      results.push(result);
      showLine(result);
    }
  } catch (error) {
    // The other lines do not depend on this one. The run exits with 1.
    console.error(`${name}: not measured.`, error);
    process.exitCode = 1;
  }
  // Write the report after each line, so that an interrupted run keeps its results.
  if (values.json) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
}
if (values.compare) showComparison(JSON.parse(readFileSync(values.compare, "utf8")).results, results);
