import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Finding } from "../../src/doctor/finding.ts";
import { firstTables } from "../../src/store/migrations/0001-first-tables.ts";
import { newestSchema } from "../../src/store/migrations/index.ts";
import { type CommandSetting, runCommand } from "../support/command-line.ts";
import { createEmptyDatabase } from "../support/postgres-database.ts";
import { serveStore } from "../support/program.ts";
import { startReceiver } from "../support/receiver.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const root = useTempFolder();
const [store, backup] = [join(root, "store.db"), join(root, "store.gz")];
const env = { DISPATCH_CONFIG: join(root, "config") };

const run = (words: readonly string[], setting: CommandSetting = {}) =>
  runCommand(words, { ...setting, env: { ...env, ...setting.env } });

async function examine(words: readonly string[], setting: CommandSetting = {}) {
  const { code, stdout, stderr } = await run(["doctor", ...words, "-o", "json"], setting);
  expect(stderr).toBe("");
  const { findings, status } = JSON.parse(stdout) as { findings: Finding[]; status: string };
  return { code, status, wrong: findings.filter((finding) => finding.status !== "ok") };
}

/** Runs the command line that mends a finding, as a shell would. */
async function mend(finding: Finding | undefined): Promise<void> {
  const fix = (finding?.fix ?? "").replace("<backup>", backup);
  if (!fix.startsWith("dispatch-cli ")) return void execFileSync("sh", ["-c", fix]);
  const yes = fix.includes(" restore ") ? ["--yes"] : [];
  const { code, stderr } = await run([...fix.split(" ").slice(1), ...yes]);
  expect([code, stderr]).toEqual([0, ""]);
}

beforeAll(async () => {
  await run([
    "init",
    "--allow-private-hooks",
    "--tenant",
    "Acme",
    "--location",
    "Main yard",
    "--data",
    store,
  ]);
  await run([
    "hooks",
    "create",
    "--events",
    "Truck",
    "--callback-url",
    "http://127.0.0.1:9/",
    "--data",
    store,
  ]);
  await run(["backup", backup, "--data", store]);
});

/** A folder of its own with a copy of the store, changed by statements. */
function copyStore(name: string, sql = ""): string {
  const folder = join(root, name);
  mkdirSync(folder, { mode: 0o700 });
  const file = join(folder, "store.db");
  cpSync(store, file);
  chmodSync(file, 0o600);
  const connection = new SqliteDatabase(file);
  connection.pragma("foreign_keys = off");
  connection.exec(sql);
  connection.close();
  return file;
}

/** Overwrites the first page of the audit trail. */
function damageAudit(file: string): void {
  const bytes = readFileSync(file);
  const table = new SqliteDatabase(file);
  const page = Number(table.prepare("select rootpage from sqlite_schema where name = 'audit'").pluck().get());
  table.close();
  bytes.fill(0xee, (page - 1) * 4096, page * 4096);
  writeFileSync(file, bytes);
}

const far = "2000-01-01T00:00:00.000000";
const inDays = (days: number) => `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 23)}000`;

describe("doctor on a file", () => {
  it("finds nothing wrong with a store that was just made, and changes nothing", async () => {
    const file = copyStore("sound");
    const before = readFileSync(file);
    for (const words of [[], ["--full"], ["--quick"]])
      expect(await examine(["--data", file, ...words])).toEqual({ code: 0, status: "ok", wrong: [] });
    expect(readFileSync(file).equals(before)).toBe(true);
    const { stdout } = await run(["doctor", "--data", file]);
    expect(stdout).toContain(`${file}: all is well.`);
  });

  const statements: [check: string, sql: string][] = [
    [
      "webhooks",
      `update hooks set deleted_at = '${far}', deleted_reason = 'It failed for 5 days.' where id = 1`,
    ],
    ["permissions", ""],
    ["folder", ""],
    ["leftovers", ""],
  ];
  it.each(statements)("warns of %s, with a command that mends it", async (check, sql) => {
    const file = copyStore(check, sql);
    if (check === "permissions") chmodSync(file, 0o644);
    if (check === "folder") chmodSync(join(root, check), 0o777);
    if (check === "leftovers") {
      const ends = [
        ".0123abcd.new",
        ".schema-1.bak.0123abcd.new",
        ".gz.0123abcd.copy",
        ".gz.0123abcd.copy-wal",
      ];
      for (const end of ends) {
        writeFileSync(`${file}${end}`, "");
        utimesSync(`${file}${end}`, 0, 0);
      }
      const backup = join(dirname(file), "monday.gz.0123abcd.copy.copying");
      writeFileSync(backup, "");
      utimesSync(backup, 0, 0);
      writeFileSync(`${file}.89abcdef.new`, "of a program that runs");
    }
    const { code, status, wrong } = await examine(["--data", file]);
    expect([code, status, wrong.map((finding) => finding.check)]).toEqual([0, "warn", [check]]);
    await mend(wrong[0]);
    expect(await examine(["--data", file])).toMatchObject({ status: "ok", wrong: [] });
  });

  it("goes by the store's clock in a sandbox, and is not alarmed when that was moved", async () => {
    const file = copyStore("sandbox", "insert into meta (key, value) values ('sandbox_offset_ms', '0')");
    expect((await run(["clock", "advance", "30d", "--data", file])).code).toBe(0);
    await run(["trucks", "create", "--location", "1", "--name", "T", "--data", file]);
    const made = ["tokens", "create", "--username", "owner", "--data", file];
    expect((await run([...made, "--expires-on", inDays(33)])).stderr).toBe("");
    const { wrong } = await examine(["--data", file]);
    expect(wrong.map(({ check }) => check)).toEqual(["tokens"]);
    await run(["clock", "reset", "--data", file]);
    expect(await examine(["--data", file])).toEqual({ code: 0, status: "ok", wrong: [] });
  });

  it("warns of deliveries that nobody makes and of a worker's lease, with a command that makes them", async () => {
    const { url, deliveries } = await startReceiver();
    const file = copyStore("undelivered", `update hooks set url = '${url}'`);
    await run(["trucks", "create", "--location", "1", "--name", "T", "--data", file]);
    const connection = new SqliteDatabase(file);
    connection.exec(`update deliveries set status = 'pending', finished_on = null, next_attempt_on = '${far}',
      leased_until = '${far}', leased_by = 'dead'`);
    connection.close();
    const { wrong } = await examine(["--data", file]);
    expect(wrong.map(({ check }) => check)).toEqual(["leases", "deliveries"]);
    const made = deliveries.length;
    await mend(wrong[0]);
    expect(deliveries.length).toBe(made + 1);
    expect(await examine(["--data", file])).toMatchObject({ status: "ok" });
  });

  it("warns of a token that expires soon, with a command that makes another", async () => {
    const file = copyStore("expiring");
    const create = ["tokens", "create", "--username", "owner", "--roles", "Dispatcher", "--data", file];
    await run([...create, "--expires-on", inDays(3)]);
    await run([...create, "--expires-on", inDays(300)]);
    const { code, wrong } = await examine(["--data", file]);
    expect([code, wrong.map(({ check }) => check)]).toEqual([0, ["tokens"]]);
    expect(wrong[0]?.detail).toMatch(/^token 1 of tenant 1, user owner, expires on [^(]*$/);
    const { code: made } = await run((wrong[0]?.fix ?? "").split(" ").slice(1));
    expect(made).toBe(0);
  });

  it.each([
    ["clock", `update audit set created_on = '2999-01-01T00:00:00.000000'`, "later than this machine's"],
    ["copy", "insert into meta values ('copy_of', 'another')", "unfinished copy"],
  ])("warns of its %s", async (check, sql, words) => {
    const { code, wrong } = await examine(["--data", copyStore(check, sql)]);
    expect([code, wrong.map((finding) => finding.check)]).toEqual([0, [check]]);
    expect(wrong[0]?.detail).toContain(words);
  });

  it("warns of a store of an older program without changing it, with the command that brings it up to date", async () => {
    const file = join(root, "old.db");
    const connection = new SqliteDatabase(file);
    connection.exec(firstTables.sqlite);
    connection.pragma(`application_id = ${0x64737063}`);
    connection.pragma("user_version = 1");
    connection.close();
    chmodSync(file, 0o600);
    for (const _ of [1, 2]) {
      const { code, wrong } = await examine(["--data", file]);
      expect([code, wrong.map(({ check }) => check)]).toEqual([0, ["store"]]);
    }
    const { wrong } = await examine(["--data", file]);
    expect((await run((wrong[0]?.fix ?? "").split(" ").slice(1))).code).toBe(0);
    expect(await examine(["--data", file])).toMatchObject({ status: "ok" });
  });

  it("says no to a store of a newer program", async () => {
    const file = copyStore("newer", `pragma user_version = ${newestSchema + 1}`);
    expect(await examine(["--data", file])).toMatchObject({
      code: 9,
      wrong: [{ check: "store", status: "bad" }],
    });
  });

  it("says no to rows that point nowhere when it reads in full, and the restore it names mends them", async () => {
    const file = copyStore("orphans", "update hooks set tenant_id = 99");
    expect((await examine(["--data", file])).code).toBe(0);
    const { code, wrong } = await examine(["--data", file, "--full"]);
    expect([code, wrong[0]?.check, wrong[0]?.detail]).toEqual([
      9,
      "references",
      "rows point to what is not there: row 1 of hooks to tenants",
    ]);
    await mend(wrong[0]);
    expect(await examine(["--data", file, "--full"])).toMatchObject({ code: 0 });
  });

  it("says with --quick that it did not look for damage, and names the damage that it meets all the same", async () => {
    const file = copyStore("quick");
    const { stdout } = await run(["doctor", "--data", file, "--quick"]);
    expect(stdout).toMatch(/integrity +not looked at with --quick/);
    damageAudit(file);
    const { code, wrong } = await examine(["--data", file, "--quick"]);
    expect([code, wrong.map(({ check }) => check)]).toEqual([9, ["records"]]);
    await mend(wrong[0]);
    expect(await examine(["--data", file])).toMatchObject({ code: 0 });
    expect((await run(["doctor", "--data", file, "--quick", "--full"])).code).toBe(2);
  });

  it("says no to damaged pages, and the restore it names mends them", async () => {
    const file = copyStore("damaged");
    damageAudit(file);
    const { code, wrong } = await examine(["--data", file]);
    expect([code, wrong.map(({ check }) => check)]).toEqual([9, ["integrity"]]);
    await mend(wrong[0]);
    expect(await examine(["--data", file])).toMatchObject({ code: 0 });
  });

  it("warns of settings that others can read, with a command that mends it", async () => {
    mkdirSync(join(env.DISPATCH_CONFIG, "profiles"), { recursive: true });
    writeFileSync(join(env.DISPATCH_CONFIG, "profiles", "home.json"), "{}", { mode: 0o644 });
    const { wrong } = await examine(["--data", copyStore("settings")]);
    expect(wrong.map(({ check }) => check)).toEqual(["settings"]);
    await mend(wrong[0]);
    expect(await examine(["--data", join(root, "settings", "store.db")])).toMatchObject({ status: "ok" });
  });
});

describe("doctor on PostgreSQL", () => {
  it("finds a wall that is down, with the statement that puts it up, and a database that is away", async () => {
    const database = createEmptyDatabase();
    await run(["init", "--data", database.data]);
    expect(await examine(["--data", database.data])).toEqual({ code: 0, status: "ok", wrong: [] });
    database.execute("alter table jobs disable row level security");
    const { code, wrong } = await examine(["--data", database.data]);
    expect([code, wrong.map(({ check }) => check)]).toEqual([9, ["row-level security"]]);
    database.execute(/'(.*)'/.exec(wrong[0]?.fix ?? "")?.[1] ?? "");
    expect(await examine(["--data", database.data])).toMatchObject({ status: "ok" });
    const away = new URL(database.data);
    away.port = "1";
    const gone = await examine(["--data", away.href]);
    expect(gone).toMatchObject({ code: 9, wrong: [{ check: "store", status: "bad" }] });
    expect(JSON.stringify(gone)).not.toContain(away.password);
    database.remove();
  });
});

describe("doctor on a server", () => {
  it("looks at its store, its clock and the token", async () => {
    const file = copyStore("served");
    const { stdout } = await run(["tokens", "create", "--username", "owner", "-o", "json", "--data", file]);
    const { token } = JSON.parse(stdout) as { token: string };
    const server = await serveStore(file);
    const setting = { env: { DISPATCH_TOKEN: token } };
    expect(await examine(["--url", server.url], setting)).toEqual({ code: 0, status: "ok", wrong: [] });
    expect(await examine(["--url", server.url], { env: { DISPATCH_TOKEN: "wrong" } })).toMatchObject({
      code: 9,
      wrong: [{ check: "token", status: "bad" }],
    });
    expect(await examine(["--url", server.url])).toMatchObject({
      code: 0,
      wrong: [{ check: "token", status: "warn" }],
    });
    await server.end();
    expect(await examine(["--url", server.url], setting)).toMatchObject({
      code: 9,
      wrong: [{ check: "server", status: "bad" }],
    });
  });

  it("tells a clock that is wrong, and what is no dispatch service", async () => {
    const late = await listen((request, response) => {
      response.setHeader("date", "Sat, 01 Jan 2000 00:00:00 GMT");
      const isReady = request.url === "/readyz";
      response.end(JSON.stringify(isReady ? { status: "ready" } : { status: "up" }));
    });
    const { wrong } = await examine(["--url", late]);
    expect(wrong.map(({ check }) => check)).toEqual(["clock", "token"]);
    expect(wrong[0]?.detail).toMatch(/s behind this machine's$/);
    const page = await listen((_, response) => response.end("<html>It works!</html>"));
    expect(await examine(["--url", page])).toMatchObject({
      code: 9,
      wrong: [{ check: "server" }, { check: "token" }],
    });
  });
});

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
