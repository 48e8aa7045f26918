import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DemoStore, makeDemoStore } from "../demo/demo-store.ts";
import { commandLeaves, toCommandLine } from "../support/command-leaves.ts";
import { runCommand } from "../support/command-line.ts";
import { sqlite } from "../support/databases.ts";
import { useTempFolder } from "../support/temp-folder.ts";

/** Sets the terminal's title, clears the screen, reverses the direction, and fakes a line of the program. */
const hostile = "PWNED\u001b]0;title\u0007\u001b[2J\u009b31m\u202e\r\nerror: all is lost\u0000";

/** The effects that the text must not have: control characters, and lines that start with it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for them.
const acts = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]|^error: all/m;

const texts =
  /^(?:account_number_1|address|city|code|company_name|contact_name|description|device_name|email|group_description|line_\d|locality|material_name|message|name|notes?|number|phone\w*|postcode|reference_number|region|sales_rep|text|type|username|zip|\w+_name|\w+_notes?)$/;
/** The program itself writes the texts of these tables. */
const ownWords = new Set(["meta", "table_revisions", "sqlite_sequence"]);

const folder = useTempFolder();
let demo: DemoStore;
let env: Record<string, string>;

beforeAll(async () => {
  demo = await makeDemoStore(sqlite, { jobs: 40 });
  env = { DISPATCH_CONFIG: folder, DISPATCH_DATA: demo.database.data, DISPATCH_TENANT: "1", NO_COLOR: "1" };
  await demo.service.store.close();
  spoil(demo.database.data);
});
afterAll(() => demo.close());

/** Puts the hostile text into every text column and JSON text. */
function spoil(file: string): void {
  const database = new Sqlite(file);
  database.function("spoil", { deterministic: true }, (column, value) =>
    typeof value === "string" ? spoilText(String(column), value) : value,
  );
  const columns = database
    .prepare<[], { table: string; name: string }>(
      `select m.name as "table", c.name from sqlite_master m, pragma_table_info(m.name) c
       where m.type = 'table' and c.type = 'TEXT'`,
    )
    .all();
  for (const { table, name } of columns.filter(({ table }) => !ownWords.has(table)))
    database.exec(`update ${table} set ${name} = spoil('${name}', ${name})`);
  database.close();
}

function spoilText(column: string, value: string): string {
  const inJson = JSON.stringify(hostile).slice(1, -1);
  if (/^(?:[{[]|[0-9a-f]{8}")/.test(value))
    return value.replace(/"(\w+)":"/g, (start, name: string) => (texts.test(name) ? start + inJson : start));
  return texts.test(column) ? `${hostile}${value}` : value;
}

describe("a store whose every name is hostile", () => {
  let seen = 0;

  // All commands share one writer per form, so each command tries one form in turn.
  const turns = commandLeaves.map(
    ([words, command], at) => [words, command, ["json", "csv", "yaml"][at % 3] ?? ""] as const,
  );

  it.each(turns)("controls no terminal: %s", async (words, command, turn) => {
    const takesForms = command.options.some(({ long }) => long === "--raw-csv");
    const forms = takesForms ? [[], ["-o", turn]] : [[]];
    for (const form of words.startsWith("export") ? [[]] : forms) {
      const argv = [...toCommandLine(words, command, folder), ...form];
      const { stdout, stderr } = await runCommand(argv, { columns: 100, env });
      // The line ends of CSV.
      const shown = form.includes("csv") ? stdout.replaceAll("\r\n", "\n") : stdout;
      expect([argv.join(" "), acts.exec(shown)?.[0] ?? null]).toEqual([argv.join(" "), null]);
      // The progress line clears itself.
      const told = stderr.replaceAll("\r\u001b[K", "");
      expect([argv.join(" "), acts.exec(told)?.[0] ?? null]).toEqual([argv.join(" "), null]);
      if ((stdout + stderr).includes("PWNED")) seen += 1;
    }
  });

  it("appears in many outputs", () => {
    expect(seen).toBeGreaterThan(60);
  });
});
