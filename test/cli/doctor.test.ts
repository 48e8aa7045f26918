import { execFile } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import SqliteDatabase from "better-sqlite3";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Finding } from "../../src/cli/doctor/finding.ts";
import { postgresChecks } from "../../src/cli/doctor/postgres-checks.ts";
import { jsonColumns } from "../../src/store/health/file-facts.ts";
import type { PostgresFacts } from "../../src/store/health/postgres-facts.ts";
import { newestSchema } from "../../src/store/migrations/index.ts";
import { isPostgresAddress, parsePostgresAddress, toShownStore } from "../../src/store/postgres/address.ts";
import { type CommandSetting, runCommand } from "../support/command-line.ts";
import { databases, sqlite, type TestDatabase } from "../support/databases.ts";
import { listen } from "../support/listen.ts";
import { createEmptyDatabase } from "../support/postgres-database.ts";
import { programPath, serveStore, toEnv } from "../support/program.ts";
import { startReceiver } from "../support/receiver.ts";
import { createJobWords, customerBody } from "../support/seed-store.ts";
import { toWords } from "../support/shell-words.ts";
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

const ranByShell = new Set<string>();

/**
 * Runs the command line that fixes a finding. The first use of each command runs the built program through a shell; later
 * ones run in this process, which is faster.
 */
async function applyFix(finding: Finding | undefined, database?: TestDatabase): Promise<void> {
  let fix = (finding?.fix ?? "").replace("<backup>", backup);
  if (fix.includes(" restore ")) fix += " --yes";
  if (database) fix = fix.replace(toShownStore(database.data), database.data);
  const [program, command = "", ...options] = toWords(fix);
  const isPlain = program === "dispatch-cli" && !/[\n$&;<>\\`|]/.test(fix);
  if (isPlain && ranByShell.has(command)) {
    expect(await run([command, ...options])).toMatchObject({ code: 0, stderr: "" });
    return;
  }
  ranByShell.add(command);
  const { PATH, ...others } = toEnv(env);
  const own = { ...others, ...toPsqlEnv(database?.data ?? ""), PATH: `${join(root, "bin")}:${PATH}` };
  const { stderr } = await promisify(execFile)("sh", ["-ec", fix], { env: own });
  expect(stderr).toBe("");
}

function toPsqlEnv(data: string): Record<string, string> {
  if (!isPostgresAddress(data)) return {};
  const { database = "", host = "", password = "", port, user = "" } = parsePostgresAddress(data);
  return {
    PGHOST: host,
    PGPORT: String(port),
    PGDATABASE: database,
    PGUSER: user,
    PGPASSWORD: password,
  };
}

/** Expects a restored store to hold its deliveries until the operator resumes them. */
async function expectRestored(file: string): Promise<void> {
  const { code, wrong } = await examine(["--data", file, "--full"]);
  expect([code, wrong.map(({ check }) => check)]).toEqual([0, ["deliveries"]]);
}

beforeAll(async () => {
  mkdirSync(join(root, "bin"));
  const program = `#!/bin/sh\nexec '${process.execPath}' '${programPath}' "$@"\n`;
  writeFileSync(join(root, "bin", "dispatch-cli"), program, { mode: 0o755 });
  await run(toWords(`init --allow-private-hooks --tenant Acme --location 'Main yard' --data ${store}`));
  await run(toWords(`hooks create --events Truck --callback-url http://127.0.0.1:9/ --data ${store}`));
  await run(["backup", backup, "--data", store]);
});

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

/** Replaces a trigger by one that deletes all jobs at each insert. */
const takenOver = `drop trigger jobs_count_on_insert;
  create trigger jobs_count_on_insert after insert on jobs begin delete from jobs; end`;

const forged = "create trigger forged after insert on audit begin delete from drivers; end";

describe("doctor on a file", () => {
  it("finds no problem in a new store, and changes nothing", async () => {
    const file = copyStore("sound");
    const before = readFileSync(file);
    for (const words of [[], ["--full"], ["--quick"]])
      expect(await examine(["--data", file, ...words])).toEqual({ code: 0, status: "ok", wrong: [] });
    expect(readFileSync(file).equals(before)).toBe(true);
    const { stdout } = await run(["doctor", "--data", file]);
    expect(stdout).toContain(`${file}: no problems.`);
  });

  it("makes the checks that docs/operations/health.md explains", async () => {
    const page = readFileSync(new URL("../../docs/operations/health.md", import.meta.url), "utf8");
    const explained = [...page.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, names = ""]) => names.split(", "));
    const { stdout } = await run(["doctor", "--data", copyStore("explained"), "--full", "-o", "json"]);
    const made = [...(JSON.parse(stdout).findings as Finding[]).map(({ check }) => check)];
    const missing = [...made, ...postgresChecks.map(({ name }) => name)].filter(
      (name) => !explained.includes(name),
    );
    expect(missing, "add a row to docs/operations/health.md").toEqual([]);
  });

  const statements: [check: string, sql: string][] = [
    [
      "webhooks",
      `update hooks set deleted_at = '${far}', deleted_reason = 'It failed for 5 days.' where id = 1`,
    ],
    ["private hooks", "delete from meta where key like '%private%'"],
    [
      "retention",
      `update audit set created_on = '${far}';
       insert into retention (tenant_id, kind, kept_for, removed) values (1, 'audit', '1s', 0)`,
    ],
    ["tenants", "update tenants set frozen_reason = 'Audit' where id = 1"],
    ["permissions", ""],
    ["folder", ""],
    ["leftovers", ""],
  ];
  it.each(statements)("warns of %s, with a command that fixes it", async (check, sql) => {
    const file = copyStore(check.replace(" ", "-"), sql);
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
      for (const name of ["monday.gz.0123abcd.copy.copying", "twin.db.copying", "twin.db.copying-wal"]) {
        const left = join(dirname(file), name);
        writeFileSync(left, "");
        utimesSync(left, 0, 0);
      }
      writeFileSync(`${file}.89abcdef.new`, "of a program that runs");
    }
    const { code, status, wrong } = await examine(["--data", file]);
    expect([code, status, wrong.map((finding) => finding.check)]).toEqual([0, "warn", [check]]);
    await applyFix(wrong[0]);
    expect(await examine(["--data", file])).toMatchObject({ status: "ok", wrong: [] });
  });

  it("uses the clock of a sandbox, and accepts that it was moved back", async () => {
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

  it("warns of deliveries that no server sends and of an old lease, with a command that sends them", async () => {
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
    await applyFix(wrong[0]);
    expect(deliveries.length).toBe(made + 1);
    expect(await examine(["--data", file])).toMatchObject({ status: "ok" });
  });

  it("warns of a token that expires soon, with a command that creates another", async () => {
    const file = copyStore("expiring");
    const create = ["tokens", "create", "--username", "owner", "--roles", "Dispatcher", "--data", file];
    await run([...create, "--expires-on", inDays(3)]);
    await run([...create, "--expires-on", inDays(300)]);
    const { code, wrong } = await examine(["--data", file]);
    expect([code, wrong.map(({ check }) => check)]).toEqual([0, ["tokens"]]);
    expect(wrong[0]?.detail).toMatch(/^token 1 of tenant 1, user owner, expires on [^(]*$/);
    await applyFix(wrong[0]);
    const { stdout } = await run(["tokens", "list", "-o", "json", "--data", file]);
    expect(stdout.match(/"username"/g)).toHaveLength(3);
  });

  it.each([
    ["clock", `update audit set created_on = '2999-01-01T00:00:00.000000'`, "later than this machine's"],
    ["copy", "insert into meta values ('copy_of', 'another')", "unfinished copy"],
    [
      "receivers",
      `update hooks set failing_since = '${far}' where id = 1`,
      "webhook 1 of tenant 1 has failed",
    ],
  ])("warns of its %s", async (check, sql, words) => {
    const { code, wrong } = await examine(["--data", copyStore(check, sql)]);
    expect([code, wrong.map((finding) => finding.check)]).toEqual([0, [check]]);
    expect(wrong[0]?.detail).toContain(words);
  });

  it("reports a store of a newer program as bad", async () => {
    const file = copyStore("newer", `pragma user_version = ${newestSchema + 1}`);
    expect(await examine(["--data", file])).toMatchObject({
      code: 9,
      wrong: [{ check: "store", status: "bad" }],
    });
  });

  it("finds rows with missing references with --full, and the suggested restore fixes them", async () => {
    const file = copyStore("orphans", "update hooks set tenant_id = 99");
    expect((await examine(["--data", file])).code).toBe(0);
    const { code, wrong } = await examine(["--data", file, "--full"]);
    expect([code, wrong[0]?.check, wrong[0]?.detail]).toEqual([
      9,
      "references",
      "rows refer to missing rows: row 1 of hooks to tenants",
    ]);
    await applyFix(wrong[0]);
    await expectRestored(file);
  });

  it.each([
    ["table usage", "drop table usage"],
    ["table meta", "drop table meta"],
    ["table tenants", "drop table tenants"],
    ["table delivery_attempts", "drop table delivery_attempts"],
    ["column trucks.notes", "alter table trucks drop column notes"],
    [
      "changed: column gps_events.device_name",
      "alter table gps_events drop column device_name; alter table gps_events add column device_name integer",
    ],
  ])("finds a lost or changed %s, and the suggested restore fixes it", async (what, sql) => {
    const file = copyStore(`lost ${what.replace(/\W/g, "-")}`.replace(" ", "-"), sql);
    const { code, wrong } = await examine(["--data", file]);
    expect([code, wrong.map(({ check }) => check)]).toEqual([9, ["tables"]]);
    expect(wrong[0]?.detail).toContain(what);
    await applyFix(wrong[0]);
    await expectRestored(file);
  });

  it.each([
    ["indexes", "index jobs_in_order", "drop index jobs_in_order"],
    ["indexes", "trigger jobs_count_on_insert", "drop trigger jobs_count_on_insert"],
    [
      "indexes",
      "changed: index jobs_in_order",
      "drop index jobs_in_order; create index jobs_in_order on jobs (id)",
    ],
    ["indexes", "unknown: trigger forged", forged],
    ["indexes", "changed: trigger jobs_count_on_insert", takenOver],
    ["indexes", "unknown: index sole", "create unique index sole on users (username, tenant_id)"],
    [
      "indexes",
      "unknown: index failing",
      "create index failing on trucks (abs(case when id > 99 then -9223372036854775808 else id end))",
    ],
    [
      "indexes",
      "unknown: index failing",
      "create index failing on trucks (id) where abs(id - 9223372036854775807) > 0",
    ],
    [
      "counts",
      "1 stored counts",
      "update table_revisions set row_count = 7 where table_name = 'users' and tenant_id = 1",
    ],
    ["counts", "1 stored counts", "insert into job_counts values (1, 1, 0, 0, 0, 0, 3)"],
    ["counts", "stored counts are wrong", "insert into search_words values (1, 'stray', 1, 7, 7)"],
    [
      "counts",
      "5 stored counts",
      "insert into search_words values (1, 'stray', 1, 7, 7); delete from search_parts",
    ],
    ["counts", "stored counts are wrong", "delete from search_letters where plain = 'ss'"],
  ])("finds wrong %s (%s), and the suggested command fixes them", async (check, what, sql) => {
    const file = copyStore(`derived-${sql.replace(/\W+/g, "-").slice(0, 60)}`, sql);
    const { wrong } = await examine(["--data", file, "--full"]);
    expect(wrong.map((finding) => finding.check)).toEqual([check]);
    expect(wrong[0]?.detail).toContain(what);
    await applyFix(wrong[0]);
    expect(await examine(["--data", file, "--full"])).toEqual({ code: 0, status: "ok", wrong: [] });
  });

  it.each([
    ["column trucks.extra", "alter table trucks add column extra text check (extra is not null)"],
    ["column trucks.extra", "alter table trucks add column extra integer references drivers (id)"],
    ["table extra", "create table extra (id integer, unique (id), foreign key (id) references trucks (id))"],
    [
      "column gps_events.driver_id",
      "alter table gps_events drop column driver_id; alter table gps_events add column driver_id integer",
    ],
  ])("reports a %s with unknown or lost constraints as bad", async (what, sql) => {
    const file = copyStore(`tables-${sql.replace(/\W+/g, "-")}`, sql);
    const { code, wrong } = await examine(["--data", file]);
    expect([code, wrong.map(({ check }) => check)]).toEqual([9, ["tables"]]);
    expect(wrong[0]?.detail).toContain(what);
  });

  it("warns of a table and a column that the operator added, and their backup can be restored", async () => {
    const file = copyStore(
      "own-table",
      "create table extra (id integer primary key, job text); alter table trucks add column extra text; create view report as select * from jobs",
    );
    const { code, status, wrong } = await examine(["--data", file]);
    expect([code, status, wrong.map(({ detail }) => detail)]).toEqual([
      0,
      "warn",
      ["unknown: table extra, column trucks.extra"],
    ]);
    expect((await run(["backup", `${file}.gz`, "--data", file])).code).toBe(0);
    expect((await run(["restore", `${file}.gz`, "--data", `${file}.restored`])).code).toBe(0);
  });

  it("accepts an index that the operator added, and its backup can be restored", async () => {
    const file = copyStore("own-index", "create index jobs_of_mine on jobs (id)");
    expect(await examine(["--data", file])).toMatchObject({ code: 0, wrong: [] });
    expect((await run(["backup", `${file}.gz`, "--data", file])).code).toBe(0);
  });

  it("finds invalid JSON without --quick, and the suggested restore fixes it", async () => {
    const file = copyStore("json", `update audit set after = '{"name":' where id = 1`);
    expect((await examine(["--data", file, "--quick"])).code).toBe(0);
    const { code, wrong } = await examine(["--data", file]);
    expect([code, wrong.map(({ check, detail }) => [check, detail])]).toEqual([
      9,
      [["json", "invalid JSON: 1 of audit.after"]],
    ]);
    await applyFix(wrong[0]);
    await expectRestored(file);
  });

  it("checks every column that holds JSON", () => {
    const source = readFileSync(new URL("../../src/store/schema/database.ts", import.meta.url), "utf8");
    const tables = [...source.matchAll(/^ {2}(\w+): (\w+Table);$/gm)];
    const columns = tables.flatMap(([, table = "", type]) => {
      const body = new RegExp(`interface ${type}\\b[^{]*\\{(.*?)^\\}`, "ms").exec(source)?.[1] ?? "";
      return [...body.matchAll(/^ {2}(\w+): .*\bJsonText\b/gm)].map(([, column]) => `${table}.${column}`);
    });
    const known = Object.entries(jsonColumns).flatMap(([table, names]) =>
      names.map((name) => `${table}.${name}`),
    );
    expect([...known, "tokens.roles", "users.roles"].sort()).toEqual(columns.sort());
    expect(known.length).toBeGreaterThan(10);
  });

  it("finds unreadable roles, and the suggested restore fixes them", async () => {
    const file = copyStore("unreadable-roles", "update users set roles = 'Admin'");
    const { code, wrong } = await examine(["--data", file]);
    expect([code, wrong.map(({ check }) => check)]).toEqual([9, ["roles"]]);
    await applyFix(wrong[0]);
    await expectRestored(file);
  });

  it("finds an empty file, and the suggested restore fixes it", async () => {
    const file = copyStore("empty");
    writeFileSync(file, "");
    const { code, wrong } = await examine(["--data", file]);
    expect([code, wrong.map(({ check }) => check)]).toEqual([9, ["store"]]);
    await applyFix(wrong[0]);
    await expectRestored(file);
  });

  it("finds a damaged job record in a demo store", async () => {
    const file = join(root, "jobs.db");
    expect((await run(["demo", "--data", file, "--jobs", "30"])).code).toBe(0);
    expect(await examine(["--data", file])).toMatchObject({ code: 0, wrong: [] });
    const connection = new SqliteDatabase(file);
    connection.exec("update jobs set record = replace(record, ':null', ':nul') where id = 3");
    connection.close();
    const { code, wrong } = await examine(["--data", file]);
    expect([code, wrong.map(({ detail }) => detail)]).toEqual([9, ["invalid JSON: 1 of jobs.record"]]);
  });

  it("does not create a lost table again: only a backup has its rows", async () => {
    const file = copyStore("unrepaired", "drop table usage");
    const { code, stderr } = await run(["migrate", "--repair", "--data", file]);
    expect([code, stderr]).toEqual([6, expect.stringContaining("table usage")]);
  });

  it("does not check for damage with --quick, and still reports damage that it meets", async () => {
    const file = copyStore("quick");
    const { stdout } = await run(["doctor", "--data", file, "--quick"]);
    expect(stdout).toMatch(/integrity +not checked with --quick/);
    damageAudit(file);
    const { code, wrong } = await examine(["--data", file, "--quick"]);
    expect([code, wrong.map(({ check }) => check)]).toEqual([9, ["records"]]);
    await applyFix(wrong[0]);
    expect(await examine(["--data", file])).toMatchObject({ code: 0 });
    expect((await run(["doctor", "--data", file, "--quick", "--full"])).code).toBe(2);
  });

  it("finds damaged pages, and the suggested restore fixes them", async () => {
    const file = copyStore("damaged");
    damageAudit(file);
    const { code, wrong } = await examine(["--data", file]);
    expect([code, wrong.map(({ check }) => check)]).toEqual([9, ["integrity"]]);
    await applyFix(wrong[0]);
    expect(await examine(["--data", file])).toMatchObject({ code: 0 });
  });

  it("warns of settings that other users can read, with a command that fixes it", async () => {
    mkdirSync(join(env.DISPATCH_CONFIG, "profiles"), { recursive: true });
    writeFileSync(join(env.DISPATCH_CONFIG, "profiles", "home.json"), "{}", { mode: 0o644 });
    const { wrong } = await examine(["--data", copyStore("settings")]);
    expect(wrong.map(({ check }) => check)).toEqual(["settings"]);
    await applyFix(wrong[0]);
    expect(await examine(["--data", join(root, "settings", "store.db")])).toMatchObject({ status: "ok" });
  });
});

describe("doctor on a store of either database", () => {
  it.each(databases)(
    "finds late pruning and unknown roles, with commands that fix them [$name]",
    async (kind) => {
      const database = kind === sqlite ? kind.create() : createEmptyDatabase();
      onTestFinished(() => database.remove());
      const data = ["--data", database.data];
      await run(["init", "--tenant", "Acme", "--location", "Main yard", ...data]);
      for (const name of ["olga", "oleg"])
        await run(["users", "create", "--location", "1", "--username", name, "--roles", "Driver", ...data]);
      await run(["tokens", "create", "--username", "olga", ...data]);
      expect((await examine(data)).wrong).toEqual([]);
      const seeAll = kind === sqlite ? "" : "set dispatch.all_tenants = 'on'; ";
      await run(["customers", "create", "--location", "1", "--body", "-", ...data], {
        input: customerBody("Acme"),
      });
      await run([...createJobWords, ...data]);
      database.execute(`${seeAll}update jobs set image_count = 9`);
      const { wrong: counted } = await examine([...data, "--full"]);
      expect(counted.map(({ check, detail }) => [check, detail])).toEqual([
        ["counts", "1 stored counts are wrong"],
      ]);
      await applyFix(counted[0], database);
      expect((await examine([...data, "--full"])).wrong).toEqual([]);
      database.execute(`${seeAll}update audit set created_on = '${far}'`);
      await run(["retention", "set", "audit=1s", ...data]);
      const { wrong: late } = await examine(data);
      expect(late.map(({ check, fix }) => [check, fix?.split(" --data")[0]])).toEqual([
        ["retention", "dispatch-cli prune --yes"],
      ]);
      await applyFix(late[0], database);
      expect((await examine(data)).wrong).toEqual([]);
      for (const change of [
        `update users set roles = '["Dispatcher","Boss"]' where username = 'olga'`,
        `update users set roles = '["Boss"]' where username = 'oleg'`,
        `update tokens set roles = '["Boss"]'`,
      ])
        database.execute(seeAll + change);
      for (const what of ["user 2", "user 3", "token 1"]) {
        const { code, wrong } = await examine(data);
        expect([code, wrong.map(({ check }) => check)]).toEqual([9, ["roles"]]);
        expect(wrong[0]?.detail).toContain(`${what} of tenant 1`);
        await applyFix(wrong[0], database);
      }
      expect(await examine(data)).toEqual({ code: 0, status: "ok", wrong: [] });
      const { stdout } = await run(["users", "list", "--location", "1", "-o", "json", ...data]);
      expect(stdout).toContain('"Dispatcher"');
    },
  );
});

describe("doctor on PostgreSQL", () => {
  it("finds read-only transactions of the database or the role, with the command that ends them", async () => {
    const database = createEmptyDatabase();
    onTestFinished(() => database.remove());
    await run(["init", "--data", database.data]);
    const { pathname, username } = new URL(database.data);
    const name = pathname.slice(1);
    for (const owner of [`database ${name}`, `role ${username} in database ${name}`]) {
      database.execute(`alter ${owner} set default_transaction_read_only = on`);
      // The pooler's sessions started before the setting changed, so connect directly.
      const { code, wrong } = await examine(["--data", database.direct]);
      expect([code, wrong.map(({ check }) => check)]).toEqual([9, ["writes"]]);
      await applyFix(wrong[0], database);
      expect(await examine(["--data", database.direct])).toEqual({ code: 0, status: "ok", wrong: [] });
    }
  });

  it("finds options in the address that make transactions read-only", async () => {
    const database = createEmptyDatabase();
    onTestFinished(() => database.remove());
    await run(["init", "--data", database.data]);
    const options = encodeURIComponent("-c default_transaction_read_only=on");
    const { code, wrong } = await examine(["--data", `${database.data}?options=${options}`]);
    expect([code, wrong.map(({ check }) => check)]).toEqual([9, ["writes"]]);
    expect(wrong[0]?.fix).toContain("from the options");
  });

  it("finds a lost table of metadata or tenants, and a backup restores them", async () => {
    const database = createEmptyDatabase();
    onTestFinished(() => database.remove());
    await run(["init", "--data", database.data]);
    database.execute("drop table tenants cascade");
    const { code, wrong } = await examine(["--data", database.data]);
    expect([code, wrong.map(({ check, detail }) => [check, detail])]).toEqual([
      9,
      [
        ["tables", "missing: table tenants"],
        ["indexes", expect.stringContaining("missing: constraint addresses_tenant_id_fkey")],
      ],
    ]);
    database.execute("drop table meta");
    const lost = await examine(["--data", database.data]);
    expect([lost.code, lost.wrong.map(({ check }) => check)]).toEqual([9, ["store"]]);
    expect(lost.wrong[0]?.detail).toContain("is missing its table meta");
    const place = createEmptyDatabase();
    onTestFinished(() => place.remove());
    for (const finding of [wrong[0], lost.wrong[0]]) expect(finding?.fix).toContain("dispatch-cli restore");
    expect((await run(["restore", backup, "--data", place.data])).code).toBe(0);
    expect(await examine(["--data", place.data])).toMatchObject({ code: 0 });
  });

  it.each([
    ["db.example.com", "10.0.0.7", "10.0.0.8", false, "db.example.com"],
    [undefined, "10.0.0.7", "10.0.0.8", false, "10.0.0.7"],
    ["db.example.com", "10.0.0.7", "10.0.0.8", true, null],
    ["db.example.com", "10.0.0.7", "10.0.0.7", false, null],
    ["127.0.0.1", "172.17.0.2", "172.17.0.1", false, null],
    ["/run/postgresql", null, null, false, null],
  ] as const)(
    "reports an unencrypted connection to another machine: host %s (%s), seen from %s, encrypted %s: %s",
    (...row) => {
      const [host, serverAddress, clientAddress, isEncrypted, plainHost] = row;
      const way = { clientAddress, host, isEncrypted, serverAddress };
      const check = postgresChecks.find(({ name }) => name === "encryption");
      const verdict = check?.judge({ way } as PostgresFacts);
      expect(verdict?.status).toBe(plainHost === null ? "ok" : "warn");
      if (plainHost !== null) expect(verdict?.detail).toContain(`go to ${plainHost} in plain text`);
    },
  );

  it("finds missing and unknown triggers, rules, and constraints, and the suggested command fixes them", async () => {
    const database = createEmptyDatabase();
    onTestFinished(() => database.remove());
    await run(["init", "--data", database.data]);
    database.execute(`create trigger forged before insert on audit for each row
        execute function suppress_redundant_updates_trigger();
      create rule forged as on insert to audit do also delete from drivers;
      alter table jobs drop constraint jobs_tenant_id_truck_id_fkey;
      alter table trucks add constraint few check (id < 9);
      alter table trucks add constraint sole unique (tenant_id, notes)`);
    const { code, wrong } = await examine(["--data", database.data]);
    expect([code, wrong.map(({ check }) => check)]).toEqual([9, ["indexes"]]);
    const [missing, unknown] = (wrong[0]?.detail ?? "").split("; ");
    expect(missing).toBe("missing: constraint jobs_tenant_id_truck_id_fkey");
    for (const one of ["trigger forged", "rule forged", "constraint few", "constraint sole"])
      expect(unknown).toContain(one);
    await applyFix(wrong[0], database);
    expect(await examine(["--data", database.data])).toEqual({ code: 0, status: "ok", wrong: [] });
  });

  it.each([
    [true, "bad"],
    [false, "warn"],
  ])("judges a user that bypasses row-level security (required: %s) as %s", (requiresWall, status) => {
    const check = postgresChecks.find(({ name }) => name === "role");
    expect(check?.judge({ passesWall: true, requiresWall } as PostgresFacts).status).toBe(status);
  });

  it("finds disabled row-level security, with the statement that enables it, and an unreachable database", async () => {
    const database = createEmptyDatabase();
    await run(["init", "--data", database.data]);
    expect(await examine(["--data", database.data])).toEqual({ code: 0, status: "ok", wrong: [] });
    database.execute("alter table jobs disable row level security");
    const { code, wrong } = await examine(["--data", database.data]);
    expect([code, wrong.map(({ check }) => check)]).toEqual([9, ["row-level security"]]);
    await applyFix(wrong[0], database);
    expect(await examine(["--data", database.data])).toMatchObject({ status: "ok" });
    database.execute("drop index jobs_in_order; create index jobs_of_mine on jobs (id)");
    const slow = await examine(["--data", database.data]);
    expect([slow.code, slow.wrong[0]?.detail]).toEqual([9, "missing: index jobs_in_order"]);
    await applyFix(slow.wrong[0], database);
    expect(await examine(["--data", database.data])).toMatchObject({ status: "ok" });
    database.execute("drop table usage; alter table trucks rename column notes to remarks");
    const lost = await examine(["--data", database.data]);
    expect([lost.code, lost.wrong[0]?.detail]).toEqual([
      9,
      "missing: table usage, column trucks.notes; unknown: column trucks.remarks",
    ]);
    const away = new URL(database.data);
    away.port = "1";
    const gone = await examine(["--data", away.href]);
    expect(gone).toMatchObject({ code: 9, wrong: [{ check: "store", status: "bad" }] });
    expect(JSON.stringify(gone)).not.toContain(away.password);
    database.remove();
  });
});

describe("doctor on a server", () => {
  it("checks its store, its clock, and the token", async () => {
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

  it("finds a wrong clock, and a server that is not a dispatch service", async () => {
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
