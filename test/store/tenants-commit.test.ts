import { type Kysely, sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { openDatabase } from "../../src/store/open-database.ts";
import type { Database } from "../../src/store/schema/database.ts";
import { sqlite } from "../support/databases.ts";

const much = 1;
const little = 2;

// How long the changes of a commit have worked is measured; here they take what they say.
beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

describe("changes of several tenants on one file", () => {
  it("are made in turn, and who has one is told before who has many has made three", async () => {
    const { log, write } = open();
    await Promise.all([...Array.from({ length: 20 }, () => write(much)), write(little)]);
    expect(log.indexOf(`${little} works`)).toBe(1);
    expect(countBefore(log, `${little} is told`, `${much} works`)).toBe(1);
    expect(log.filter((line) => line === `${much} is told`)).toHaveLength(20);
  });

  it("that come while those of another are made are next, and are told before the rest are made", async () => {
    const { log, write } = open();
    let late: Promise<unknown> | undefined;
    const first = write(much, () => {
      // As from a socket.
      late = new Promise((resolve) => setImmediate(() => resolve(write(little))));
      vi.advanceTimersByTime(1);
    });
    const others = Array.from({ length: 20 }, () => write(much, () => vi.advanceTimersByTime(1)));
    await Promise.all([first, ...others]);
    await late;
    expect(countBefore(log, `${little} is told`, `${much} works`)).toBeLessThan(4);
  });

  it("are one commit where many tenants have one each", async () => {
    const { database, log, write } = open();
    const tenants = Array.from({ length: 20 }, (_, index) => index + 1);
    await Promise.all(tenants.map((tenant) => write(tenant)));
    expect(log).toEqual([
      ...tenants.map((tenant) => `${tenant} works`),
      ...tenants.map((tenant) => `${tenant} is told`),
    ]);
    const { rows } = await sql<{ kept: number }>`select count(*) as kept from written`.execute(database.db);
    expect(rows).toEqual([{ kept: 20 }]);
  });

  it("let others read before those that wait are all made", async () => {
    const { database, log, write } = open();
    let reading: Promise<unknown> | undefined;
    const read = () =>
      database.read(little, async ({ all }) => {
        log.push("read");
        await count(all);
      });
    const first = write(much, () => {
      reading = new Promise((resolve) => setImmediate(() => resolve(read())));
      vi.advanceTimersByTime(1);
    });
    const others = Array.from({ length: 20 }, () => write(much, () => vi.advanceTimersByTime(1)));
    await Promise.all([first, ...others]);
    await reading;
    expect(countBefore(log, "read", `${much} works`)).toBeLessThan(4);
  });
});

/** A store file whose writers tell when they work and when they are told that it is kept. */
function open() {
  const place = sqlite.create();
  const database = openDatabase(place.data, { create: true });
  const made = sql`create table if not exists written (tenant integer)`.execute(database.db);
  const log: string[] = [];
  const write = async (tenant: number, work: () => void = () => undefined) => {
    await made;
    await database.write(tenant, async ({ all }) => {
      log.push(`${tenant} works`);
      await sql`insert into written values (${tenant})`.execute(all);
      work();
    });
    log.push(`${tenant} is told`);
  };
  onTestFinished(async () => {
    await database.close();
    place.remove();
  });
  return { database, log, write };
}

async function count(db: Kysely<Database>): Promise<number | undefined> {
  const { rows } = await sql<{ kept: number }>`select count(*) as kept from written`.execute(db);
  return rows[0]?.kept;
}

/** How many lines of a kind come before the first of another. */
function countBefore(log: readonly string[], first: string, counted: string): number {
  expect(log).toContain(first);
  return log.slice(0, log.indexOf(first)).filter((line) => line === counted).length;
}
