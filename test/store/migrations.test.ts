import { copyFileSync, existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { migrations, newestSchema } from "../../src/store/migrations/index.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import { upgradeWithCopy } from "../../src/store/sqlite/upgrade-copy.ts";
import { useTempFolder } from "../support/temp-folder.ts";

describe("the migrations", () => {
  it("are numbered 1, 2, 3 …, and the newest schema is the last of them", () => {
    expect(migrations.map(({ number }) => number)).toEqual(migrations.map((_, index) => index + 1));
    expect(newestSchema).toBe(migrations.length);
  });
});

/** The newer version has this list of migrations and two more. */
describe("opening a store of an older program", () => {
  const folder = useTempFolder();
  const steps = { first: "create table more (note text)", second: "insert into more values ('migrated')" };
  let made = 0;

  async function openWithNewerProgram(file: string, sql: { first: string; second: string } = steps) {
    vi.resetModules();
    vi.doMock("../../src/store/migrations/index.ts", () => ({
      migrations: [
        ...migrations,
        { number: newestSchema + 1, name: "more", sqlite: sql.first },
        { number: newestSchema + 2, name: "even-more", sqlite: sql.second },
      ],
      newestSchema: newestSchema + 2,
    }));
    const newer = await import("../../src/store/sqlite/sqlite.ts");
    return newer.openSqlite(file);
  }

  let file: string;
  beforeEach(async () => {
    made += 1;
    file = join(folder, `store-${made}.db`);
    const { db, close } = openSqlite(file, { create: true });
    await db.insertInto("meta").values({ key: "kept", value: "yes" }).execute();
    await close();
  });

  afterEach(() => {
    vi.doUnmock("../../src/store/migrations/index.ts");
    vi.resetModules();
  });

  const read = (path: string, sql: string) => {
    const connection = new SqliteDatabase(path, { readonly: true });
    try {
      return connection.prepare(sql).pluck().get();
    } finally {
      connection.close();
    }
  };
  const copyOf = (path: string) => `${path}.schema-${newestSchema}.bak`;

  it("runs the missing steps once, and keeps a copy that the older program opens", async () => {
    for (let opened = 0; opened < 2; opened++) await (await openWithNewerProgram(file)).close();
    expect(read(file, "pragma user_version")).toBe(newestSchema + 2);
    expect(read(file, "select group_concat(note) from more")).toBe("migrated");
    expect(read(file, "select value from meta where key = 'kept'")).toBe("yes");
    expect(() => openSqlite(file)).toThrow(/Use a newer dispatch-cli/);

    expect(read(copyOf(file), "pragma user_version")).toBe(newestSchema);
    expect(read(copyOf(file), "select count(*) from sqlite_schema where name = 'more'")).toBe(0);
    // The copy holds the same secrets as the store.
    expect(statSync(copyOf(file)).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(file)).filter((name) => name.endsWith(".new"))).toEqual([]);
    const { db, close } = openSqlite(copyOf(file));
    expect(await db.selectFrom("meta").select("value").execute()).toEqual([{ value: "yes" }]);
    await close();
  });

  it("keeps a copy of each upgrade, also after the store was set back", async () => {
    await (await openWithNewerProgram(file)).close();
    for (const end of ["-wal", "-shm"]) rmSync(file + end, { force: true });
    copyFileSync(copyOf(file), file);
    const { db, close } = openSqlite(file);
    await db.insertInto("meta").values({ key: "later", value: "yes" }).execute();
    await close();
    await (await openWithNewerProgram(file)).close();
    const second = `${file}.schema-${newestSchema}-2.bak`;
    expect(read(copyOf(file), "select count(*) from meta where key = 'later'")).toBe(0);
    expect(read(second, "select count(*) from meta where key = 'later'")).toBe(1);
  });

  it("copies the state at the moment of the upgrade", () => {
    const connection = new SqliteDatabase(file);
    const other = new SqliteDatabase(file);
    const prepare = connection.prepare.bind(connection);
    let writes = 0;
    vi.spyOn(connection, "prepare").mockImplementation((statement: string) => {
      const prepared = prepare(statement);
      if (!statement.startsWith("vacuum")) return prepared;
      const run = (...given: unknown[]) => {
        const result = prepared.run(...given);
        if (++writes === 1) other.exec("insert into meta (key, value) values ('late', 'yes')");
        return result;
      };
      return { run } as unknown as typeof prepared;
    });
    upgradeWithCopy(connection, file, newestSchema, () => void connection.pragma("user_version = 99"));
    connection.close();
    other.close();
    expect(read(file, "pragma user_version")).toBe(99);
    expect(read(copyOf(file), "select count(*) from meta where key = 'late'")).toBe(1);
    expect(readdirSync(dirname(file)).filter((name) => name.endsWith(".new"))).toEqual([]);
  });

  it("runs all of them or none", async () => {
    const broken = { ...steps, second: "insert into nowhere values (1)" };
    await expect(openWithNewerProgram(file, broken)).rejects.toThrow(/nowhere/);
    expect(existsSync(copyOf(file))).toBe(false);
    expect(read(file, "pragma user_version")).toBe(newestSchema);
    expect(read(file, "select count(*) from sqlite_schema where name = 'more'")).toBe(0);
    // Both this version and a fixed one can use it.
    await openSqlite(file).close();
    await (await openWithNewerProgram(file)).close();
    expect(read(file, "select note from more")).toBe("migrated");
  });

  it("makes no copy of a store that is up to date", async () => {
    await openSqlite(file).close();
    expect(existsSync(copyOf(file))).toBe(false);
  });
});
