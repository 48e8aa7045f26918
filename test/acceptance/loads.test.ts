import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { helpTopics } from "../../src/cli/help/topics.ts";
import { loadWholeTree, runCommand } from "../support/command-line.ts";
import { seedStore } from "../support/seed-store.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const data = join(folder, "store.db");
const env = { DISPATCH_DATA: data, DISPATCH_CONFIG: join(folder, "config") };
const lookOut = fileURLToPath(new URL("../support/loads-look-out.js", import.meta.url));

/** Packages that are slow to load: a command loads only those that it uses. */
const heavy = [
  "@modelcontextprotocol/server",
  "better-sqlite3",
  "find-my-way",
  "fontkit",
  "@inquirer/core",
  "kysely",
  "luxon",
  "negotiator",
  "pdfkit",
  "pg",
  "undici",
  "yaml",
];

interface Look {
  argv: string[];
  builtins: string[];
  code: number;
  files: string[];
  schemas: number;
}

type Loaded = Look & { packages: string[] };

const built: Readonly<Record<string, { bundled: string[] }>> = JSON.parse(
  readFileSync(new URL("../../dist/packages.json", import.meta.url), "utf8"),
);

let files = 0;

/** Runs command lines of the built program in one process; returns the heavy packages that each line loaded first. */
async function loadsOf(
  lines: readonly (readonly string[])[],
  others: Record<string, string> = {},
): Promise<Loaded[]> {
  files += 1;
  const file = join(folder, `loads-${files}.jsonl`);
  const { PATH = "" } = process.env;
  await promisify(execFile)(process.execPath, [lookOut, file, JSON.stringify(lines)], {
    env: { PATH, ...env, ...others },
    maxBuffer: 64 * 1024 * 1024,
  });
  const records = readFileSync(file, "utf8").trimEnd().split("\n");
  return records.map((text) => {
    const look = JSON.parse(text) as Look;
    const packages = new Set(look.files.flatMap(packagesOf));
    return { ...look, packages: heavy.filter((name) => packages.has(name)) };
  });
}

function packagesOf(path: string): string[] {
  const named = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
  if (named) return [named];
  const chunk = /\/dist\/(.*)$/.exec(path)?.[1];
  return (chunk === undefined ? undefined : built[chunk])?.bundled ?? [];
}

beforeAll(async () => {
  await seedStore((words, input = "") => runCommand(words, { env, input }));
  await runCommand(["profiles", "add", "own", "--data", data], { env });
});

describe("the build", () => {
  it("loads no heavy package for any help text or for commands without a store", async () => {
    const tree = await loadWholeTree();
    const paths = tree.commands.flatMap((noun) =>
      noun.commands.length === 0 ? [[noun.name()]] : noun.commands.map((verb) => [noun.name(), verb.name()]),
    );
    const lines = [
      ["--help"],
      ...paths.map((path) => [...path, "--help"]),
      // `help times` computes each example.
      ...Object.keys(helpTopics)
        .filter((topic) => topic !== "times")
        .map((topic) => ["help", topic]),
      ["completion", "bash"],
      ["explain"],
      ["versions"],
      ["profiles", "list"],
    ];
    const loaded = await loadsOf(lines);
    expect(loaded.map(({ code }) => code)).toEqual(lines.map(() => 0));
    const told = loaded.map(({ argv, packages }) => ({ argv, packages }));
    expect(told.filter(({ packages }) => packages.length > 0)).toEqual([]);
  });

  it("makes no schema for the help of a command", async () => {
    const loaded = await loadsOf([["jobs", "create", "--help"]]);
    expect(loaded.map(({ schemas }) => schemas)).toEqual([0]);
  });

  it.each(["jobs get 1 --location 1", "api GET /locations"])(
    "loads for `%s` one file of packages",
    async (line) => {
      const [loaded] = await loadsOf([line.split(" ")]);
      expect(loaded?.code).toBe(0);
      const outside = loaded?.files.filter((path) => path.includes("/node_modules/"));
      expect(outside).toEqual([expect.stringMatching(/\/better_sqlite3\.node$/)]);
    },
  );

  it("loads no network or process module of Node for a command on a store", async () => {
    const [loaded] = await loadsOf([["jobs", "get", "1", "--location", "1"]]);
    const dear = /^NativeModule (?:child_process|dgram|http|https|tls|worker_threads|zlib|inspector)$/;
    expect(loaded?.builtins.filter((name) => dear.test(name))).toEqual([]);
  });

  it.each([
    // The schemas of the list of locations: ids, names, and zones.
    ["whoami", 25],
    // The same, and the schemas of its own parameters.
    ["jobs get 1 --location 1", 40],
    ["jobs list --page-limit 20", 112],
  ])("makes for `%s` at most %i schemas", async (line, max) => {
    const [loaded] = await loadsOf([line.split(" ")]);
    expect(loaded?.code).toBe(0);
    expect(loaded?.schemas).toBeLessThanOrEqual(max);
  });

  // A command on a store builds answers as the server does, so it loads negotiator for the Accept header.
  const store = ["better-sqlite3", "kysely", "negotiator"];

  it.each([
    ["jobs list", store],
    ["jobs list -o json", store],
    ["jobs list --profile own", store],
    ["jobs list -o yaml", [...store, "yaml"]],
    ["jobs get 1 --location 1 --fields id", store],
    ["openapi", []],
    ["profiles add other --url http://127.0.0.1:1", []],
    ["versions diff 2019/02/08 2023/04/19", []],
  ])("loads for `%s` only %j", async (line, packages) => {
    const [loaded] = await loadsOf([line.split(" ")]);
    expect(loaded).toMatchObject({ code: 0, packages });
  });

  it("loads the HTTP client but no store for a command on a server", async () => {
    const others = { DISPATCH_DATA: "", DISPATCH_URL: "http://127.0.0.1:1", DISPATCH_TOKEN: "dispatch.1.x" };
    const [loaded] = await loadsOf([["jobs", "list"]], others);
    expect(loaded).toMatchObject({ code: 8, packages: ["undici"] });
  });
});
