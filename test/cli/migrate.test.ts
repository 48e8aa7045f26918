import { existsSync } from "node:fs";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { firstTables } from "../../src/store/migrations/0001-first-tables.ts";
import { migrations, newestSchema } from "../../src/store/migrations/index.ts";
import { runCommand } from "../support/command-line.ts";
import { databases } from "../support/databases.ts";
import { createEmptyDatabase } from "../support/postgres-database.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const pending = migrations.slice(1).map(({ name, number }) => ({ name, number }));

/** A store as the first program left it. */
const oldStores = {
  SQLite: () => {
    const data = join(folder, "old.db");
    const connection = new SqliteDatabase(data);
    connection.exec(firstTables.sqlite);
    connection.pragma(`application_id = ${0x64737063}`);
    connection.pragma("user_version = 1");
    connection.close();
    return { data, remove: () => undefined };
  },
  PostgreSQL: () => {
    const database = createEmptyDatabase();
    database.execute(firstTables.postgres ?? "");
    database.execute("insert into meta (key, value) values ('schema', '1')");
    return database;
  },
};

async function migrate(data: string, ...options: string[]) {
  const { code, stderr, stdout } = await runCommand(["migrate", "--data", data, "-o", "json", ...options]);
  return { code, facts: stdout === "" ? null : (JSON.parse(stdout) as Record<string, unknown>), stderr };
}

describe.each(databases)("migrate on $name", ({ name, create }) => {
  it("says what an old store lacks and changes nothing, brings it up to date, and then finds nothing to do", async () => {
    const { data, remove } = oldStores[name as "SQLite"]();
    for (const _ of [1, 2]) {
      expect(await migrate(data, "--status")).toMatchObject({
        code: 0,
        facts: { newest: newestSchema, pending, schema: 1 },
      });
    }
    expect(await migrate(data)).toMatchObject({
      code: 0,
      facts: { migrated_from: 1, pending: [], schema: newestSchema },
    });
    if (name === "SQLite") expect(existsSync(`${data}.schema-1.bak`)).toBe(true);
    expect(await migrate(data)).toMatchObject({
      code: 0,
      facts: { migrated_from: newestSchema, pending: [] },
    });
    const shown = await runCommand(["migrate", "--data", data]);
    expect(shown.stdout).toContain(`is up to date (schema ${newestSchema}).`);
    expect(shown.stdout).not.toMatch(/:[^/@:]+@/);
    remove();
  });

  it("shows a store of a newer program as it is", async () => {
    const database = create();
    await runCommand(["migrate", "--data", database.data]);
    if (name === "SQLite") {
      await runCommand(["init", "--data", database.data]);
      database.execute(`pragma user_version = ${newestSchema + 1}`);
    } else
      for (const key of ["schema", "oldest_program"])
        database.updateWhere("meta", { key }, { value: String(newestSchema + 1) });
    const { code, facts } = await migrate(database.data, "--status");
    expect([code, facts?.schema, facts?.pending]).toEqual([0, newestSchema + 1, []]);
    database.remove();
  });
});

it("finds no store where there is none, and makes none", async () => {
  const data = join(folder, "none.db");
  for (const options of [[], ["--status"]]) {
    expect(await migrate(data, ...options)).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("no store"),
    });
  }
  expect(existsSync(data)).toBe(false);
});
