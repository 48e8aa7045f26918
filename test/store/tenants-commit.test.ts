import { type Kysely, sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { openDatabase } from "../../src/store/open-database.ts";
import type { Database } from "../../src/store/schema/database.ts";
import { sqlite } from "../support/databases.ts";

const much = 1;
const little = 2;

// Groups end after a time; here the tests set the time.
beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

describe("changes of several tenants on one file", () => {
  it("take turns, so that a tenant with one change does not wait for many", async () => {
    const { log, write } = open();
    await Promise.all([...Array.from({ length: 20 }, () => write(much)), write(little)]);
    expect(log.indexOf(`${little} works`)).toBe(1);
    expect(countBefore(log, `${little} is told`, `${much} works`)).toBe(1);
    expect(log.filter((line) => line === `${much} is told`)).toHaveLength(20);
  });

  it("are next when they arrive during another tenant's changes", async () => {
    const { log, write } = open();
    let late: Promise<unknown> | undefined;
    const first = write(much, () => {
      // Like a request from a socket.
      late = new Promise((resolve) => setImmediate(() => resolve(write(little))));
      vi.advanceTimersByTime(1);
    });
    const others = Array.from({ length: 20 }, () => write(much, () => vi.advanceTimersByTime(1)));
    await Promise.all([first, ...others]);
    await late;
    expect(countBefore(log, `${little} is told`, `${much} works`)).toBeLessThan(4);
  });

  it("share a commit when many tenants have one each", async () => {
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

  it("let readers in before all waiting changes are done", async () => {
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

/** A store file whose writers log their work and their commits. */
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

/** Counts lines of a kind before the first line of another. */
function countBefore(log: readonly string[], first: string, counted: string): number {
  expect(log).toContain(first);
  return log.slice(0, log.indexOf(first)).filter((line) => line === counted).length;
}
