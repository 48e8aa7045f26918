import pg from "pg";
import { expect, it, vi } from "vitest";
import { loadOperations } from "../../src/operations/index.ts";
import { ownedTables } from "../../src/store/schema/database.ts";
import { describeFixtureInProcess } from "../support/fixture.ts";
import { nameOf, toDryCall } from "../support/valid-call.ts";

/** Statements on tenants' tables that name no tenant for one of them, with the reason. */
const exceptions: readonly { statement: RegExp; why: string }[] = [
  {
    statement: /^select \* from "tokens" where "id" = \$1( for share)?$/,
    why: "A token names its tenant, which is not known before.",
  },
  {
    statement: /^with recursive "descendants" as \(select "tokens"\."id" from "tokens"/,
    why: "A token may have made others in each tenant where its person works; all of them end with it.",
  },
  {
    statement: /^select "token_id", max\("used_on"\) .* in \(select "users"\."tenant_id" from "users" where/,
    why: "A person's tokens, and when each was used, are of all tenants where the person works.",
  },
  {
    statement: /^select \* from "tenants" .* in \(select "tenant_id" from "users" where "uid" = /,
    why: "Which tenants a person works in is asked of all of them.",
  },
];

const operations = (await loadOperations()).filter(({ ofServer }) => !ofServer);
const owned = Object.keys(ownedTables).join("|");
const mentions = new RegExp(`\\b(?:from|join|into|update|using) (?:only )?"?(?:${owned})\\b"?(?!\\()`, "g");
const bindings = /\btenant_id"? (?:=|in\b)/g;
const insertedTenant = /^insert into "?\w+"? \([^)]*\btenant_id\b/;

/** Whether a statement names the tenant for each tenant's table that it uses. */
function namesTenant(statement: string): boolean {
  const named = (statement.match(bindings) ?? []).length + (insertedTenant.test(statement) ? 1 : 0);
  return named >= (statement.match(mentions) ?? []).length;
}

/** The statements that the driver runs during `work`. */
async function recordStatements(work: () => Promise<void>): Promise<string[]> {
  const statements = new Set<string>();
  const query: (...given: unknown[]) => unknown = pg.Client.prototype.query;
  const spy = vi.spyOn(pg.Client.prototype as { query: typeof query }, "query");
  spy.mockImplementation(function (this: unknown, ...given) {
    const [asked] = given as [string | { text: string }];
    statements.add(typeof asked === "string" ? asked : asked.text);
    return Reflect.apply(query, this, given);
  });
  await work().finally(() => spy.mockRestore());
  return [...statements];
}

describeFixtureInProcess("all operations together", (fixture) => {
  const { harness } = fixture;

  it.runIf(harness.database.name === "PostgreSQL")(
    "name the tenant for each table of a tenant in each statement, except in queries across tenants",
    async () => {
      const statements = await recordStatements(async () => {
        for (const operation of operations)
          await harness.call(nameOf(operation), toDryCall(operation, fixture));
      });
      expect(statements.filter((statement) => statement.search(mentions) >= 0).length).toBeGreaterThan(100);
      const without = statements.filter((statement) => !namesTenant(statement));
      const isKnown = (text: string) => exceptions.some(({ statement }) => statement.test(text));
      expect(without.filter((text) => !isKnown(text))).toEqual([]);
      const idle = exceptions.filter(({ statement }) => !without.some((text) => statement.test(text)));
      expect(idle).toEqual([]);
    },
  );
});

it("detects a statement that forgets the tenant, also for one table of two", () => {
  expect(namesTenant('select * from "jobs" where "id" = $1')).toBe(false);
  expect(
    namesTenant('select "tenant_id" from "jobs", (select 1 from "users") where "jobs"."tenant_id" = $1'),
  ).toBe(false);
  expect(namesTenant('insert into "trucks" ("name") values ($1)')).toBe(false);
  expect(namesTenant('insert into "trucks" ("name", "tenant_id") values ($1, $2)')).toBe(true);
});
