import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openService } from "../../src/core/open-service.ts";
import { copyStoreTo } from "../../src/store/life/copy-store.ts";
import { pruneStore } from "../../src/webhooks/prune.ts";
import { runCommand } from "../support/command-line.ts";
import { databases, type TestDatabase } from "../support/databases.ts";
import { useTempFolder } from "../support/temp-folder.ts";
import { keys, typeCommand } from "../support/typed-command.ts";

const folder = useTempFolder();
const demo = join(folder, "demo.db");

/** Creates two tenants. One has rows in many tables, and its first customer refers to its last. */
beforeAll(async () => {
  await run(["demo", "--jobs", "200", "--data", demo]);
  const [first, last] = ["id", "id desc"].map(
    (order) => `(select id from customers where tenant_id = 2 order by ${order} limit 1)`,
  );
  const { default: SqliteDatabase } = await import("better-sqlite3");
  const db = new SqliteDatabase(demo);
  db.exec(`update customers set parent_id = ${last} where id = ${first}`);
  db.close();
});

async function run(words: readonly string[]) {
  const { code, stderr, stdout } = await runCommand(words);
  expect([words.join(" "), code, code === 0 ? "" : stderr]).toEqual([words.join(" "), 0, ""]);
  return { stderr, stdout };
}

describe.each(databases)("tenants delete on $name", (kind) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = kind.create();
    await copyStoreTo(demo, database.data, () => undefined);
  });
  afterEach(() => database.remove());

  const at = (...words: string[]) => run([...words, "--data", database.data]);

  /** Counts the tenant's rows in every table. */
  function countRows(tenantId: number): Record<string, number> {
    const tables = Object.entries(database.contents()).map(([table, rows]) => {
      const id = table === "tenants" ? "id" : "tenant_id";
      return [table, rows.filter((row) => Number((row as Record<string, unknown>)[id]) === tenantId).length];
    });
    return Object.fromEntries(tables.filter(([, count]) => Number(count) > 0));
  }

  it("deactivates the tenant at once, and keeps its rows for 30 days", async () => {
    const before = countRows(2);
    const { stderr, stdout } = await at("tenants", "delete", "2", "--yes");
    expect(stdout).toMatch(/^Tenant 2 Bluegrass Hauling is inactive\. All its rows are deleted on \d{4}-/);
    expect(stderr).toContain("`dispatch-cli tenants update 2 --is-active true`");
    await at("prune", "--yes", "--tenant", "1,2");
    expect(countRows(2)).toMatchObject({
      customers: before.customers,
      jobs: before.jobs,
      users: before.users,
    });
    await at("tenants", "update", "2", "--is-active", "true");
    const [tenant] = database.query("select deletes_on from tenants where id = 2");
    expect(tenant).toEqual({ deletes_on: null });
  });

  it("leaves no row of the tenant, and changes no other, when the time has come", async () => {
    const other = countRows(1);
    await at("tenants", "delete", "2", "--days", "0", "--yes");
    const plan = await at("prune", "--plan", "--tenant", "2");
    expect(plan.stdout).toBe("tenant 2 (Bluegrass Hauling): the whole tenant\n");
    const pruned = await at("prune", "--yes", "--tenant", "2");
    expect(pruned.stdout).toMatch(/^tenant 2 \(Bluegrass Hauling\): deleted the tenant, \d+ rows\n$/);
    expect(countRows(2)).toEqual({});
    expect(countRows(1)).toEqual(other);
    const next = await at("tenants", "create", "--name", "Next", "-o", "json");
    expect(JSON.parse(next.stdout)).toMatchObject({ deletes_on: null, id: 3 });
  });

  it("leaves out a frozen tenant in prune, and prunes the others", async () => {
    await at("tenants", "freeze", "1", "--frozen-reason", "Moving");
    const { stderr, stdout } = await at("prune", "--yes", "--tenant", "1,2");
    expect(stderr).toContain("tenant 1 (Capital Roll-Off) is frozen: nothing was removed");
    expect(stdout).toMatch(/^tenant 2 \(Bluegrass Hauling\): removed \d+ events\n$/);
    await at("tenants", "unfreeze", "1");
    expect((await at("prune", "--yes", "--tenant", "1")).stdout).toContain(
      "tenant 1 (Capital Roll-Off): removed",
    );
  });

  it("happens in the background of a server, and continues where it was interrupted", async () => {
    await at("tenants", "delete", "2", "--days", "0", "--yes");
    const service = openService({ data: database.data });
    try {
      await service.store.housekeeping.deleteTenantRows(2);
      expect(countRows(2)).toMatchObject({ tenants: 1 });
      // Rows are missing already, and the servers would delete the others from an active tenant.
      for (const words of [
        ["update", "2", "--is-active", "true"],
        ["delete", "2", "--yes"],
      ])
        expect(await runCommand(["tenants", ...words, "--data", database.data])).toMatchObject({
          code: 6,
          stderr: expect.stringContaining("has been deleted since"),
        });
      await pruneStore(service);
      expect(countRows(2)).toEqual({});
    } finally {
      await service.store.close();
    }
  });
});

it("asks for the name of the tenant at a terminal, and changes nothing after another text", async () => {
  const words = `tenants delete 2 --data ${demo}`;
  const { code, stderr } = await typeCommand(words.split(" "), {}, [["to confirm:", `Acme${keys.enter}`]]);
  expect([code, stderr]).toEqual([9, expect.stringContaining("Nothing changed.")]);
});
