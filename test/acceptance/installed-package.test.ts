import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { arch, platform, userInfo } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { build } from "rolldown";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { loadBuiltIn } from "../../src/store/sqlite/built-in-driver.ts";
import type { TestDatabase } from "../support/databases.ts";
import { createEmptyDatabase } from "../support/postgres-database.ts";
import { type ProgramSetting, runProgram, serveStore, toEnv } from "../support/program.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const run = promisify(execFile);
const project = fileURLToPath(new URL("../..", import.meta.url));
const folder = useTempFolder();
const place = (...names: string[]) => join(folder, ...names);
/** Downloads may be slow. */
const installMsMax = 300_000;
const making = ["--tenant", "Acme", "--location", "Yard"];

/** The packages of the folder where npm installed the program, without and with better-sqlite3. */
const bare = place("bare/node_modules");
const whole = place("whole/node_modules");
/** The folder of npm's global packages. */
const global = place("global/lib/node_modules");
const programOf = (packages: string) => join(packages, "dispatch-cli/bin/dispatch-cli.js");

type Command = NonNullable<ProgramSetting["command"]>;

const ownMajor = Number.parseInt(process.versions.node, 10);
/** This Node, and the ones that npm can install. Those use their own SQLite. */
const majors = [...new Set([ownMajor, 22, 24])];
const commands = new Map<number, Command>([[ownMajor, [process.execPath, programOf(whole)]]]);

beforeAll(async () => {
  const packing = ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder];
  const { stdout } = await npm(project, packing);
  const tarball = place(stdout.trim());
  await Promise.all([
    install("bare", "--omit=optional", tarball),
    install("tools", "esbuild@0.28.0"),
    addNodes(),
    install("runtimes", "bun@1", "deno@2").catch(() => undefined),
  ]);
  cpSync(place("bare"), place("whole"), { recursive: true });
  addSqlite(whole);
  // The layout of `npm install --global`: the dependencies are inside the package.
  const program = join(global, "dispatch-cli");
  cpSync(join(bare, "dispatch-cli"), program, { recursive: true });
  cpSync(bare, join(program, "node_modules"), { recursive: true });
}, installMsMax);

describe.each(majors)("the package that npm installed, on Node %i", (major) => {
  let command: Command;
  beforeEach((context) => {
    const known = commands.get(major);
    if (known) command = known;
    else context.skip(`npm gives no Node ${major} here.`);
  });
  const tell = async (...words: string[]) => {
    const { code, stderr, stdout } = await runProgram(words, { command });
    expect([code, stderr]).toEqual([0, expect.not.stringMatching(/error|warning/i)]);
    return stdout;
  };

  // Other versions of Node differ only in the SQLite driver.
  const isOther = major !== ownMajor;

  it.skipIf(isOther)("prints its version, its manual, and a completion", async () => {
    const { version } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
    expect((await tell("--version")).trim()).toBe(version);
    expect(await tell("man")).toMatch(/^\.TH /m);
    expect(await tell("completion", "bash")).toContain("complete -F");
  });

  it("fills a store with the demo, and serves its metrics, documents, and pages", async () => {
    const data = place(`demo-${major}.db`);
    await tell("demo", "--data", data, "--jobs", "50");
    const { end, url } = await serveStore(data, [], { command });
    const texts = new Map<string, string>();
    // Request the metrics last, because they count the requests before.
    for (const path of [
      "/docs",
      "/openapi.json",
      "/start",
      "/board",
      "/inspect",
      "/llms.txt",
      "/readyz",
      "/metrics",
    ]) {
      const answer = await fetch(url + path);
      expect([path, answer.status]).toEqual([path, 200]);
      texts.set(path, await answer.text());
    }
    expect(texts.get("/metrics")).toContain(
      'dispatch_http_requests_total{operation="readyz",status="200"} 1',
    );
    expect(texts.get("/docs")).toContain("<h1");
    const [, script = ""] = /<script[^>]* src="([^"]+)"/.exec(texts.get("/board") ?? "") ?? [];
    expect((await fetch(new URL(script, `${url}/board`))).status).toBe(200);
    expect(await end()).toBe(0);
  });

  it("backs up and restores a store", async () => {
    const stores: Record<string, string> = { file: place(`made-${major}.db`) };
    if (!isOther) {
      const database = createEmptyDatabase();
      onTestFinished(() => database.remove());
      stores.postgres = database.data;
    }
    for (const [kind, data] of Object.entries(stores)) {
      await tell("init", "--data", data, ...making);
      const [packed, restored] = [place(`${kind}-${major}.gz`), place(`${kind}-${major}.db`)];
      await tell("backup", packed, "--data", data);
      await tell("restore", packed, "--data", restored);
      expect(await tell("trucks", "list", "--data", restored, "-o", "json")).toContain('"total_count":0');
    }
  });

  it.skipIf(isOther)("offers its operations over MCP", async () => {
    const data = place(`mcp-${major}.db`);
    await tell("init", "--data", data, ...making);
    const client = new Client({ name: "a test", version: "1" });
    const [node, program] = command;
    const env = toEnv({ DISPATCH_DATA: data });
    await client.connect(new StdioClientTransport({ command: node, args: [program, "mcp"], env }));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("jobs_list");
    await client.close();
  });

  it("works as a library for ES modules and CommonJS", async () => {
    const [node, program] = command;
    const home = join(program, "../../../..");
    expect(await useLibrary(home, (file) => [node, file])).toEqual(["Told", "Told"]);
  });
});

describe.each([
  ["bun", []],
  ["deno", ["run", "--allow-all"]],
])("the package that npm installed, in %s", (runtime, argv) => {
  it("works as a library for ES modules and CommonJS", async (context) => {
    const program = place("runtimes/node_modules/.bin", runtime);
    await run(program, ["--version"]).catch(() => context.skip(`npm gives no ${runtime} here.`));
    expect(await useLibrary(place("whole"), (file) => [program, ...argv, file])).toEqual(["Told", "Told"]);
  });
});

describe.skipIf(loadBuiltIn() !== undefined)("the package that npm installed without SQLite", () => {
  let database: TestDatabase;
  beforeAll(() => {
    database = createEmptyDatabase();
  });
  afterAll(() => database.remove());

  it("serves PostgreSQL", async () => {
    const command: Command = [process.execPath, programOf(global)];
    const env = { DISPATCH_DATA: database.data };
    expect(await runProgram(["init", ...making], { command, env })).toMatchObject({ code: 0 });
    const { end, url } = await serveStore(database.data, [], { command });
    const answers = await Promise.all(["/metrics", "/readyz"].map((path) => fetch(url + path)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await end()).toBe(0);
  });

  it.each([
    ["a folder", bare],
    ["npm's folder of global packages", global],
  ])("in %s: a backup of PostgreSQL names the command that installs what it needs", async (_, packages) => {
    const command: Command = [process.execPath, programOf(packages)];
    const env = { DISPATCH_DATA: database.data };
    const backup = () => runProgram(["backup", join(packages, "store.gz")], { command, env });
    const refused = await backup();
    expect([refused.code, refused.stderr]).toEqual([8, expect.stringContaining("is not installed")]);
    const [, fix = ""] = /Run `([^`]+)`/.exec(refused.stderr) ?? [];
    // Compiling takes minutes, so the test copies the compiled module.
    await run("sh", ["-c", fix], { env: { ...npmEnv, npm_config_ignore_scripts: "true" } });
    expect((await backup()).stderr).toContain("has no compiled part");
    addSqlite(packages);
    expect(await backup()).toMatchObject({ code: 0 });
  });
});

describe("a program that receives deliveries, bundled without settings", () => {
  const source = () => {
    writeFileSync(place("bare/receive.mjs"), receiver);
    return place("bare/receive.mjs");
  };
  const esbuild = (file: string, ...others: string[]) =>
    run(place("tools/node_modules/.bin/esbuild"), [
      ...[source(), "--bundle", "--platform=node", `--outfile=${file}`, ...others],
    ]);
  const rolldown = (file: string, format: "cjs" | "esm") =>
    build({ input: source(), platform: "node", logLevel: "silent", output: { file, format } });

  it.each([
    ["esbuild, as CommonJS", "esbuild.cjs", (file: string) => esbuild(file)],
    ["esbuild, as a module", "esbuild.mjs", (file: string) => esbuild(file, "--format=esm")],
    ["rolldown, as CommonJS", "rolldown.cjs", (file: string) => rolldown(file, "cjs")],
    ["rolldown, as a module", "rolldown.mjs", (file: string) => rolldown(file, "esm")],
  ])("by %s: has 100 KB at most, and runs where nothing is installed", async (_, name, bundle) => {
    mkdirSync(place("alone"), { recursive: true });
    const file = place("alone", name);
    await bundle(file);
    expect(statSync(file).size).toBeLessThan(100_000);
    const { stdout } = await run(process.execPath, [file], { env: toEnv() });
    expect(stdout.trim()).toBe("missing_header");
  });
});

const quietly = ["--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];

/** Use npm's cache in the user's home folder, because the tests' own home is empty. */
const npmEnv = { npm_config_cache: join(userInfo().homedir, ".npm"), ...process.env };

const npm = (cwd: string, words: readonly string[]) => run("npm", words, { cwd, env: npmEnv });

function install(name: string, ...words: string[]) {
  mkdirSync(place(name));
  // Without a package.json here, npm would install into a folder above.
  writeFileSync(place(name, "package.json"), '{ "private": true }');
  return npm(place(name), ["install", ...quietly, "--omit=dev", "--prefix", place(name), ...words]);
}

/** Lets npm install the other versions of Node, if it can: the packages that `node` on npm would download in turn. */
async function addNodes(): Promise<void> {
  const others = majors.filter((major) => major !== ownMajor);
  const name = `${platform() === "darwin" && arch() === "arm64" ? "node-bin" : "node"}-${platform()}-${arch()}`;
  const words = others.map((major) => `node-${major}@npm:${name}@${major}`);
  await install("nodes", ...words).catch(() => undefined);
  for (const major of others) {
    const node = place("nodes/node_modules", `node-${major}`, "bin/node");
    if (existsSync(node)) commands.set(major, [node, programOf(bare)]);
  }
}

/** Copies better-sqlite3 with its compiled module from the checkout. */
function addSqlite(packages: string): void {
  for (const part of ["package.json", "build/Release/better_sqlite3.node"]) {
    const [from, to] = [
      join(project, "node_modules/better-sqlite3", part),
      join(packages, "better-sqlite3", part),
    ];
    cpSync(from, to, { recursive: true });
  }
}

/** Runs the library as both kinds of module, and returns what they print. */
async function useLibrary(home: string, toCommand: (file: string) => [string, ...string[]]) {
  const imports = {
    "use.mjs": 'import * as library from "dispatch-cli";',
    "use.cjs": 'const library = require("dispatch-cli");',
  };
  const told = Object.entries(imports).map(async ([name, line]) => {
    writeFileSync(join(home, name), `${line}\n${libraryUser}`);
    const [program, ...argv] = toCommand(join(home, name));
    return (await run(program, argv, { env: toEnv() })).stdout.trim();
  });
  return Promise.all(told);
}

const libraryUser = `
(async () => {
  const server = await library.startTestServer();
  const params = { location_id: server.locationId };
  const client = library.createClient({ url: server.url, token: server.token, tenant: server.tenantId });
  await client.trucks.create({ params, body: { name: "Told" } });
  const { body, headers } = await server.events.next({ type: "Truck" });
  console.log(library.verifyWebhook({ headers, body, secret: server.events.secret }).data.name);
  await server.close();
})();
`;

const receiver = `
import { verifyWebhook, WebhookVerificationError } from "dispatch-cli";
const secret = Buffer.from("thirty-two bytes of a key, or so").toString("base64");
try {
  verifyWebhook({ headers: {}, body: "{}", secret });
} catch (error) {
  console.log(error instanceof WebhookVerificationError ? error.reason : error);
}
`;
