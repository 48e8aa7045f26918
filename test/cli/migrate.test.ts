import { randomUUID } from "node:crypto";
import fs, { existsSync, readdirSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Migration } from "../../src/store/migrations/index.ts";
import { databases, type Row, sqlite, type TestDatabase } from "../support/databases.ts";
import { createEmptyDatabase } from "../support/postgres-database.ts";
import { useTempFolder } from "../support/temp-folder.ts";

// Test files of one process share modules. Load fresh ones here, so the mock reaches no other file.
vi.resetModules();
vi.doMock("../../src/store/migrations/index.ts", async (readOwn) => {
  const own = await readOwn<{ migrations: readonly Migration[] }>();
  const { withNextStep } = await import("../support/next-step.ts");
  return withNextStep(own.migrations);
});
const { migrations, newestSchema } = await import("../../src/store/migrations/index.ts");
const { runCommand } = await import("../support/command-line.ts");
afterAll(() => {
  vi.doUnmock("../../src/store/migrations/index.ts");
  vi.resetModules();
});

const folder = useTempFolder();
const older = migrations.slice(0, -1);
const [next] = migrations.slice(-1);
const pending = [{ name: "notes", number: newestSchema, oldest_program: older.length, phase: "expand" }];
const made = { created_on: "2026-11-21T12:00:00.000000", is_active: 1 };
const tenant: Row = { ...made, name: "Acme" };
const user: Row = {
  ...made,
  ...{ customer_ids: "[]", roles: '["Admin"]', tenant_id: 1, uid: randomUUID(), username: "admin" },
};

/** A store as this version leaves it, before the next migration. */
const oldStores: Record<string, () => TestDatabase> = {
  SQLite: () => {
    const database = sqlite.create();
    database.query("pragma journal_mode = wal");
    for (const step of older) database.execute(step.sqlite);
    database.execute(`pragma application_id = ${0x64737063}`);
    database.execute(`pragma user_version = ${older.length}`);
    return database;
  },
  PostgreSQL: () => {
    const database = createEmptyDatabase();
    for (const step of older) database.execute(step.postgres ?? "");
    const value = String(older.length);
    for (const key of ["schema", "oldest_program"]) database.insert("meta", { key, value });
    return database;
  },
};

function makeOld(name: string): TestDatabase {
  const database = oldStores[name]?.() ?? expect.fail(name);
  onTestFinished(() => database.remove());
  database.insert("tenants", tenant);
  database.insert("users", user);
  database.close();
  return database;
}

async function run(...words: string[]) {
  const { code, stderr, stdout } = await runCommand([...words, "-o", "json"]);
  return { code, facts: stdout === "" ? null : (JSON.parse(stdout) as Record<string, unknown>), stderr };
}

const migrate = (data: string, ...options: string[]) => run("migrate", "--data", data, ...options);

describe.each(databases)("migrate on $name", ({ name, create }) => {
  it("reports outdated parts of a store without changing it, upgrades it, and then finds nothing to do", async () => {
    const database = makeOld(name);
    const { data } = database;
    const status = { newest: newestSchema, pending, schema: older.length };
    for (const _ of [1, 2]) expect(await migrate(data, "--status")).toMatchObject({ code: 0, facts: status });
    const said = await runCommand(["migrate", "--status", "--data", data]);
    expect(said.stdout).toContain(
      `  ${next?.number}  notes (expand: programs of schema ${older.length} and later may keep running)`,
    );
    expect(await migrate(data)).toMatchObject({
      code: 0,
      facts: { migrated_from: older.length, pending: [], schema: newestSchema },
    });
    if (name === "SQLite") expect(existsSync(`${data}.schema-${older.length}.bak`)).toBe(true);
    expect(database.rows("notes")).toMatchObject([{ body: "Acme", tenant_id: 1 }]);
    if (name === "SQLite")
      expect(database.query("select row_count from table_revisions where table_name = 'notes'")).toEqual([
        { row_count: 1 },
      ]);
    expect(await migrate(data)).toMatchObject({
      code: 0,
      facts: { migrated_from: newestSchema, pending: [] },
    });
    const shown = await runCommand(["migrate", "--data", data]);
    expect(shown.stdout).toContain(`is up to date (schema ${newestSchema}).`);
    expect(shown.stdout).not.toMatch(/:[^/@:]+@/);
  });

  it("runs before the first answer of any command", async () => {
    const database = makeOld(name);
    expect(await runCommand(["tenants", "list", "--data", database.data])).toMatchObject({ stderr: "" });
    expect(database.rows("notes")).toHaveLength(1);
  });

  it("leaves a store of a newer program unchanged", async () => {
    const database = create();
    onTestFinished(() => database.remove());
    await runCommand(["migrate", "--data", database.data]);
    if (name === "SQLite") {
      await runCommand(["init", "--data", database.data]);
      database.execute(`pragma user_version = ${newestSchema + 1}`);
    } else
      for (const key of ["schema", "oldest_program"])
        database.updateWhere("meta", { key }, { value: String(newestSchema + 1) });
    const { code, facts } = await migrate(database.data, "--status");
    expect([code, facts?.schema, facts?.pending]).toEqual([0, newestSchema + 1, []]);
  });
});

describe("a store of an older program", () => {
  it("causes a warning of doctor, which changes nothing and names the command that upgrades it", async () => {
    const { data } = makeOld("SQLite");
    fs.chmodSync(data, 0o600);
    fs.chmodSync(dirname(data), 0o700);
    for (const _ of [1, 2]) {
      const { code, facts } = await run("doctor", "--data", data);
      const { findings } = facts as { findings: { status: string }[] };
      const wrong = findings.filter(({ status }) => status !== "ok");
      expect([code, wrong]).toEqual([
        0,
        [expect.objectContaining({ check: "store", fix: expect.stringContaining("dispatch-cli migrate") })],
      ]);
    }
    await migrate(data);
    expect(await run("doctor", "--data", data)).toMatchObject({ code: 0, facts: { status: "ok" } });
  });

  it("is restored unchanged from a backup, and upgraded by the next command", async () => {
    const { data } = makeOld("SQLite");
    const [file, target] = [join(folder, "old.gz"), join(folder, "restored.db")];
    expect(await run("backup", file, "--data", data)).toMatchObject({
      code: 0,
      facts: { schema: older.length },
    });
    expect(await run("restore", file, "--data", target)).toMatchObject({ code: 0, facts: { kept: null } });
    expect(await migrate(target, "--status")).toMatchObject({ facts: { schema: older.length } });
    expect(await migrate(target)).toMatchObject({ code: 0, facts: { schema: newestSchema } });
  });

  it("is read from an upgraded copy where it is read-only, with a note that it cannot be migrated", async () => {
    const { data } = makeOld("SQLite");
    const before = fs.readFileSync(data);
    const { accessSync } = fs;
    // Root may write everywhere, and tests may run as root. So make the file system itself refuse.
    vi.spyOn(fs, "accessSync").mockImplementation((path, mode = 0) => {
      if (mode & fs.constants.W_OK && String(path).startsWith(dirname(data)))
        throw Object.assign(new Error("EROFS"), { code: "EROFS" });
      accessSync(path, mode);
    });
    syncBuiltinESMExports();
    onTestFinished(() => {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
    });
    expect(await migrate(data, "--status")).toMatchObject({ code: 0, facts: { schema: older.length } });
    const list = await runCommand(["tenants", "list", "--data", data]);
    expect(list).toMatchObject({ stderr: "", stdout: expect.stringContaining("Acme") });
    expect(await migrate(data)).toMatchObject({
      code: 8,
      stderr: expect.stringContaining("is read-only"),
    });
    expect(fs.readFileSync(data).equals(before)).toBe(true);
    expect(readdirSync(tmpdir()).filter((left) => left.startsWith("dispatch-read-"))).toEqual([]);
  });
});

it("reports a missing store, and does not create one", async () => {
  const data = join(folder, "none.db");
  for (const options of [[], ["--status"]]) {
    expect(await migrate(data, ...options)).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("no store"),
    });
  }
  expect(existsSync(data)).toBe(false);
});
