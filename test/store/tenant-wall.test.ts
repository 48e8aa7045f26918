import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newestVersion } from "../../src/models/api-versions.ts";
import type { OpenDatabase } from "../../src/store/api.ts";
import { openDatabase } from "../../src/store/open-database.ts";
import type { OwnedTable } from "../../src/store/schema/database.ts";
import { Harness } from "../support/harness.ts";
import { postgres } from "../support/postgres-database.ts";
import { testStart } from "../support/test-clock.ts";
import { transports } from "../support/transports.ts";

/** Runs queries without a tenant, which no operation does. */
describe("the wall between tenants in PostgreSQL", () => {
  const [inProcess] = transports;
  if (!inProcess) throw new Error("There is no transport.");
  const harness = new Harness(postgres, inProcess);
  let database: OpenDatabase;
  beforeAll(async () => {
    await harness.open();
    database = openDatabase(harness.store.data);
  });
  afterAll(async () => {
    await database.close();
    await harness.close();
  });

  const filled = () =>
    Object.entries(harness.store.contents()).filter(([, rows]) => {
      const tenants = new Set((rows as { tenant_id?: number }[]).map(({ tenant_id }) => tenant_id));
      return tenants.size > 1;
    }) as [OwnedTable, { id: number; tenant_id: number }[]][];

  it("holds for the user of all tests, which is not a superuser", async () => {
    expect((await database.check()).filter((note) => !note.includes("LISTEN"))).toEqual([]);
    expect(filled().length).toBeGreaterThan(8);
  });

  it.each(["read", "write"] as const)(
    "hides all other tenants' rows when a %s forgets the tenant",
    async (way) => {
      const { tenantId } = harness.acme;
      for (const [table, rows] of filled()) {
        const own = rows.filter((row) => row.tenant_id === tenantId);
        const seen = await database[way](tenantId, (tenant) =>
          tenant.own.selectFrom(table).selectAll().execute(),
        );
        expect(seen.length, table).toBe(own.length);
        expect(new Set(seen.map((row) => row.tenant_id))).toEqual(new Set([tenantId]));
      }
    },
  );

  it("hides them from single statements", async () => {
    const { tenantId } = harness.globex;
    const { own } = database.direct(tenantId);
    const seen = await Promise.all([
      own.selectFrom("trucks").select("tenant_id").execute(),
      own.selectFrom("users").select("tenant_id").execute(),
    ]);
    for (const rows of seen) expect(new Set(rows.map((row) => row.tenant_id))).toEqual(new Set([tenantId]));
  });

  it("refuses to insert or change rows of another tenant", async () => {
    const { acme, globex } = harness;
    const before = harness.store.contents();
    const name = "stolen";
    const changed = await database.write(acme.tenantId, ({ own }) =>
      own.updateTable("trucks").set({ name }).where("id", "=", globex.truckId).executeTakeFirst(),
    );
    expect(changed.numUpdatedRows).toBe(0n);
    const hook = { api_version: newestVersion, created_on: testStart, events: "[]", secret: "s", url: "u" };
    const given = database.write(acme.tenantId, ({ own }) =>
      own
        .insertInto("hooks")
        .values({ ...hook, tenant_id: globex.tenantId })
        .execute(),
    );
    await expect(given).rejects.toThrow(/row-level security/);
    const moved = database.write(acme.tenantId, ({ own }) =>
      sql`update trucks set tenant_id = ${globex.tenantId} where id = ${acme.truckId}`.execute(own),
    );
    await expect(moved).rejects.toThrow(/row-level security/);
    expect(harness.store.contents()).toEqual(before);
  });

  it("opens for queries across tenants, and closes again", async () => {
    const { acme, globex } = harness;
    const seen = await database.read(acme.tenantId, async ({ all, own }) => {
      const [across, within] = await Promise.all([
        all.selectFrom("users").select("tenant_id").execute(),
        own.selectFrom("users").select("tenant_id").execute(),
      ]);
      return [across, within, await own.selectFrom("trucks").select("tenant_id").execute()];
    });
    const tenants = seen.map((rows) => [...new Set(rows.map((row) => row.tenant_id))].sort());
    expect(tenants).toEqual([[acme.tenantId, globex.tenantId], [acme.tenantId], [acme.tenantId]]);
  });

  it("shows nothing to a session that names no tenant", () => {
    harness.store.execute("set dispatch.all_tenants = ''");
    try {
      expect(harness.store.rows("trucks")).toEqual([]);
      expect(harness.store.rows("tokens")).toEqual([]);
      expect(harness.store.rows("tenants")).not.toEqual([]);
    } finally {
      harness.store.execute("set dispatch.all_tenants = 'on'");
    }
  });

  it("leaves no setting on a connection that returns to the pool", async () => {
    const one = openDatabase(`${harness.store.data}?pool_max=1`);
    try {
      await one.write(harness.acme.tenantId, ({ own }) => own.selectFrom("users").select("id").execute());
      await one
        .write(harness.acme.tenantId, async () => {
          throw new Error("undone");
        })
        .catch(() => undefined);
      const { rows } = await sql<{ tenant: string; open: string }>`select
        coalesce(current_setting('dispatch.tenant', true), '') as tenant,
        current_setting('dispatch.all_tenants') as open`.execute(one.db);
      expect(rows).toEqual([{ open: "on", tenant: "" }]);
    } finally {
      await one.close();
    }
  });
});
