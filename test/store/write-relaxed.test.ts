import { type Kysely, sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../src/store/open-database.ts";
import type { Database } from "../../src/store/schema/database.ts";
import { databases } from "../support/databases.ts";

describe.each(databases)("a relaxed write on $name", (kind) => {
  const open = () => {
    const place = kind.create();
    const database = openDatabase(place.data, { create: true });
    onTestFinished(async () => {
      await database.close();
      place.remove();
    });
    return database;
  };

  /** Whether a commit would wait for the disk now. */
  const waitsForDisk = async (db: Kysely<Database>) => {
    // On SQLite, read it in a write: only writes configure how the connection commits.
    const setting =
      kind.name === "SQLite"
        ? sql`insert into meta (key, value) values ('asked', '') on conflict (key) do update set value = ''
            returning (select synchronous from pragma_synchronous)`
        : sql`show synchronous_commit`;
    const { rows } = await setting.execute(db);
    return ["2", "on"].includes(String(Object.values(rows[0] as object)[0]));
  };

  it("does not wait for the disk, and all other writes do", async () => {
    const database = open();
    // PostgreSQL has its own default, and a test server may not wait for the disk.
    const usual = kind.name === "SQLite" || (await waitsForDisk(database.db));
    expect(await database.write(1, ({ own }) => waitsForDisk(own))).toBe(usual);
    expect(await database.writeRelaxed(1, ({ own }) => waitsForDisk(own))).toBe(false);
    expect(await waitsForDisk(database.direct(1).own)).toBe(false);
    await database.writeRelaxed(1, () => Promise.reject(new Error("no"))).catch(() => undefined);
    expect(await database.write(1, ({ own }) => waitsForDisk(own))).toBe(usual);
  });
});
