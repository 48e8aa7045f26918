import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "../../src/store/open-database.ts";
import { useTempFolder } from "../support/temp-folder.ts";

describe("a commit for which the disk has no room", () => {
  const disk = join(useTempFolder(), "disk");
  let isMounted = false;
  beforeAll(() => {
    mkdirSync(disk);
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", disk], { stdio: "ignore" });
      isMounted = true;
    } catch {
      // Only root may mount, so the test is skipped.
    }
  });
  afterAll(() => {
    if (isMounted) execFileSync("umount", ["-l", disk]);
  });

  it("fails for all members of the group, and the store works again once there is room", async ({ skip }) => {
    if (!isMounted) skip("No file system can be mounted.");
    const file = join(disk, "store.db");
    const database = openDatabase(file, { create: true });
    const { bavail, bsize } = statfsSync(disk);
    const filler = join(disk, "filler");
    writeFileSync(filler, Buffer.alloc((bavail - 2) * bsize));
    let done = 0;
    const write = (key: string) =>
      database.write(1, async ({ all }) => {
        await all
          .insertInto("meta")
          .values({ key, value: "x".repeat(9000) })
          .execute();
        done += 1;
      });
    const keys = Array.from({ length: 8 }, (_, index) => `member ${index}`);
    const outcomes = await Promise.allSettled(keys.map(write));
    // The commit failed, not a statement or the begin.
    expect(done).toBe(keys.length);
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: "rejected", reason: { code: "store_unavailable" } });
    expect(database.fault()).toMatchObject({ check: "write" });
    rmSync(filler);
    await write("after");
    expect(database.fault()).toBeNull();
    const other = new SqliteDatabase(file);
    expect(other.prepare("select key from meta where length(value) = 9000").pluck().all()).toEqual(["after"]);
    expect(other.pragma("integrity_check", { simple: true })).toBe("ok");
    other.close();
    await database.close();
  });
});
