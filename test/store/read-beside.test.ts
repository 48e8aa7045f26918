import { statSync } from "node:fs";
import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../src/store/open-database.ts";
import { sqlite } from "../support/databases.ts";

const MiB = 1024 * 1024;

it("keeps the log of a file short during continuous reads and writes", async () => {
  const place = sqlite.create();
  const database = openDatabase(place.data, { create: true });
  await sql`create table written (bytes blob)`.execute(database.db);
  const beside = openDatabase(place.data, { isReadOnly: true });
  onTestFinished(async () => {
    await beside.close();
    await database.close();
    place.remove();
  });
  let written = 0;
  const read = () => {
    let end = () => {};
    const isOver = new Promise<void>((resolve) => {
      end = resolve;
    });
    const result = beside.read(1, async ({ all }) => {
      const { rows } = await sql<{ count: number }>`select count(*) as count from written`.execute(all);
      await isOver;
      return rows[0]?.count;
    });
    return { end, result };
  };
  let reading = read();
  for (let turn = 0; turn < 20; turn += 1) {
    // The read gets the connection as soon as the previous one ends.
    const next = read();
    await database.write(1, ({ all }) => sql`insert into written values (zeroblob(${2 * MiB}))`.execute(all));
    written += 1;
    reading.end();
    await reading.result;
    reading = next;
  }
  const last = read();
  reading.end();
  last.end();
  expect(await last.result).toBe(written);
  expect(statSync(`${place.data}-wal`).size).toBeLessThan(24 * MiB);
});
