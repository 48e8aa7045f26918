import { CompiledQuery } from "kysely";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { parsePostgresAddress } from "../../src/store/postgres/address.ts";
import { PostgresPool } from "../../src/store/postgres/pool.ts";
import { toLocalSettings, toSessionSettings } from "../../src/store/postgres/session-settings.ts";
import type { TestDatabase } from "../support/databases.ts";
import { findPgBouncer } from "../support/pgbouncer.ts";
import { postgres } from "../support/postgres-database.ts";

let place: TestDatabase;
beforeAll(() => {
  place = postgres.create();
});
afterAll(() => place.remove());

function open(data: string): PostgresPool {
  const pool = new PostgresPool(parsePostgresAddress(data));
  onTestFinished(() => pool.end());
  return pool;
}

async function ask(pool: PostgresPool, sql: string): Promise<unknown[]> {
  const connection = await pool.acquire();
  const { rows } = await connection.run(CompiledQuery.raw(sql)).finally(() => connection.release());
  return rows;
}

const settings = `select current_setting('dispatch.all_tenants') as open, current_setting('statement_timeout') as timeout,
  current_setting('search_path') as path, current_setting('datestyle') like 'ISO%' as iso,
  current_setting('geqo') as geqo, (select count(*)::int from pg_prepared_statements) as prepared`;
const parameters = "schema=public&statement_timeout=7000&options=-c%20geqo%3Doff";

describe("a pool of connections to PostgreSQL itself", () => {
  it("has its settings from the start of each session, and keeps statements prepared", async () => {
    const pool = open(`${place.direct}?${parameters}&pool_max=1`);
    for (let times = 0; times < 3; times++) await ask(pool, settings);
    expect(await ask(pool, settings)).toEqual([
      { geqo: "off", iso: true, open: "on", path: "public", prepared: 1, timeout: "7s" },
    ]);
    expect(pool.mode).toBe("session");
  });

  it("leaves nothing in a session when the address names a pooler", async () => {
    const pool = open(`${place.direct}?${parameters}&pool_max=1&pool_mode=transaction`);
    for (let times = 0; times < 3; times++) await ask(pool, settings);
    const [kept] = await ask(pool, settings);
    expect(kept).toEqual({ geqo: "off", iso: true, open: "on", path: "public", prepared: 0, timeout: "7s" });
    const connection = await pool.acquire();
    // No transaction sees the settings of the one before: the database's defaults are back.
    await connection.begin("begin", "set local dispatch.tenant = '7'");
    await connection.commit();
    await connection.begin("begin");
    const { rows } = await connection.run(
      CompiledQuery.raw("select nullif(current_setting('dispatch.tenant', true), '') as tenant"),
    );
    expect(rows).toEqual([{ tenant: null }]);
    await connection.rollBack();
    connection.release();
  });

  it("accepts any text as a setting, and refuses other options", () => {
    const withOptions = (options: string) =>
      toLocalSettings(
        toSessionSettings(parsePostgresAddress(`postgres://h/d?options=${encodeURIComponent(options)}`)),
      );
    expect(withOptions("-c my.text=a\\ 'b\\\\c --lock-timeout=5s -cmy.x=1")).toContain(
      "set_config('my.text', E'a ''b\\\\c', true), set_config('lock_timeout', '5s', true), set_config('my.x', '1', true)",
    );
    for (const options of ["-c", "-c name", "-B 5", "name=value"])
      expect(() => withOptions(options)).toThrow(/options/);
  });
});

describe.skipIf(findPgBouncer() === null)(
  "a pool of connections to PgBouncer in transaction mode (skipped where pgbouncer is not installed)",
  () => {
    it("is detected", async () => {
      const pool = open(place.data);
      await ask(pool, "select 1");
      expect([pool.mode, new URL(place.data).port]).not.toEqual(["session", new URL(place.direct).port]);
      expect(pool.mode).toBe("transaction");
    });

    it("has its settings in each statement, whatever its session", async () => {
      const pool = open(`${place.data}?${parameters}`);
      const asked = await Promise.all(Array.from({ length: 40 }, () => ask(pool, settings)));
      const expected = { geqo: "off", iso: true, open: "on", path: "public", prepared: 0, timeout: "7s" };
      expect(asked).toEqual(Array(40).fill([expected]));
      // Another client of the pooler's sessions finds the default settings.
      const foreign = open(`${place.data}?pool_mode=transaction`);
      const [found] = await ask(foreign, "select current_setting('statement_timeout') as timeout");
      expect(found).toEqual({ timeout: "30s" });
    });
  },
);
