import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../src/store/open-database.ts";
import { eventually } from "../support/eventually.ts";
import { runOnPostgres } from "../support/postgres-bridge.ts";
import { postgres } from "../support/postgres-database.ts";

const noisy = 1;
const quiet = 2;
const poolMax = 4;

describe("the stores in several schemas of a PostgreSQL database", () => {
  it("do not wait for each other", async () => {
    const place = postgres.create();
    const inSchema = (name: string) => {
      const address = new URL(place.data);
      address.searchParams.set("schema", name);
      return openDatabase(address.href, { create: true });
    };
    const [one, other] = [inSchema("one"), inSchema("other")];
    onTestFinished(async () => {
      for (const database of [one, other]) await database.close();
      place.remove();
    });
    await one.check();
    await one.write(noisy, async ({ own }) => {
      await sql`select 1`.execute(own);
      await other.write(noisy, ({ own: theirs }) => sql`select 1`.execute(theirs));
    });
  });
});

describe("the connections of a process to PostgreSQL", () => {
  it("serve other tenants while one tenant's statements wait", async () => {
    const { database, hold } = open();
    const held = hold();
    const log: string[] = [];
    const stuck = Array.from({ length: 3 * poolMax }, () =>
      database.read(noisy, async ({ own }) => {
        await sql`select pg_advisory_xact_lock_shared(${held.key})`.execute(own);
        log.push("noisy");
      }),
    );
    for (let turn = 0; turn < 3; turn++) {
      await database.read(quiet, ({ own }) => sql`select 1`.execute(own));
      await database.write(quiet, ({ own }) => sql`select 1`.execute(own));
      await sql`select 1`.execute(database.db);
      log.push("quiet");
    }
    expect(log).toEqual(["quiet", "quiet", "quiet"]);
    held.release();
    await Promise.all(stuck);
    expect(log).toHaveLength(3 + 3 * poolMax);
  });

  it("go to the waiting tenant with the fewest connections", async () => {
    const { database, hold } = open();
    const held = hold();
    const begun: number[] = [];
    const ask = (tenant: number) =>
      database.read(tenant, async ({ own }) => {
        begun.push(tenant);
        await sql`select pg_advisory_xact_lock_shared(${held.key})`.execute(own);
      });
    const first = Array.from({ length: poolMax }, () => ask(noisy));
    const all = [...first, ...Array.from({ length: 20 }, () => ask(noisy)), ask(quiet), ask(quiet), ask(3)];
    await eventually(() => expect(begun).toHaveLength(poolMax));
    expect(begun.filter((tenant) => tenant === noisy)).toHaveLength(poolMax - 1);
    held.release();
    await Promise.all(all);
    expect(begun.indexOf(3)).toBeLessThan(poolMax + 2);
    expect(begun.lastIndexOf(quiet)).toBeLessThan(poolMax + 4);
    expect(begun).toHaveLength(all.length);
  });

  it("are refused to writers that wait too long for another of their tenant", async () => {
    const { database } = open("statement_timeout=300");
    let finish = () => {};
    const held = database.write(noisy, () => new Promise<void>((resolve) => (finish = resolve)));
    const late = database.write(noisy, async () => "never", "rows");
    await expect(late).rejects.toMatchObject({ code: "store_unavailable" });
    const next = database.write(noisy, async () => "next");
    finish();
    await held;
    expect(await next).toBe("next");
  });

  it("return to the pool after failures and losses", async () => {
    const { database } = open();
    const failing = Array.from({ length: 3 * poolMax }, () =>
      database.read(noisy, ({ own }) => sql`select 1 / 0`.execute(own)),
    );
    for (const outcome of await Promise.allSettled(failing)) expect(outcome.status).toBe("rejected");
    const cut = Array.from({ length: 3 * poolMax }, () =>
      database.read(noisy, ({ own }) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(own)),
    );
    for (const outcome of await Promise.allSettled(cut)) expect(outcome.status).toBe("rejected");
    const whole = Array.from({ length: 3 * poolMax }, () =>
      database.read(noisy, ({ own }) => sql<{ one: number }>`select 1 as one`.execute(own)),
    );
    for (const { rows } of await Promise.all(whole)) expect(rows).toEqual([{ one: 1 }]);
  });
});

/** Opens a store with few connections. `hold` takes a lock that statements wait for until it is released. */
function open(parameters = "") {
  const place = postgres.create();
  const address = new URL(`${place.data}?${parameters}`);
  address.searchParams.set("pool_max", String(poolMax));
  const database = openDatabase(address.href);
  const key = 77;
  const run = (text: string) => void runOnPostgres(place.direct, [{ sql: text }]);
  onTestFinished(async () => {
    await database.close();
    place.remove();
  });
  return {
    database,
    hold: () => {
      run(`select pg_advisory_lock(${key})`);
      return { key, release: () => run(`select pg_advisory_unlock(${key})`) };
    },
  };
}
