import { setTimeout as sleep } from "node:timers/promises";
import SqliteDatabase from "better-sqlite3";
import { type Kysely, sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { OpenDatabase, TenantRows } from "../../src/store/api.ts";
import { openDatabase } from "../../src/store/open-database.ts";
import type { Database } from "../../src/store/schema/database.ts";
import { sqlite } from "../support/databases.ts";

const count = 32;

// Groups end after some time. Here time stands still.
beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

describe("concurrent writers of a file", () => {
  it("commit together, and continue when other connections can read their rows", async () => {
    const { database, readKeys } = open();
    const seen: number[] = [];
    await writeAll(database, range(count), async (index) => {
      seen.push(readKeys().length);
      expect(readKeys()).toContain(key(index));
    });
    // The first writer already sees the rows of all others, so there was only one commit.
    expect(seen).toEqual(range(count).map(() => count));
  });

  it("form groups that end after a time and after 64 members", async () => {
    const { database } = open();
    const told: number[] = [];
    const toldBefore = await Promise.all(
      range(100).map(async (index) => {
        const before = await database.write(1, async ({ all }) => {
          if (index === 2) vi.advanceTimersByTime(50);
          await insert(all, index);
          return told.length;
        });
        told.push(index);
        return before;
      }),
    );
    expect(toldBefore).toEqual([...Array(3).fill(0), ...Array(64).fill(3), ...Array(33).fill(67)]);
  });

  it("work in the order of their calls, each on the results of the previous ones", async () => {
    const { database } = open();
    const told: number[] = [];
    await Promise.all(
      range(count).map(async (index) => {
        const before = await database.write(1, async ({ all }) => {
          const { length } = await keysOf(all);
          await sleep(index % 5 === 0 ? 1 : 0);
          await insert(all, index);
          return length;
        });
        expect(before).toBe(index);
        told.push(index);
      }),
    );
    expect(told).toEqual(range(count));
  });

  it.each([
    ["the first", [0]],
    ["the last", [count - 1]],
    ["every other", range(count).filter((index) => index % 2 === 0)],
    ["every one", range(count)],
  ])("stay stored when %s fails and is undone", async (_which, failing) => {
    const { database, readKeys } = open();
    const outcomes = await Promise.allSettled(
      range(count).map((index) =>
        database.write(1, async ({ all }) => {
          await insert(all, index);
          if (failing.includes(index)) throw new Error(`no ${index}`);
        }),
      ),
    );
    const standing = range(count).filter((index) => !failing.includes(index));
    for (const [index, outcome] of outcomes.entries()) {
      expect(outcome).toMatchObject(
        failing.includes(index) ? { reason: new Error(`no ${index}`) } : { status: "fulfilled" },
      );
    }
    expect(readKeys()).toEqual(standing.map(key));
  });

  it("learn of a conflict with another member only after the commit", async () => {
    const { database, readKeys } = open();
    const [, refused] = await Promise.all([
      database.write(1, ({ all }) => insert(all, 1)),
      database
        .write(1, async ({ all }) => {
          if ((await keysOf(all)).length > 0) throw new Error("It is there.");
        })
        .catch((error: Error) => [error.message, readKeys()]),
    ]);
    expect(refused).toEqual(["It is there.", [key(1)]]);
  });

  it("ignore late statements of a failed member", async () => {
    const { database, readKeys } = open();
    let late: Promise<unknown> | undefined;
    const failing = database.write(1, async ({ all }) => {
      late = sleep(5).then(() => insert(all, 99));
      await Promise.all([late, Promise.reject(new Error("no"))]);
    });
    const others = writeAll(database, range(4), () => sleep(10));
    await expect(failing).rejects.toThrow("no");
    await expect(late).rejects.toThrow("The transaction of this statement is over.");
    await others;
    expect(readKeys()).toEqual(range(4).map(key));
  });

  it("wait for a long one and lose nothing", async () => {
    const { database, readKeys } = open();
    const long = database.write(1, async ({ all }) => {
      await insert(all, 0);
      await sleep(50);
    });
    await sleep(5);
    const later = writeAll(
      database,
      range(8).map((index) => index + 1),
      async () => undefined,
    );
    // A concurrent read sees the state before or after the commit.
    const read = database.read(1, async ({ all }) => (await keysOf(all)).length);
    await Promise.all([long, later]);
    expect([0, 1, 9]).toContain(await read);
    expect(readKeys()).toHaveLength(9);
  });

  it("all fail when the commit fails", async () => {
    const { database, readKeys } = open();
    const deferred = sql`create table child (parent text references meta (key) deferrable initially deferred)`;
    await deferred.execute(database.db);
    const outcomes = await Promise.allSettled(
      range(8).map((index) =>
        database.write(1, async ({ all }) => {
          await insert(all, index);
          // Only the commit detects this error, as with a failing disk.
          if (index === 5) await sql`insert into child values ('nobody')`.execute(all);
          if (index === 6) throw new Error("refused");
        }),
      ),
    );
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ reason: { code: "SQLITE_CONSTRAINT_FOREIGNKEY" } });
    expect(readKeys()).toEqual([]);
    await database.write(1, ({ all }) => insert(all, 9));
    expect(readKeys()).toEqual([key(9)]);
  });

  it("fail while the disk is full, and succeed once it has room", async () => {
    const { database, readKeys } = open();
    const { page_count } = (await pragma(database, "page_count")) as { page_count: number };
    await pragma(database, `max_page_count = ${page_count + 8}`);
    const told = await Promise.allSettled(
      range(count).map((index) => database.write(1, ({ all }) => insert(all, index, "x".repeat(9000)))),
    );
    const stored = range(count).filter((index) => told[index]?.status === "fulfilled");
    expect(stored.length).toBeLessThan(count);
    for (const outcome of told.filter(({ status }) => status === "rejected"))
      expect(outcome).toMatchObject({ reason: { code: "store_unavailable" } });
    expect(readKeys()).toEqual(stored.map(key));
    await pragma(database, "max_page_count = 100000");
    await database.write(1, ({ all }) => insert(all, 99));
    expect(readKeys()).toEqual([...stored.map(key), key(99)]);
  });

  it("fail together when SQLite rolls back, and later ones are stored", async () => {
    const { database, readKeys } = open();
    // This table has no trigger, so SQLite rolls back the whole transaction when a row does not fit.
    await sql`create table plain (value)`.execute(database.db);
    const { page_count } = (await pragma(database, "page_count")) as { page_count: number };
    await pragma(database, `max_page_count = ${page_count + 8}`);
    const outcomes = await Promise.allSettled(
      range(8).map((index) =>
        database.write(1, async ({ all }) => {
          await insert(all, index);
          if (index === 3) throw new Error("refused");
          if (index === 5) await sql`insert into plain values (zeroblob(100000))`.execute(all);
        }),
      ),
    );
    const lost = { reason: { code: "store_unavailable" } };
    const stored = { status: "fulfilled" };
    expect(outcomes).toMatchObject([lost, lost, lost, lost, lost, lost, stored, stored]);
    expect(readKeys()).toEqual([key(6), key(7)]);
    // A member that ignores the rollback of its changes fails, and so does the next member.
    const passedOver = await Promise.allSettled([
      database.write(1, async ({ all }) => {
        await insert(all, 8);
        await sql`insert into plain values (zeroblob(100000))`.execute(all).catch(() => undefined);
      }),
      ...[9, 10].map((index) => database.write(1, ({ all }) => insert(all, index))),
    ]);
    expect(passedOver).toMatchObject([lost, lost, stored]);
    expect(readKeys()).toEqual([key(6), key(7), key(10)]);
  });

  it("are all stored before the file closes", async () => {
    const { database, readKeys } = open();
    let told = 0;
    const writing = writeAll(database, range(count), async () => void told++);
    await database.close();
    expect(told).toBe(count);
    await writing;
    expect(readKeys()).toHaveLength(count);
    await expect(database.write(1, ({ all }) => insert(all, 99))).rejects.toThrow("cannot be opened");
  });
});

describe("a relaxed commit", () => {
  it("waits for the disk together with a durable one", async () => {
    const { database } = open();
    const modes = Promise.all([
      database.writeRelaxed(1, synchronous),
      database.write(1, synchronous),
      database.writeRelaxed(1, synchronous),
    ]);
    expect(await modes).toEqual([full, full, full]);
  });

  it("never includes a durable change", async () => {
    const { database } = open();
    let joining: Promise<unknown> | undefined;
    const relaxed = database.writeRelaxed(1, async (rows) => {
      joining = Promise.all([database.writeRelaxed(1, synchronous), database.write(1, synchronous)]);
      return synchronous(rows);
    });
    expect(await relaxed).toBe(normal);
    expect(await joining).toEqual([normal, full]);
  });
});

const much = 1;
const little = 2;

describe("changes of several tenants on one file", () => {
  it("take turns, so that a tenant with one change does not wait for many", async () => {
    const { log, write } = openLogged();
    await Promise.all([...Array.from({ length: 20 }, () => write(much)), write(little)]);
    expect(log.indexOf(`${little} works`)).toBe(1);
    expect(countBefore(log, `${little} is told`, `${much} works`)).toBe(1);
    expect(log.filter((line) => line === `${much} is told`)).toHaveLength(20);
  });

  it("are next when they arrive during another tenant's changes", async () => {
    const { log, write } = openLogged();
    let late: Promise<unknown> | undefined;
    const first = write(much, () => {
      // Write later, as a request from a socket would.
      late = new Promise((resolve) => setImmediate(() => resolve(write(little))));
      vi.advanceTimersByTime(1);
    });
    const others = Array.from({ length: 20 }, () => write(much, () => vi.advanceTimersByTime(1)));
    await Promise.all([first, ...others]);
    await late;
    expect(countBefore(log, `${little} is told`, `${much} works`)).toBeLessThan(4);
  });

  it("share a commit when many tenants have one each", async () => {
    const { database, log, write } = openLogged();
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
    const { database, log, write } = openLogged();
    let reading: Promise<unknown> | undefined;
    const read = () =>
      database.read(little, async ({ all }) => {
        log.push("read");
        await countWritten(all);
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

const full = 2;
const normal = 1;

async function synchronous({ all }: TenantRows): Promise<number | undefined> {
  return (await sql<{ synchronous: number }>`pragma synchronous`.execute(all)).rows[0]?.synchronous;
}

/** Opens a store file, and a second connection that reads it. */
function open() {
  const place = sqlite.create();
  const database = openDatabase(place.data, { create: true });
  const other = new SqliteDatabase(place.data);
  const written = other.prepare("select key from meta where key like 'written %' order by key").pluck();
  onTestFinished(async () => {
    other.close();
    await database.close();
    place.remove();
  });
  return { database, readKeys: () => written.all() as string[] };
}

const range = (length: number) => Array.from({ length }, (_, index) => index);

const key = (index: number) => `written ${String(index).padStart(3, "0")}`;

async function insert(db: Kysely<Database>, index: number, value = ""): Promise<void> {
  await db
    .insertInto("meta")
    .values({ key: key(index), value })
    .execute();
}

function keysOf(db: Kysely<Database>): Promise<{ key: string }[]> {
  return db.selectFrom("meta").where("key", "like", "written %").select("key").execute();
}

/** Writes a key per index, all at once. Calls `onTold` after each commit. */
async function writeAll(
  database: OpenDatabase,
  indexes: readonly number[],
  onTold: (index: number) => Promise<unknown>,
): Promise<void> {
  const write = (index: number) =>
    database.write(1, ({ all }) => insert(all, index)).then(() => onTold(index));
  await Promise.all(indexes.map(write));
}

async function pragma(database: OpenDatabase, text: string): Promise<unknown> {
  return (await sql`pragma ${sql.raw(text)}`.execute(database.db)).rows[0];
}

/** Opens a store file that logs its writers' work and their commits. */
function openLogged() {
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

async function countWritten(db: Kysely<Database>): Promise<number | undefined> {
  const { rows } = await sql<{ kept: number }>`select count(*) as kept from written`.execute(db);
  return rows[0]?.kept;
}

/** Counts lines of one kind before the first line of another. */
function countBefore(log: readonly string[], first: string, counted: string): number {
  expect(log).toContain(first);
  return log.slice(0, log.indexOf(first)).filter((line) => line === counted).length;
}
