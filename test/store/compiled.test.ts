import { expect, it } from "vitest";
import { roles } from "../../src/models/user.ts";
import { bindToTenant, type TenantAccess, type TenantQueries } from "../../src/store/access/access.ts";
import { defineStatement, type ListParameter, type Parameter } from "../../src/store/access/compiled.ts";
import { noMemories } from "../../src/store/access/memories.ts";
import { type RowScope, toRowScopes, wholeTenant } from "../../src/store/access/row-scopes.ts";
import type { OpenDatabase } from "../../src/store/api.ts";
import { openDatabase } from "../../src/store/open-database.ts";
import { type OwnedTable, ownedTables } from "../../src/store/schema/database.ts";
import { describeFixture, type Fixture } from "../support/fixture.ts";

const tables = Object.keys(ownedTables) as OwnedTable[];

describeFixture("a statement that is compiled once", (fixture) => {
  it("shows each caller of each tenant the rows that the same query shows when it is built anew", async () => {
    await withDatabase(fixture, async (access) => {
      const callers = toCallers(fixture);
      let shown = 0;
      for (const table of tables) {
        const findAll = defineStatement(({ select }: TenantQueries) => select(table as "jobs").selectAll());
        // Twice, so that each caller also runs what the others have left.
        for (const [tenantId, scopes] of [...callers, ...callers.reverse()]) {
          const { run, select } = access(tenantId, scopes);
          const rows = await run(findAll, {});
          expect(rows, `${table} to ${JSON.stringify(scopes)}`).toEqual(
            await select(table as "jobs")
              .selectAll()
              .execute(),
          );
          expect(new Set(rows.map((row) => row.tenant_id)).size).toBeLessThanOrEqual(1);
          shown += rows.length;
        }
      }
      expect(shown).toBeGreaterThan(100);
    });
  });

  it("has one text for all tenants and callers whose scopes are of the same kinds, and others for other kinds", async () => {
    await withDatabase(fixture, async (access) => {
      const { acme, globex } = fixture.harness;
      const findJob = defineStatement(({ select }: TenantQueries, { id }: { id: Parameter<number> }) =>
        select("jobs").where("id", "=", id).select("id"),
      );
      const at = (locationId: number): RowScope[] => [{ kind: "location", locationId }];
      const ask = (tenantId: number, scopes: readonly RowScope[], id: number | string) =>
        access(tenantId, scopes).run(findJob, { id: Number(id) });
      const own = Number(fixture.own.job_id);
      expect(await ask(acme.tenantId, wholeTenant, own)).toEqual([{ id: own }]);
      expect(await ask(globex.tenantId, wholeTenant, own)).toEqual([]);
      expect(findJob.compiled.size).toBe(1);
      expect(await ask(acme.tenantId, at(acme.locationId), own)).toEqual([{ id: own }]);
      expect(await ask(acme.tenantId, at(fixture.otherLocationId), own)).toEqual([]);
      expect(findJob.compiled.size).toBe(2);
      expect(await ask(acme.tenantId, [], own)).toEqual([]);
      expect(findJob.compiled.size).toBe(3);
      const values = [...findJob.compiled.values()].flatMap(({ parameters }) => parameters);
      expect(values.filter((value) => typeof value !== "object")).toEqual([]);
    });
  });

  it("has one text for lists of any length", async () => {
    await withDatabase(fixture, async (access) => {
      const { tenantId } = fixture.harness.acme;
      const findJobs = defineStatement(({ select }: TenantQueries, { ids }: { ids: ListParameter<number> }) =>
        select("jobs")
          .where("id", ...ids)
          .select("id"),
      );
      const { run } = access(tenantId, wholeTenant);
      const own = Number(fixture.own.job_id);
      const foreign = Number(fixture.foreign.job_id);
      expect(await run(findJobs, { ids: [] })).toEqual([]);
      expect(await run(findJobs, { ids: [own] })).toEqual([{ id: own }]);
      const many = Array.from({ length: 300 }, (_, index) => own + 100_000 + index);
      expect(await run(findJobs, { ids: [...many, foreign, own] })).toEqual([{ id: own }]);
      expect(findJobs.compiled.size).toBe(1);
    });
  });

  it("has a text for each variant", async () => {
    await withDatabase(fixture, async (access) => {
      const { tenantId } = fixture.harness.acme;
      const findUsers = defineStatement(
        ({ select }: TenantQueries, _: unknown, variant: { order: "asc" | "desc" }) =>
          select("users").select("id").orderBy("id", variant.order),
      );
      const { run } = access(tenantId, wholeTenant);
      const up = await run(findUsers, {}, { order: "asc" });
      expect(up.length).toBeGreaterThan(1);
      expect(await run(findUsers, {}, { order: "desc" })).toEqual(up.toReversed());
    });
  });
});

type Bind = (tenantId: number, rowScopes: readonly RowScope[]) => TenantAccess;

async function withDatabase({ harness }: Fixture, test: (access: Bind) => Promise<void>): Promise<void> {
  const database: OpenDatabase = openDatabase(harness.store.data);
  try {
    await test((tenantId, scopes) => bindToTenant(database.direct(tenantId), tenantId, scopes, noMemories));
  } finally {
    await database.close();
  }
}

/** The scopes of Acme's user of each role, of all roles together and of none, and the same in Globex. */
function toCallers({ harness }: Fixture): [tenantId: number, scopes: RowScope[]][] {
  const { acme, globex } = harness;
  const scopes = roles.map((role) => toRowScopes(acme.callers[role].user, [role]));
  const location: RowScope = { kind: "location", locationId: acme.locationId };
  const combined = [...scopes, scopes.flat().filter(({ kind }) => kind !== "tenant"), [location], []];
  return combined.flatMap((each): [number, RowScope[]][] => [
    [acme.tenantId, each],
    [globex.tenantId, each],
  ]);
}
