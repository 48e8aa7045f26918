import { execFile } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import { isBuiltin } from "node:module";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import type { FastifyInstance } from "fastify";
import { publint } from "publint";
import { build } from "rolldown";
import { parseSync, Visitor } from "rolldown/utils";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/runtime/clock.ts";
import { toHookRequest, toUnregisteredTarget } from "../../src/webhooks/hook-request.ts";
import { useBrowser } from "../support/browser.ts";
import { describeFixtureOverHttp, type Fixture } from "../support/fixture.ts";
import { openQuietServer } from "../support/quiet-server.ts";
import { useTempFolder } from "../support/temp-folder.ts";
import { testStart } from "../support/test-clock.ts";

const run = promisify(execFile);
const project = fileURLToPath(new URL("../..", import.meta.url));
const folder = useTempFolder();
const browser = useBrowser();

/** The packed package, and the folder where it is installed beside the project's packages. */
let tarball = "";
const consumer = join(folder, "consumer");
const installed = join(consumer, "node_modules/dispatch-cli");

beforeAll(async () => {
  const packed = await run("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder], {
    cwd: project,
  });
  tarball = join(folder, packed.stdout.trim());
  mkdirSync(installed, { recursive: true });
  await run("tar", ["xzf", tarball, "-C", installed, "--strip", "1"]);
  for (const name of readdirSync(join(project, "node_modules")))
    if (!name.startsWith("."))
      symlinkSync(join(project, "node_modules", name), join(consumer, "node_modules", name));
  writeFileSync(join(consumer, "package.json"), '{ "name": "consumer", "type": "module" }');
});

describe("the package", () => {
  it("has 1.6 MB at most: no source maps, nothing with a date, nothing for contributors", () => {
    const files = readdirSync(installed, { recursive: true, encoding: "utf8" });
    expect(statSync(tarball).size).toBeLessThan(1_600_000);
    const parts = new Set(files.map((file) => file.split("/")[0] ?? ""));
    expect([...parts].toSorted()).toEqual([
      ...["LICENSE", "README.md", "SECURITY.md", "bin", "deploy", "dist", "docs", "examples"],
      ...["llms.txt", "package.json"],
    ]);
    expect(files.filter((file) => /\.map$|demo-.*\.br$|packages\.json$/.test(file))).toEqual([]);
  });

  it("has no script that npm would ask about at its install", () => {
    const { scripts } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    expect(Object.keys(scripts)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(?:(?:pre|post)?install|prepare)$/)]),
    );
  });

  it("declares every package that its files load, and no other", () => {
    const { dependencies, optionalDependencies, peerDependenciesMeta } = read("package.json");
    // The build renames a `require` that code creates with `createRequire`.
    const resolved = sourceTexts().flatMap((text) =>
      [...text.matchAll(/\brequire(?:\.resolve)?\(["`]([\w@][\w@:-]*)/g)].map(([, name = ""]) => name),
    );
    const loaded = new Set([...loadedPackages().keys(), ...resolved.filter(isOutside)]);
    // The package imports itself by name too.
    loaded.delete("dispatch-cli");
    const declared = [dependencies, optionalDependencies, peerDependenciesMeta].flatMap(Object.keys);
    expect([...loaded].toSorted()).toEqual(declared.toSorted());
  });

  it("loads an optional package only in the file that works without it", () => {
    const { optionalDependencies, peerDependenciesMeta } = read("package.json");
    const optional = [optionalDependencies, peerDependenciesMeta].flatMap(Object.keys);
    const places = optional.map((name) => [name, loadedPackages().get(name)?.map(toChunkName)]);
    expect(Object.fromEntries(places)).toEqual({
      "@opentelemetry/api": ["open-telemetry"],
      "@opentelemetry/sdk-node": ["open-telemetry"],
      "better-sqlite3": ["database"],
    });
  });

  it("contains the license of every bundled package", () => {
    const notice = readFileSync(join(installed, "dist/THIRD-PARTY.txt"), "utf8");
    const bundled = new Set(readParts().flatMap(({ bundled }) => bundled));
    const untold = [...bundled].filter((name) => !notice.includes(`\n${name} `));
    expect(bundled.size).toBeGreaterThan(50);
    expect(untold).toEqual([]);
  });

  it("passes publint and are-the-types-wrong, for every way to import it", async () => {
    const { messages } = await publint({ pkgDir: installed, pack: false, strict: true });
    expect(messages).toEqual([]);
    const analysis = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
    const problems = analysis.types === false ? ["no types"] : analysis.problems;
    expect(problems).toEqual([]);
  });

  it("types answers, parameters and events at every version, and nothing else compiles", async () => {
    const compilerOptions = {
      strict: true,
      module: "nodenext",
      target: "es2023",
      noEmit: true,
      skipLibCheck: false,
      types: [],
    };
    writeFileSync(
      join(consumer, "tsconfig.json"),
      JSON.stringify({ compilerOptions, files: ["try.ts", "try.cts", "guide.ts"] }),
    );
    writeFileSync(join(consumer, "try.ts"), typedProgram);
    writeFileSync(
      join(consumer, "guide.ts"),
      `declare const request: Request, rawBody: string, secret: string;\n${webhookGuide()}`,
    );
    writeFileSync(
      join(consumer, "try.cts"),
      'import { operations } from "dispatch-cli";\nexport const path: "/jobs" = operations["jobs.list"].path;\n',
    );
    const tsc = join(project, "node_modules/typescript/bin/tsc");
    const checking = run(process.execPath, [tsc, "-p", ".", "--checkers", "1"], { cwd: consumer });
    expect(await checking.catch((error: { stdout: string }) => error)).toMatchObject({ stdout: "" });
  });

  it("names its types as the interface does, without Model, and has one type of error", () => {
    const text = readFileSync(join(installed, "dist/library/wire.d.cts"), "utf8");
    const names = [...text.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name = ""]) => name);
    expect(names).toEqual(expect.arrayContaining(["Customer", "Job", "Truck"]));
    expect(names.filter((name) => /Model|Error|Problem|Violation/.test(name))).toEqual(["ErrorCode"]);
  });

  it("is small enough for a page: 10 KB at most, compressed, with all dependencies", async () => {
    const names = "createClient, verifyWebhook, DispatchError, WebhookVerificationError";
    for (const entry of ["dispatch-cli", "dispatch-cli/client"]) {
      const text = await bundle(`export { ${names} } from "${entry}";`);
      expect(gzipSync(text, { level: 9 }).length).toBeLessThanOrEqual(10 * 1024);
      expect(text).not.toMatch(/\bnode:|\brequire\(/);
    }
  });

  it("verifies a delivery by the lines of docs/webhooks.md", async () => {
    const secret = Buffer.from("thirty-two bytes of a key, or so").toString("base64");
    const { body: rawBody, headers } = toDelivery("http://127.0.0.1/", secret, "a", "Job");
    const given = { rawBody, request: { headers }, secret };
    const script = `const { rawBody, request, secret } = ${JSON.stringify(given)};\n${webhookGuide()}`;
    writeFileSync(join(consumer, "guide.mjs"), script);
    const { stdout } = await run(process.execPath, ["guide.mjs"], { cwd: consumer });
    expect(stdout).toBe("created 1\n");
  });

  it("recognizes the errors of another entry or package", async () => {
    const script = `
import { createClient, DispatchError } from "dispatch-cli";
import * as client from "dispatch-cli/client";
import { pathToFileURL } from "node:url";
const browser = await import(pathToFileURL(process.argv[2]).href);
const { call } = browser.createClient({ url: "http://127.0.0.1:1", token: null, tenant: null, retries: 0 });
const error = await call("tenants.list").catch((thrown) => thrown);
let refusal;
try { browser.verifyWebhook({ headers: {}, body: "", secret: "c2VjcmV0LWtleQ==" }); } catch (thrown) { refusal = thrown; }
console.log(JSON.stringify([
  client.DispatchError === DispatchError, error instanceof DispatchError, new Error() instanceof DispatchError,
  refusal instanceof client.WebhookVerificationError,
]));`;
    writeFileSync(join(consumer, "identity.mjs"), script);
    const argv = ["identity.mjs", join(installed, "dist/library/browser.mjs")];
    const { stdout } = await run(process.execPath, argv, { cwd: consumer });
    expect(JSON.parse(stdout)).toEqual([true, true, false, true]);
  });

  it("has a light package: one folder of 1 MB at most, which needs no other and installs without a word", async () => {
    const light = join(folder, "light");
    mkdirSync(light);
    const packed = await run(process.execPath, ["build/client-package.js", light], { cwd: project });
    writeFileSync(join(light, "package.json"), '{ "name": "light", "type": "module", "private": true }');
    const argv = ["install", "--offline", "--no-audit", "--no-fund", `./${packed.stdout.trim()}`];
    const { stderr } = await run("npm", argv, { cwd: light });
    expect(stderr).toBe("");
    const modules = join(light, "node_modules");
    expect(readdirSync(modules).filter((name) => !name.startsWith("."))).toEqual(["dispatch-cli-client"]);
    const files = readdirSync(modules, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const sizes = files.map(({ name, parentPath }) => statSync(join(parentPath, name)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1024 ** 2);
    const { messages } = await publint({
      pkgDir: join(modules, "dispatch-cli-client"),
      pack: false,
      strict: true,
    });
    expect(messages).toEqual([]);
    const analysis = await checkPackage(
      createPackageFromTarballData(readFileSync(join(light, packed.stdout.trim()))),
    );
    expect(analysis).toMatchObject({ problems: [] });
    const texts = files
      .filter(({ name }) => /\.(?:md|js|json)$/.test(name))
      .map(({ name, parentPath }) => ({
        parentPath,
        text: readFileSync(join(parentPath, name), "utf8"),
      }));
    expect(texts.filter(({ text }) => text.includes('"dispatch-cli"'))).toEqual([]);
    const links = texts.flatMap(({ parentPath, text }) =>
      [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, to = ""]) => join(parentPath, to)),
    );
    expect(links.filter((to) => !existsSync(to))).toEqual([]);
    const script =
      'import * as light from "dispatch-cli-client"; console.log(Object.keys(light).join(" ")); await light.startTestServer();';
    const told = run(process.execPath, ["--input-type=module", "-e", script], { cwd: light });
    await expect(told).rejects.toMatchObject({
      stderr: expect.stringContaining("run npm install --save-dev dispatch-cli"),
      stdout: expect.stringContaining("verifyWebhook"),
    });
  });
});

describeFixtureOverHttp("the package, installed", (fixture) => {
  it("works as a module and as CommonJS, with one DispatchError, and with its condition for browsers", async () => {
    const options = await serve(fixture);
    writeFileSync(join(consumer, "run.mjs"), program);
    const plain = await run(process.execPath, ["run.mjs", JSON.stringify(options)], { cwd: consumer });
    expect(JSON.parse(plain.stdout)).toEqual({ isOne: true, isTold: "Told", name: "Acme yard", status: 404 });
    const browsers = await run(process.execPath, ["-C", "browser", "run.mjs", JSON.stringify(options)], {
      cwd: consumer,
    });
    expect(JSON.parse(browsers.stdout)).toEqual({
      isOne: false,
      isTold: "not in browsers",
      name: "Acme yard",
      status: 404,
    });
  });

  it("works in a page of another origin, as a bundle", async () => {
    const options = await serve(fixture);
    const page = await browser.newPage();
    // A page without an origin may not send requests to this machine.
    const site = createServer((_, response) =>
      response.setHeader("content-type", "text/html").end("<title>page</title>"),
    );
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void site.close());
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    await page.addScriptTag({ content: await bundle(pageProgram), type: "module" });
    // `addScriptTag` returns before the module has run.
    await page.waitForFunction(() => "tryIt" in globalThis);
    const told = await page.evaluate(async (given) => {
      // The script of the page defines it.
      const { tryIt } = globalThis as unknown as { tryIt(given: unknown): Promise<unknown> };
      return tryIt(given);
    }, options);
    expect(told).toEqual({ count: 1, code: "record_not_found", hasRequestId: true, isDry: true });
  });
});

describe.each(["express-receiver", "fastify-receiver"])("the example %s", (name) => {
  it("accepts signed deliveries of the service, each event once, and nothing else", async () => {
    cpSync(join(project, "examples", name), join(consumer, name), { recursive: true });
    const events: unknown[] = [];
    const secret = Buffer.from("thirty-two bytes of a key, or so").toString("base64");
    const onEvent = (event: { id: string }) => void events.push(event.id);
    const { createReceiver } = await import(pathToFileURL(join(consumer, name, "receiver.js")).href);
    const url = await listen(createReceiver({ onEvent, secret }));
    const deliver = async (uuid: string, changes = {}) => {
      const sent = toDelivery(`${url}/hook`, secret, uuid, "Truck");
      const answer = await fetch(sent.url, {
        method: "POST",
        headers: sent.headers,
        body: sent.body,
        ...changes,
      });
      return answer.status;
    };
    expect(await Promise.all([deliver("a"), deliver("b"), deliver("a")])).toEqual([204, 204, 204]);
    expect(events.toSorted()).toEqual(["a", "b"]);
    expect(await deliver("c", { body: "{}" })).toBe(401);
    expect(await deliver("c", { headers: {} })).toBe(401);
    expect(events).toHaveLength(2);
  });
});

function toDelivery(url: string, secret: string, uuid: string, kind: "Job" | "Truck") {
  const data = JSON.stringify({ id: 1 });
  const event = { action: "created", createdOn: testStart, data, kind, previous: null, uuid };
  const hook = toUnregisteredTarget(url, secret, "2023/04/19");
  const now = systemClock.now();
  return toHookRequest({ deliveryUuid: "d", event, hook, tenantId: 1 }, now, now);
}

const webhookGuide = () =>
  /```ts\n([\s\S]*?)```/.exec(readFileSync(join(installed, "docs/webhooks.md"), "utf8"))?.[1] ?? "";

/** Reads a JSON file of the project, without checks. */
const read = (file: string) => JSON.parse(readFileSync(join(project, file), "utf8"));

/** Reads the build's metafile, by file name. */
const readParts = () => Object.values<{ bundled: string[] }>(read("dist/packages.json"));

/** Returns every package that the installed files require or import, with those files. */
function loadedPackages(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const files = ["bin", "dist"].flatMap((part) =>
    readdirSync(join(installed, part), { recursive: true, encoding: "utf8" }).map((file) => join(part, file)),
  );
  for (const file of files.filter((name) => /\.[cm]?js$/.test(name)))
    for (const id of loadedIds(file).filter(isOutside)) {
      const [name = id] = /^(?:@[^/]+\/)?[^/]+/.exec(id) ?? [];
      found.set(name, [...(found.get(name) ?? []), file]);
    }
  return found;
}

/** Whether a module belongs to a package. Older versions of Node lack some builtin modules. */
const isOutside = (id: string) => !/^(?:[./]|node:)/.test(id) && !isBuiltin(id);

/** Returns the modules that a file requires or imports, without matches in strings and comments. */
function loadedIds(file: string): string[] {
  const ids: string[] = [];
  const add = (named: { type: string; value?: unknown } | null | undefined) => {
    if (typeof named?.value === "string") ids.push(named.value);
  };
  const text = readFileSync(join(installed, file), "utf8");
  // Skip files without imports of packages, because parsing is slow.
  if (
    ![...text.matchAll(/(?:require\(|import\(|import|from)\s*["'`]([^"'`]+)/g)].some(([, id = ""]) =>
      isOutside(id),
    )
  )
    return [];
  const { errors, program } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  new Visitor({
    CallExpression({ arguments: [first], callee }) {
      if (callee.type === "Identifier" && callee.name === "require") add(first);
    },
    ExportAllDeclaration: ({ source }) => add(source),
    ExportNamedDeclaration: ({ source }) => add(source),
    ImportDeclaration: ({ source }) => add(source),
    ImportExpression: ({ source }) => add(source),
  }).visit(program);
  return ids;
}

/** Returns a chunk's name without its hash. */
const toChunkName = (file: string) => basename(file).replace(/-[\w-]{8}\.cjs$/, "");

const sourceTexts = () =>
  ["src", "build"].flatMap((part) =>
    readdirSync(join(project, part), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.[jt]s$/.test(file))
      .map((file) => readFileSync(join(project, part, file), "utf8")),
  );

/** Starts a Fastify or Express application that listens until the test ends. */
async function listen(
  app: FastifyInstance | { listen(port: number, host: string): Server },
): Promise<string> {
  if ("ready" in app) {
    onTestFinished(() => app.close());
    return app.listen({ host: "127.0.0.1", port: 0 });
  }
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts a server on the fixture, and returns the client's options. */
async function serve({ harness, own }: Fixture) {
  const { origin } = await openQuietServer(harness.service);
  const { tenantId, token } = harness.acme.callers.Dispatcher;
  return {
    url: origin,
    token,
    tenant: tenantId,
    location: own.location_id,
  };
}

/** Bundles the code of a page as its developer would. */
async function bundle(text: string): Promise<string> {
  const input = join(consumer, `page-${text.length}.mjs`);
  writeFileSync(input, text);
  const { output } = await build({
    input,
    platform: "browser",
    write: false,
    logLevel: "silent",
    output: { minify: true },
  });
  return output[0].code;
}

const program = `
import { createRequire } from "node:module";
import { createClient, DispatchError, startTestServer, verifyWebhook } from "dispatch-cli";
const required = createRequire(import.meta.url)("dispatch-cli");
const { location, ...options } = JSON.parse(process.argv[2]);
const { name } = await required.createClient(options).locations.get({ params: { location_id: location } });
let isTold = "not in browsers";
try {
  const server = await startTestServer();
  await server.client.trucks.create({ params: { location_id: server.locationId }, body: { name: "Told" } });
  const { body, data, headers } = await server.events.next({ type: "Truck" });
  isTold = verifyWebhook({ headers, body, secret: server.events.secret }).data.name;
  await server.close();
} catch (error) {
  if (!/for browsers/.test(error.message)) throw error;
}
const status = await createClient(options).jobs.get({ params: { location_id: location, job_id: 99999 } }).catch((error) => error.status);
console.log(JSON.stringify({ isOne: required.DispatchError === DispatchError, isTold, name, status }));
`;

const pageProgram = `
import { createClient, DispatchError } from "dispatch-cli";
globalThis.tryIt = async ({ location, ...options }) => {
  const client = createClient(options);
  const params = { location_id: location };
  let count = 0;
  for await (const record of client.pages("locations.list", { query: { page_limit: 1 } })) if (record.id === location) count++;
  const error = await client.jobs.get({ params: { ...params, job_id: 99999 } }).catch((thrown) => thrown);
  const { id } = await client.trucks.create({ params, body: { name: "Dry" }, dryRun: true });
  const isDry = await client.trucks.get({ params: { ...params, truck_id: id } }).then(() => false, () => true);
  return { count, code: error.code, hasRequestId: error instanceof DispatchError && typeof error.requestId === "string", isDry };
};
`;

const typedProgram = `
import { createClient, type Delivery, type Job, operations, type StreamEvent, verifyWebhook } from "dispatch-cli";
import { DispatchError } from "dispatch-cli/client";
const where = { url: "http://127.0.0.1:8080", token: "a.b", tenant: 1 };
const params = { location_id: 1, truck_id: 2 };
const client = createClient(where);
const job: Job | undefined = (await client.call("jobs.list", { query: { completed: true, page_limit: 3 } })).results[0];
for await (const { id } of client.pages("jobs.list", { query: { truck_id: 3 } })) id.toFixed();
export const isMissed = (event: StreamEvent) => event.type === "Missed";
for await (const event of client.stream({ lastEventId: null }))
  if (event.type === "Job") event.data.location_id.toFixed();
  else if (event.type === "Missed") event.last_event_id.trim();
await client.trucks.get({ params, query: { fields: "id,name" } });
await client.trucks.orderJobs({ params, body: { jobs: [1] }, dryRun: true });
const { answer, etag } = await client.exchange("trucks.get", { params });
await client["trucks"].update({ params, body: { notes: answer.notes }, ifMatch: etag ?? "*" });
const [made] = await client.runBatch([{ operation: "trucks.create", params, body: { name: "T" } }]);
made.answer.name.trim();
// @ts-expect-error no field has this name
await client.runBatch([{ operation: "trucks.create", params, body: { nope: "T" } }]);
export const later: Delivery["status"] = "a status of a later server";
if (job) await client.jobs.update({ params: { location_id: 1, job_id: job.id }, body: { type: job.type } });
// @ts-expect-error a request has known words only
await client.jobs.update({ params: { location_id: 1, job_id: 1 }, body: { type: "X" } });
// @ts-expect-error a batch has no reads
await client.runBatch([{ operation: "trucks.get", params }]);
// @ts-expect-error a batch calls no webhook
await client.runBatch([{ operation: "hooks.ping", params: { hook_id: 1 } }]);
// @ts-expect-error no operation has this name
await client.call("jobs.lists");
// @ts-expect-error no filter has this name
await client.jobs.list({ query: { nope: 3 } });
// @ts-expect-error a parameter is missing
await client.jobs.get({ params: { location_id: 1 } });
// @ts-expect-error no field has this name
await client.trucks.create({ params: { location_id: 1 }, body: { name: "T", nope: 1 } });
// @ts-expect-error the operation returns no list
client.pages("jobs.get", { params: { location_id: 1, job_id: 1 } });
// @ts-expect-error later versions lack this operation
await client.trucks.jobListPdf({ params });
const old = createClient({ ...where, version: "2019/02/08" });
const pdf: Uint8Array = await old.trucks.jobListPdf({ params });
const formerly = (await old.locations.customers({ params: { location_id: 1 } })).results[0];
formerly?.customer_id.toFixed();
// @ts-expect-error this version calls it customer_id
formerly?.id;
(await createClient({ ...where, version: "2021/04/07" }).locations.customers({ params: { location_id: 1 } })).results[0]?.id.toFixed();
// @ts-expect-error this version takes the driver as a query parameter
await old.trucks.update({ params, body: { driver_id: 3 } });
await old.trucks.update({ params, query: { driver_id: 3 } });
// @ts-expect-error no version has this date
createClient({ ...where, version: "2020/01/01" });
const method: "GET" = operations["jobs.list"].method;
const event = verifyWebhook({ headers: new Headers(), body: "", secret: "" });
if (event.type === "Truck") event.data.name.trim();
// @ts-expect-error a truck has no customer
if (event.type === "Truck") event.data.customer;
const dated = verifyWebhook({ headers: {}, body: new Uint8Array(), secret: [], version: "2023/04/19" });
if (dated.type === "CustomerLocation") dated.data.id.toFixed();
export const codes = [new DispatchError([{ code: "rate_limited", detail: "", field: null }], { status: 429, requestId: null }).code, job, pdf, method];
`;
