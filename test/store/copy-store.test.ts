import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type PluginTransformQueryArgs, type PluginTransformResultArgs, sql } from "kysely";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { makeStore } from "../../src/core/make-store.ts";
import { openService } from "../../src/core/open-service.ts";
import type { Service } from "../../src/core/service.ts";
import { fillDemoStore } from "../../src/demo/fill-demo-store.ts";
import { clientOf } from "../../src/http/local-client.ts";
import { apiVersions, defaultVersion, newestVersion } from "../../src/models/api-versions.ts";
import { wholeTenant } from "../../src/store/access/row-scopes.ts";
import { resumeDeliveries } from "../../src/store/held-deliveries.ts";
import { copyStore, copyStoreTo } from "../../src/store/life/copy-store.ts";
import { openDatabase } from "../../src/store/open-database.ts";
import { pruneStore } from "../../src/webhooks/prune.ts";
import { runCommand } from "../support/command-line.ts";
import { databases, type TestDatabase } from "../support/databases.ts";
import { postgres } from "../support/postgres-database.ts";
import { useTempFolder } from "../support/temp-folder.ts";
import { testStart } from "../support/test-clock.ts";

const folder = useTempFolder();
const source = join(folder, "source.db");
/** The first tenant has more jobs than one batch. */
const jobs = 800;

beforeAll(async () => {
  await makeStore(source, (service) => fillDemoStore(service, clientOf, { jobs, seed: 3 }));
  // Insert a child before its parent, and delete the last id.
  const { db, close } = openDatabase(source);
  const options = { description: "Billing", headers: '{"x-key":"v"}', include_previous: true, rate_limit: 7 };
  await db
    .updateTable("hooks")
    .set({ ...options, paced_until_ms: 1_795_249_800_123 })
    .execute();
  await db.updateTable("events").set({ previous: '{"name":"before"}' }).where("id", "<", 9).execute();
  await db.updateTable("deliveries").set({ is_replay: true }).where("id", "<", 9).execute();
  const customers = await db
    .selectFrom("customers")
    .where("tenant_id", "=", 1)
    .select("id")
    .orderBy("id")
    .execute();
  const [first, last] = [customers.at(0)?.id ?? 0, customers.at(-1)?.id ?? 0];
  await db.updateTable("customers").set({ parent_id: last }).where("id", "=", first).execute();
  await db
    .deleteFrom("contacts")
    .where("id", "=", (eb) => eb.selectFrom("contacts").select((e) => e.fn.max("id").as("id")))
    .execute();
  // Insert more than one batch.
  const uses = Array.from({ length: 700 }, (_, n) => ({
    ...{
      api_version: apiVersions[n % 6] ?? newestVersion,
      operation: `trucks.op-${n}`,
      tenant_id: 1,
      token_id: 1 + (n % 2),
    },
    used_on: "2026-01-05T08:30:00.000000",
  }));
  await db.insertInto("usage").values(uses).execute();
  await close();
});

const quietly = () => undefined;

/** Returns all tables by name, with booleans as numbers, so that the rows of both databases are comparable. */
async function contentsOf(data: string): Promise<Record<string, unknown>> {
  const database = openDatabase(data);
  const { copiedTables } = await import("../../src/store/life/copy-rows.ts");
  const { readShared } = await import("../../src/store/life/copy-rows.ts");
  const tables: Record<string, unknown> = {};
  for (const shared of ["haulers", "tenants"] as const)
    tables[shared] = (await readShared(database.db, shared)).map(toPlain);
  for (const { name } of copiedTables) {
    const rows = await database.db
      .selectFrom(name as "jobs")
      .selectAll()
      .execute();
    tables[name] = rows.map((row) => JSON.stringify(toPlain(row))).sort();
  }
  const sequences = await database.sequences();
  tables.sequences = Object.fromEntries(
    Object.entries(sequences)
      // SQLite keeps one sequence under both names.
      .filter(([name, last]) => last > 0 && name !== "drivers")
      .sort(),
  );
  await database.close();
  return tables;
}

function toPlain(row: object): object {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === "boolean" ? Number(value) : value,
  ]);
  return Object.fromEntries(entries.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
}

describe.each(databases)("a store copied to $name", (kind) => {
  let target: TestDatabase;

  const open = () => {
    target = kind.create();
    return target.data;
  };

  afterEach(() => target.remove());

  it("has the rows of one tenant with the same ids, and nothing of another, when only that one is copied", async () => {
    const data = open();
    await copyStoreTo(source, data, quietly, { tenantId: 2 });
    const [whole, copied] = [await contentsOf(source), await contentsOf(data)];
    const { copiedTables } = await import("../../src/store/life/copy-rows.ts");
    const isOfTenant = (row: string) => (JSON.parse(row) as { tenant_id: number }).tenant_id === 2;
    for (const { name } of copiedTables)
      expect([name, copied[name]]).toEqual([name, (whole[name] as string[]).filter(isOfTenant)]);
    expect(copied.tenants).toEqual((whole.tenants as { id: number }[]).filter(({ id }) => id === 2));
    expect(copied.jobs).not.toEqual([]);
    await expect(
      copyStoreTo(source, join(folder, "none.db"), quietly, { tenantId: 9 }),
    ).rejects.toMatchObject({
      code: "record_not_found",
    });
  });

  it("has the same rows with the same ids, and so has a copy of the copy", async () => {
    const data = open();
    const there = await copyStoreTo(source, data, quietly);
    const expected = await contentsOf(source);
    expect(await contentsOf(data)).toEqual(expected);
    expect(there.tables.jobs).toBe(jobs);
    const back = join(folder, `back-from-${kind.name}.db`);
    await copyStoreTo(data, back, quietly);
    expect(await contentsOf(back)).toEqual(expected);
  });

  it("does not reuse ids of the source", async () => {
    const data = open();
    const database = openDatabase(source);
    const last = (await database.sequences()).contacts ?? 0;
    await database.close();
    await copyStoreTo(source, data, quietly);
    const service = openService({ data });
    const [tenant] = await service.store.accounts.tenants();
    const contact = {
      email: null,
      fax: null,
      name: "New",
      notify_on_acknowledged_request: false,
      notify_on_completed_request: false,
      notify_on_dispatched_request: false,
      notify_on_failed_request: false,
      notify_on_new_request: false,
      number: null,
    };
    const made = await service.store.write(
      { tenantId: tenant?.id ?? 0, rowScopes: [{ kind: "tenant" }] },
      (store) => store.customers.insertContact(1, contact),
    );
    await service.store.close();
    expect(made.id).toBe(last + 1);
  });

  it("refuses work while it is incomplete, continues where it stopped, and is then complete", async () => {
    const data = open();
    const interrupted = copyStoreTo(source, data, ({ table, done }) => {
      if (table === "jobs" && done >= 500) throw new Error("interrupted");
    });
    await expect(interrupted).rejects.toThrow("interrupted");
    const half = kind.name === "SQLite" ? `${data}.copying` : data;
    const database = openDatabase(half);
    const tenants = await database.db.selectFrom("tenants").select("is_active").execute();
    await database.close();
    expect(tenants.map(({ is_active }) => Boolean(is_active))).toEqual([false, false]);
    const { code, stderr } = await runCommand(["locations", "list", "--tenant", "1", "--data", half]);
    expect([code, stderr]).toEqual([8, expect.stringContaining("unfinished copy")]);
    await expect(copyStoreTo(half, join(folder, `${kind.name}-of-half.db`), quietly)).rejects.toMatchObject({
      code: "store_unreadable",
    });
    const copiedFrom: number[] = [];
    await copyStoreTo(source, data, ({ table, done }) => void (table === "jobs" && copiedFrom.push(done)));
    expect(copiedFrom[0]).toBeGreaterThanOrEqual(500);
    expect(await contentsOf(data)).toEqual(await contentsOf(source));
  });

  it("sends and deletes nothing while it is incomplete", async () => {
    const data = open();
    const sending = join(folder, `sending-${kind.name}.db`);
    await copyStoreTo(source, sending, quietly);
    const opened = openDatabase(sending);
    const hook = { api_version: defaultVersion, created_on: "2026-01-01T00:00:00.000000", events: '["Job"]' };
    const { id: hook_id } = await opened.db
      .insertInto("hooks")
      .values({ ...hook, secret: "c2VjcmV0LWtleS0xMjM0NTY=", tenant_id: 1, url: "http://127.0.0.1:9/" })
      .returning("id")
      .executeTakeFirstOrThrow();
    const event = { action: "created", created_on: hook.created_on, kind: "Job", record_id: 1 };
    const { id: event_id } = await opened.db
      .insertInto("events")
      .values({ ...event, data: "{}", tenant_id: 1, uuid: "e" })
      .returning("id")
      .executeTakeFirstOrThrow();
    const delivery = { ...event, attempt: 0, event_id, hook_id, status: "pending" } as const;
    const due = { next_attempt_on: hook.created_on, tenant_id: 1, uuid: "d" };
    await opened.db
      .insertInto("deliveries")
      .values({ ...delivery, ...due })
      .execute();
    await opened.close();
    const interrupted = copyStoreTo(sending, data, ({ table }) => {
      if (table === "audit") throw new Error("interrupted");
    });
    await expect(interrupted).rejects.toThrow("interrupted");
    const service = openService({ data: kind.name === "SQLite" ? `${data}.copying` : data });
    const { backlog } = service.store;
    const eventsOf = async () => (await openedEvents(service)).length;
    const before = await eventsOf();
    await pruneStore(service);
    expect([await backlog.endpointsDue(service.clock.now()), await eventsOf()]).toEqual([[], before]);
    await service.store.close();
    await copyStoreTo(sending, data, quietly);
    const whole = openService({ data });
    // The copy sends nothing until somebody resumes its deliveries.
    expect(await whole.store.backlog.endpointsDue(whole.clock.now())).toEqual([]);
    await resumeDeliveries(whole.store, null);
    expect(await whole.store.backlog.endpointsDue(whole.clock.now())).toEqual([
      { hookId: hook_id, tenantId: 1 },
    ]);
    await whole.store.close();
  });

  it.each([
    ["a tenant", "update tenants set phone = '202-555-0100' where id = 1"],
    ["a customer", "update customers set name = 'Changed' where id = 1"],
  ])("is refused when %s of the source changed in between", async (what, change) => {
    const data = open();
    const changing = join(folder, `${what}-${kind.name}.db`);
    await copyStoreTo(source, changing, quietly);
    const interrupted = copyStoreTo(changing, data, ({ table }) => {
      if (table === "jobs") throw new Error("interrupted");
    });
    await expect(interrupted).rejects.toThrow("interrupted");
    const { db, close } = openDatabase(changing);
    await sql.raw(change).execute(db);
    await close();
    await expect(copyStoreTo(changing, data, quietly)).rejects.toMatchObject({ code: "state_conflict" });
  });

  it("does not replace an existing store", async () => {
    const data = open();
    await copyStoreTo(source, data, quietly);
    const before = await contentsOf(data);
    await expect(copyStoreTo(source, data, quietly)).rejects.toMatchObject({ code: "store_exists" });
    expect(await contentsOf(data)).toEqual(before);
  });
});

/** Reads a page of the first tenant's events. */
async function openedEvents({ store }: Service) {
  const filters = { after: null, record: null, since: null, type: null };
  const scope = { tenantId: 1, rowScopes: wholeTenant };
  const page = await store.read(scope, ({ events }) => events.page(filters, { index: 1, limit: 1000 }));
  return page.rows;
}

it("is checked without a long idle transaction on PostgreSQL", async () => {
  const address = postgres.create();
  await copyStoreTo(source, address.data, quietly);
  const [from, to] = [openDatabase(address.data), openDatabase(join(folder, "slow.db"), { create: true })];
  const impatient: typeof from = {
    ...from,
    readAll: (work) =>
      from.readAll(async (rows) => {
        await sql`set local idle_in_transaction_session_timeout = '2s'`.execute(rows.own);
        return work(rows);
      }),
  };
  const slowly = {
    transformQuery: ({ node }: PluginTransformQueryArgs) => node,
    transformResult: async ({ result }: PluginTransformResultArgs) => {
      if ("pickup_of" in (result.rows[0] ?? {})) await setTimeout(1200);
      return result;
    },
  };
  const slow: typeof to = {
    ...to,
    read: (tenantId, work) =>
      to.read(tenantId, (rows) => work({ ...rows, own: rows.own.withPlugin(slowly) })),
  };
  try {
    expect(
      (
        await copyStore(impatient, slow, quietly, {
          hold: { since: testStart, reason: "a copy" },
          tenantId: null,
        })
      ).tables.jobs,
    ).toBe(jobs);
  } finally {
    await Promise.all([from.close(), to.close()]);
    address.remove();
  }
});

it("leaves no file when the source is missing", async () => {
  const target = join(folder, "never.db");
  await expect(copyStoreTo(join(folder, "missing.db"), target, quietly)).rejects.toMatchObject({
    code: "store_not_found",
  });
  expect(existsSync(target)).toBe(false);
  expect(existsSync(`${target}.copying`)).toBe(false);
});
