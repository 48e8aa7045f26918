import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Migration, Phase } from "../../src/store/migrations/index.ts";
import { migrations, newestSchema } from "../../src/store/migrations/index.ts";
import { openPostgres } from "../../src/store/postgres/postgres.ts";
import type { TestDatabase } from "../support/databases.ts";
import { eventually } from "../support/eventually.ts";
import { runOnPostgres } from "../support/postgres-bridge.ts";
import { createEmptyDatabase } from "../support/postgres-database.ts";

const next = newestSchema + 1;
const index = "../../src/store/migrations/index.ts";

/** The newer version has this list of migrations and more. */
describe("opening a store of an older program in PostgreSQL", () => {
  const steps = ["create table more (note text)", "insert into more values ('migrated')"];
  let store: TestDatabase;

  async function open() {
    const program = await import("../../src/store/postgres/postgres.ts");
    const database = program.openPostgres(store.data, { create: true });
    await database.check().finally(() => database.close());
  }

  async function openWithNewerProgram(
    statements: readonly (string | undefined)[],
    phase: Phase = "expand",
    oldestProgram = newestSchema,
  ) {
    const added = statements.map((postgres, at): Migration => {
      const step = { name: "more", number: next + at, oldestProgram, phase, sqlite: "" };
      return { ...step, ...(postgres !== undefined && { postgres }) };
    });
    vi.resetModules();
    vi.doMock(index, () => ({
      migrations: [...migrations, ...added],
      newestSchema: newestSchema + added.length,
    }));
    try {
      await open();
    } finally {
      vi.doUnmock(index);
      vi.resetModules();
    }
  }

  beforeEach(async () => {
    store = createEmptyDatabase();
    await open();
    store.insert("meta", { key: "kept", value: "yes" });
  });
  afterEach(() => store.remove());

  const tables = () => store.query("select 1 from pg_tables where schemaname = 'public'").length;
  const keep = (key: string) => store.rows("meta").find((row) => row.key === key)?.value;

  it("runs the missing steps once", async () => {
    await openWithNewerProgram(steps, "closed", next + 1);
    await openWithNewerProgram(steps, "closed", next + 1);
    expect(store.rows("meta")).toEqual([
      { key: "kept", value: "yes" },
      { key: "oldest_program", value: String(next + 1) },
      { key: "schema", value: String(next + 1) },
    ]);
    expect(store.query("select note from more")).toEqual([{ note: "migrated" }]);
    await expect(open()).rejects.toThrow(
      `has schema ${next + 1}; this program knows ${newestSchema}. Use a newer dispatch-cli.`,
    );
  });

  it("runs all of them or none", async () => {
    const broken = [steps[0], "insert into nowhere values (1)"];
    const before = tables();
    await expect(openWithNewerProgram(broken)).rejects.toThrow(/nowhere/);
    expect(tables()).toBe(before);
    // Both this version and a fixed one can use it.
    await open();
    await openWithNewerProgram(steps);
    expect(store.query("select note from more")).toEqual([{ note: "migrated" }]);
  });

  it("gives up while others use a table, and tries again", async () => {
    const run = (sql: string) => void runOnPostgres(store.direct, [{ sql }]);
    run("begin");
    run("lock table trucks in access share mode");
    const migrated = openWithNewerProgram(["alter table trucks add column more text"]);
    // Within a transaction, the view of sessions is frozen, but the view of locks is not.
    const waits = "select 1 from pg_locks where not granted and relation = 'trucks'::regclass";
    await eventually(() => expect(store.query(waits)).toHaveLength(1));
    // Statements queued behind the migration wait only until it gives up.
    await eventually(() => expect(store.query(waits)).toHaveLength(0));
    expect(store.query("select count(*)::int as trucks from trucks")).toEqual([{ trucks: 0 }]);
    run("commit");
    await migrated;
    expect(keep("schema")).toBe(String(next));
  });

  it("keeps older programs working only if its steps allow it", async () => {
    const older = openPostgres(store.data);
    onTestFinished(() => older.close());
    const faults: unknown[] = [];
    older.onFault((fault) => faults.push(fault?.check ?? null));
    const write = () => older.write(7, ({ own }) => own.selectFrom("trucks").select("id").execute());
    await older.check();
    await openWithNewerProgram([steps[0]]);
    // The older process keeps working, and another of its version can start.
    await older.check();
    await write();
    await open();
    expect([keep("schema"), keep("oldest_program"), older.fault()]).toEqual([
      String(next),
      String(newestSchema),
      null,
    ]);
    const contracted = openWithNewerProgram([steps[0], "drop table chat_messages"], "contract", next + 1);
    // The migration announces itself before it changes anything.
    await eventually(() => expect(keep("oldest_program")).toBe(String(next + 1)));
    expect(tables()).toBeGreaterThan(20);
    expect(keep("schema")).toBe(String(next));
    await contracted;
    const refusal = {
      code: "store_unavailable",
      message: `The store has schema ${next + 1}; this program knows ${newestSchema}. Use a newer dispatch-cli.`,
    };
    await expect(write()).rejects.toMatchObject(refusal);
    await expect(older.read(7, async () => 0)).rejects.toMatchObject(refusal);
    expect([older.fault()?.check, faults]).toEqual(["schema", ["schema"]]);
    await expect(open()).rejects.toMatchObject({ code: "store_unreadable" });
  });

  it("lets older programs work again when a step that locks them out fails", async () => {
    const failed = openWithNewerProgram(["drop table nowhere"], "contract", next);
    await expect(failed).rejects.toThrow(/nowhere/);
    expect([keep("schema"), keep("oldest_program")]).toEqual([
      String(newestSchema),
      String(Math.max(...migrations.map(({ oldestProgram }) => oldestProgram))),
    ]);
    await open();
  });
});
