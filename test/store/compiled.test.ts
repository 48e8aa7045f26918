import { expect, it } from "vitest";
import { roles } from "../../src/models/user.ts";
import { bindToTenant, type TenantAccess, type TenantQueries } from "../../src/store/access/access.ts";
import { defineStatement } from "../../src/store/access/compiled.ts";
import { noMemories } from "../../src/store/access/memories.ts";
import { type RowScope, toRowScopes } from "../../src/store/access/row-scopes.ts";
import type { OpenDatabase } from "../../src/store/api.ts";
import { openDatabase } from "../../src/store/open-database.ts";
import { type OwnedTable, ownedTables } from "../../src/store/schema/database.ts";
import { describeFixture, type Fixture } from "../support/fixture.ts";

const tables = Object.keys(ownedTables) as OwnedTable[];

describeFixture("a statement that is compiled once", (fixture) => {
  it("returns the same rows to each caller of each tenant as a newly built query", async () => {
    await withDatabase(fixture, async (access) => {
      const callers = toCallers(fixture);
      let shown = 0;
      for (const table of tables) {
        const findAll = defineStatement(({ select }: TenantQueries) => select(table as "jobs").selectAll());
        // Run twice, so that each caller also runs statements that others compiled.
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

/** The row scopes of a user with each role, with all roles, and with none, in Acme and in Globex. */
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
