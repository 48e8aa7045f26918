import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { migrations, newestSchema } from "../../src/store/migrations/index.ts";
import type { TestDatabase } from "../support/databases.ts";
import { createEmptyDatabase } from "../support/postgres-database.ts";

/** What the next program will do: this list of steps and two more. There is no other way to be newer than ourselves. */
describe("opening a store of an older program in PostgreSQL", () => {
  const steps = ["create table more (note text)", "insert into more values ('migrated')"];
  let store: TestDatabase;

  async function open() {
    const { openPostgres } = await import("../../src/store/postgres/postgres.ts");
    const database = openPostgres(store.data, { create: true });
    await database.check().finally(() => database.close());
  }

  async function openWithNewerProgram([first, second]: readonly (string | undefined)[]) {
    vi.resetModules();
    vi.doMock("../../src/store/migrations/index.ts", () => ({
      migrations: [
        ...migrations,
        { number: newestSchema + 1, name: "more", postgres: first },
        { number: newestSchema + 2, name: "even-more", postgres: second },
      ],
      newestSchema: newestSchema + 2,
    }));
    try {
      await open();
    } finally {
      vi.doUnmock("../../src/store/migrations/index.ts");
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

  it("runs the steps that it lacks, once", async () => {
    await openWithNewerProgram(steps);
    await openWithNewerProgram(steps);
    expect(store.rows("meta")).toEqual([
      { key: "kept", value: "yes" },
      { key: "schema", value: String(newestSchema + 2) },
    ]);
    expect(store.query("select note from more")).toEqual([{ note: "migrated" }]);
    await expect(open()).rejects.toThrow(/Use a newer dispatch-cli/);
  });

  it("runs all of them or none", async () => {
    const broken = [steps[0], "insert into nowhere values (1)"];
    const before = tables();
    await expect(openWithNewerProgram(broken)).rejects.toThrow(/nowhere/);
    expect(tables()).toBe(before);
    // Nothing is in the way of this program, or of a mended one.
    await open();
    await openWithNewerProgram(steps);
    expect(store.query("select note from more")).toEqual([{ note: "migrated" }]);
  });
});
