import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { describe, expect, it } from "vitest";
import type { DispatchError } from "../../src/errors/errors.ts";
import type { OpenDatabase } from "../../src/store/api.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
let made = 0;

/** Returns a new path, where `fill` may create the file. */
function place(fill: (file: string) => void = () => {}): string {
  made += 1;
  const file = join(folder, `store-${made}.db`);
  fill(file);
  return file;
}

/** Runs statements on a SQLite file and closes it. */
function alter(file: string, sql: string): void {
  const connection = new SqliteDatabase(file);
  connection.exec(sql);
  connection.close();
}

function refusalOf(file: string, options: { create?: boolean } = {}): DispatchError {
  try {
    openSqlite(file, options);
  } catch (error) {
    return error as DispatchError;
  }
  throw new Error(`${file} was opened.`);
}

async function makeStore(file: string): Promise<void> {
  const { db, close } = openSqlite(file, { create: true });
  await db.insertInto("meta").values({ key: "made", value: "yes" }).execute();
  await close();
}

describe("opening a store", () => {
  it("creates the file on request, and opens it again", async () => {
    const file = place();
    await makeStore(file);
    const { db, close } = openSqlite(file);
    expect(await db.selectFrom("tenants").selectAll().execute()).toEqual([]);
    await close();
  });

  it.each([
    ["after it was used", (db: OpenDatabase["db"]) => db.selectFrom("tenants").selectAll().execute()],
    ["when nothing was asked of it", async () => []],
  ])("leaves one file behind when it is closed %s", async (_, use) => {
    const file = place();
    const { db, close } = openSqlite(file, { create: true });
    await use(db);
    await close();
    const left = [file, `${file}-wal`, `${file}-shm`].filter((path) => existsSync(path));
    expect(left).toEqual([file]);
  });

  it("does not create a missing file without a request", () => {
    const file = place();
    const error = refusalOf(file);
    expect([error.code, error.message]).toEqual(["store_not_found", `There is no store at ${file}.`]);
    expect(existsSync(file)).toBe(false);
  });

  it.each([
    [
      "text",
      (file: string) => writeFileSync(file, "This is no database, but it is long enough. ".repeat(100)),
    ],
    ["a few bytes", (file: string) => writeFileSync(file, "no")],
    ["a SQLite file of someone else's", (file: string) => alter(file, "create table theirs (id integer)")],
    [
      "a SQLite file with another application's id",
      (file: string) => alter(file, "pragma application_id = 7; create table theirs (id integer)"),
    ],
    [
      "a SQLite file with tables of our names",
      (file: string) => alter(file, "pragma user_version = 1; create table tenants (id integer)"),
    ],
  ])("refuses %s, and does not change it", (_, fill) => {
    const file = place(fill);
    const before = readFileSync(file);
    for (const options of [{}, { create: true }]) {
      const error = refusalOf(file, options);
      expect(error.code).toBe("store_unreadable");
      expect(error.message).toContain(file);
    }
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it("refuses a folder, and a file in a missing folder", () => {
    const nowhere = join(folder, "no", "such", "folder.db");
    expect(refusalOf(place((file) => mkdirSync(file))).code).toBe("store_unreadable");
    expect(refusalOf(nowhere).code).toBe("store_not_found");
    expect(refusalOf(nowhere, { create: true }).code).toBe("store_unreadable");
  });

  it("refuses a store of a newer program with a fix, and does not change it", async () => {
    const file = place();
    await makeStore(file);
    alter(file, "pragma user_version = 999");
    const before = readFileSync(file);
    const error = refusalOf(file);
    expect(error.code).toBe("store_unreadable");
    expect(error.message).toMatch(/schema 999.*Use a newer dispatch-cli/);
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(existsSync(`${file}.schema-999.bak`)).toBe(false);
  });

  it("refuses a store whose pages are damaged instead of answering from them", async () => {
    const file = place();
    await makeStore(file);
    const bytes = readFileSync(file);
    bytes.fill(0xff, 4096);
    writeFileSync(file, bytes);
    let code: string | undefined;
    try {
      const { db, close } = openSqlite(file);
      await db
        .selectFrom("users")
        .selectAll()
        .execute()
        .finally(() => close());
    } catch (error) {
      code = (error as DispatchError).code;
    }
    expect(code).toBe("store_unreadable");
  });
});
