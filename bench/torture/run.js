// Runs the torture test and prints one table. Exits with 0 only if every check passed. `--only <part>` selects parts
// (`--only kills:import` one scenario), `--minutes <n>` limits each part and sets the duration of the soak,
// `--postgres` adds a database, `--seed <n>` and `--round <n>` repeat a failure, `--short` does a little of
// everything.
import { parseArgs } from "node:util";
import { startPostgres } from "../postgres.js";
import { parts } from "./parts.js";
import { showEnd, showHead, showRows } from "./table.js";

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    minutes: { type: "string" },
    only: { type: "string", multiple: true, default: [] },
    postgres: { type: "boolean", default: false },
    requests: { type: "string" },
    round: { type: "string" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    short: { type: "boolean", default: false },
  },
});
const [minutes, requests, round, seed] = ["minutes", "requests", "round", "seed"].map(toNumber);
const chosen = values.only.length === 0 ? Object.keys(parts) : values.only.map((text) => text.split(":")[0]);
for (const name of chosen)
  if (!parts[name]) throw new Error(`--only takes one of ${Object.keys(parts).join(", ")}.`);

const postgres = values.postgres ? await startPostgres() : null;
const rows = [];
try {
  console.error(`seed ${seed}`);
  if (!values.json) showHead();
  for (const name of new Set(chosen)) {
    const result = await parts[name]({
      databases: toDatabases(),
      count: requests,
      isShort: values.short,
      minutes,
      only: values.only.find((text) => text.startsWith(`${name}:`))?.split(":")[1],
      round,
      seed,
      until: minutes === undefined ? Infinity : performance.now() + minutes * 60_000,
    }).catch((error) => toBroken(name, error));
    rows.push(...result.rows);
    if (!values.json) showRows(result.rows);
    for (const wrong of result.wrongs.slice(0, 30)) console.error(`${name}: ${wrong}`);
    if (result.wrongs.length > 0) process.exitCode = 1;
  }
} finally {
  await postgres?.remove();
}
if (values.json) console.log(JSON.stringify(rows));
else showEnd(rows, seed);

/** Returns the databases to test on. `toAddress` returns the address of a new, empty store. */
function toDatabases() {
  const file = { name: "SQLite", isFile: true, toAddress: async (path) => path };
  if (!postgres) return [file];
  const database = {
    name: "PostgreSQL",
    isFile: false,
    toAddress: () => postgres.addDatabase(),
    drop: (address) => postgres.removeDatabase(address),
  };
  return [file, database];
}

/** Reports a part that throws as failed. The other parts do not depend on it. */
function toBroken(part, error) {
  const text = String(error?.stack ?? error);
  return { rows: [{ part, what: "broke off", figure: text.split("\n")[0], wrong: 1 }], wrongs: [text] };
}

function toNumber(name) {
  if (values[name] === undefined) return undefined;
  const number = Number(values[name]);
  if (!(number >= 0)) throw new Error(`--${name} takes a number.`);
  return number;
}
