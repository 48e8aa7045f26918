import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { widthOf } from "../../src/cli/output/fit-text.ts";
import { type DemoStore, makeDemoStore } from "../demo/demo-store.ts";
import { runCommand } from "../support/command-line.ts";
import { sqlite } from "../support/databases.ts";

let demo: DemoStore;
let env: Record<string, string>;
let firstJob = "";

// The demo runs on a fixed clock, so each run has the same records.
beforeAll(async () => {
  demo = await makeDemoStore(sqlite, { jobs: 60 });
  env = { DISPATCH_DATA: demo.database.data, DISPATCH_TENANT: "1", NO_COLOR: "1" };
  const names = ["株式会社 山田工務店 東京支店", "Łódź Żwir & Piach – Ω", "مقاولات النيل"];
  for (const [index, name] of names.entries()) {
    const body = { name, addresses: [], contacts: [], reference_number: `wide ${index}` };
    const words = ["customers", "create", "--location", "1", "--body", "-"];
    await runCommand(words, { env, input: JSON.stringify(body) });
  }
  const listed = await runCommand(["jobs", "list", "--location", "1", "-q"], { env });
  [firstJob = ""] = listed.stdout.split("\n");
});
afterAll(() => demo.close());

const commands = [
  "jobs list --page-limit 8",
  "customers list --page-limit 5",
  "customers list --name *Ω --fields id,name,contact",
  "customers list --name 株* --fields id,name,contact",
  "trucks list --location 1 --page-limit 3",
  "addresses list --customer 3",
  "assets get 1",
  "jobs get FIRST --location 1",
  "customers get 3",
  "jobs get 99999 --location 1",
  "jobs list --page-limit 0 --schedule-gte 40/40 --completed perhaps",
  "jobs lst",
  "trucks list --help",
];

it("a terminal of unknown size counts as 80 columns and 24 rows", async () => {
  const words = ["trucks", "list", "--location", "1", "--page-limit", "5"];
  const usual = await runCommand(words, { env, columns: 80, rows: 24 });
  expect(await runCommand(words, { env, columns: 0, rows: 0 })).toEqual(usual);
});

const toArgv = (words: string) => words.replace("FIRST", firstJob).split(" ");

it("use the colors of the terminal theme, light or dark, and are readable without colors", async () => {
  // Allow bold, faint, inverse, and only colors that no theme uses for its background.
  const themed = /^(?:0|1|2|7|22|27|31|32|33|36|39)$/;
  for (const words of commands) {
    const plain = await runCommand(toArgv(words), { env, columns: 100 });
    const colored = await runCommand(toArgv(words), { env: { ...env, NO_COLOR: "" }, columns: 100 });
    const shown = colored.stdout + colored.stderr;
    const codes = [...shown.matchAll(sgr)].flatMap(([, code = ""]) => code.split(";"));
    expect(
      codes.filter((code) => !themed.test(code)),
      words,
    ).toEqual([]);
    expect(shown.replace(sgr, ""), words).toBe(plain.stdout + plain.stderr);
  }
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: color sequences start with a control character.
const sgr = /\u001b\[([\d;]*)m/g;

describe.each([60, 80, 160])("a terminal of %i columns", (columns) => {
  // Help folds its lines by other rules.
  const shown = commands.filter((words) => columns >= 80 || !words.endsWith("--help"));
  it.each(shown)("shows: %s", async (words) => {
    const { code, stdout, stderr } = await runCommand(toArgv(words), { env, columns });
    expect(`${stdout}--- stderr, exit code ${code}\n${stderr}`).toMatchSnapshot();
    for (const line of stdout.split("\n")) expect(widthOf(line), line).toBeLessThanOrEqual(columns);
  });
});

describe("the states of jobs", () => {
  it("have colors, and always words", async () => {
    const colored = await runCommand(["jobs", "list", "--all-states", "--page-limit", "60"], {
      env: { ...env, NO_COLOR: "" },
      columns: 160,
    });
    expect(colored.stdout).toContain("\u001b[32mcompleted\u001b[39m");
    const plain = await runCommand(["jobs", "list", "--all-states", "--page-limit", "60"], {
      env,
      columns: 160,
    });
    expect(plain.stdout).toContain("completed");
    expect(plain.stdout).not.toContain("\u001b");
  });
});
