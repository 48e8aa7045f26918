import { type CompiledQuery, type Kysely, type KyselyPlugin, SelectQueryNode } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toActor } from "../../src/core/actor.ts";
import { callOperation } from "../../src/core/call-operation.ts";
import { type Operation, rolesOf } from "../../src/core/operation.ts";
import { newestVersion } from "../../src/models/api-versions.ts";
import type { Role } from "../../src/models/user.ts";
import { loadOperation, loadOperations } from "../../src/operations/index.ts";
import { wholeTenant } from "../../src/store/access/row-scopes.ts";
import type { OpenDatabase } from "../../src/store/api.ts";
import { openDatabase } from "../../src/store/open-database.ts";
import type { Database } from "../../src/store/schema/database.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { aCustomer, aHook, aJob } from "../support/builders.ts";
import { type DatabaseKind, databases } from "../support/databases.ts";
import { Harness } from "../support/harness.ts";
import { transports } from "../support/transports.ts";

/** Filters that need their own plan, in addition to unfiltered lists. */
const filters: Record<string, (harness: Harness) => Record<string, string>[]> = {
  "customers.list": () => [
    { name: "First of Acme" },
    { parent_id: "7" },
    { reference_number: "PO-7" },
    { active: "true" },
    { page_after: "7" },
  ],
  "drivers.all": ({ acme }) => [{ page_after: `${acme.locationId},${acme.driverId}` }],
  "trucks.all": ({ acme }) => [{ page_after: `${acme.locationId},${acme.truckId}` }],
  "jobs.list": ({ acme }) => [
    { truck_id: String(acme.truckId) },
    { driver_id: String(acme.driverId) },
    { completed_by: String(acme.callers.Driver.user.id) },
    { is_dispatched: "true" },
    { reference_number: "PO-7" },
    { schedule_from: "2027-01-01" },
    { completed: "false" },
    { schedule_gte: "2026-01-01", schedule_lt: "2026-02-01" },
    { completed_gte: "2026-01-01", completed_lt: "2026-02-01" },
    { completed_gte: "2026-01-01", order: "id", page_after: "7" },
    { order: "id" },
    { order: "id", page_after: "7" },
    { order: "id", page_after: "7", completed: "false" },
    { order: "id", page_after: "7", truck_id: String(acme.truckId) },
    { page_after: "2026-01-01,-5,7" },
    { completed: "false", page_after: "2026-01-01,-5,7" },
  ],
};

/** The tables that the test makes large, by copying a row of each tenant. */
const copied = [
  "addresses",
  "assets",
  "audit",
  "contacts",
  "customers",
  "drivers",
  "events",
  "gps_events",
  "hooks",
  "jobs",
  "tokens",
  "trucks",
];

const large = [...copied, "customer_locations", "deliveries", "users"];

const [inProcess] = transports;

describe.each(databases)("the plans of list queries on $name", (kind) => {
  if (!inProcess) throw new Error("There is no transport.");
  const harness = new Harness(kind, inProcess);
  let database: OpenDatabase;

  beforeAll(async () => {
    await harness.open();
    await fill(harness);
    database = openDatabase(harness.store.data);
  });
  afterAll(async () => {
    await database.close();
    await harness.close();
  });

  it("find an index for every table that grows", async () => {
    const lists = (await loadOperations()).filter((operation) => "page_limit" in operation.query);
    expect(lists.length).toBeGreaterThan(8);
    const wrong: string[] = [];
    const seen = new Set<string>();
    for (const operation of lists) {
      const queries = [{}, ...(filters[operation.name]?.(harness) ?? [])];
      for (const role of rolesOf(operation)) {
        for (const query of queries) {
          const recorder = new Recorder();
          await list(recorder.record(database), operation, role, query);
          for (const compiled of recorder.queries) {
            if (seen.has(compiled.sql)) continue;
            seen.add(compiled.sql);
            const scanned = await findScans(kind, database, harness.acme.tenantId, compiled);
            wrong.push(
              ...scanned.map(
                (table) =>
                  `${operation.name} as ${role} ${JSON.stringify(query)} reads all of ${table}: ${compiled.sql}`,
              ),
            );
          }
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(seen.size).toBeGreaterThan(30);
  });

  it("find an index for all queries of workers", async () => {
    const { acme, clock } = harness;
    const recorder = new Recorder();
    const recorded = recorder.record(database);
    const hookId = Number(harness.store.rows("hooks").find((row) => row.tenant_id === acme.tenantId)?.id);
    const now = clock.now();
    const claim = {
      firstEventId: 0,
      hookId,
      leasedBy: "plan",
      leasedUntil: "2099-01-01T00:00:00.000000",
      limit: 4,
      now,
    };
    const { dueDeliveries, erasures, idempotencyKeys, retention } = recorded.direct({
      tenantId: acme.tenantId,
      rowScopes: wholeTenant,
    });
    await recorded.backlog.endpointsDue(now);
    await recorded.backlog.oldestPendingDelivery();
    await recorded.backlog.hookHealth(1000);
    const [due] = await dueDeliveries.claim(claim);
    if (!due) throw new Error("Nothing was due.");
    await dueDeliveries.unblockNext([due.id], now);
    await dueDeliveries.haveFailed(hookId, now, 10);
    await dueDeliveries.release(due, now);
    for (const rule of await retention.rules()) {
      const short = { ...rule, keptFor: "1s" };
      await retention.isDue(short, "2000-01-01T00:00:00.000000");
      await retention.prune(short, "2000-01-01T00:00:00.000000", 100);
    }
    await idempotencyKeys.hasOlder(now);
    await idempotencyKeys.forgetAnswers(100);
    await erasures.next();
    await erasures.isBeingSent(1, now);
    await erasures.eraseFormerJobs(1, 0, { word: "erased" });
    await erasures.messagesOf(1, 1, 0);
    await erasures.placesOf(1, 0);
    await erasures.idsOfCustomer("jobs", 1, { afterId: 0, max: 10 });
    expect(recorder.queries.length).toBeGreaterThan(7);
    const scans: string[] = [];
    for (const compiled of recorder.queries) {
      const scanned = await findScans(kind, database, null, compiled);
      scans.push(...scanned.map((table) => `${table}: ${compiled.sql}`));
    }
    // The query for due webhooks scans all webhooks, of which there are few.
    expect(scans.filter((scan) => !scan.startsWith("hooks: "))).toEqual([]);
  });

  it.each<[string, Record<string, string>, string]>([
    ["open", { completed: "false" }, "jobs_open_in_order"],
    ["open and unassigned", { completed: "false", is_dispatched: "false" }, "jobs_open_by_truck"],
    ["late", { completed: "false", schedule_lt: "2026-02-01" }, "jobs_open_in_order"],
    ["failed", { failed: "true" }, "jobs_failed_in_order"],
    ["deleted", { deleted: "false" }, "jobs_deleted_in_order"],
    ["recently completed", { completed_gte: "2099-01-01" }, "jobs_by_change"],
  ])("read none of the history for %s jobs", async (_, query, index) => {
    const recorder = new Recorder();
    await list(recorder.record(database), await loadOperation("jobs.list"), "Admin", query);
    const pages = recorder.queries.filter(({ sql }) => sql.includes('order by "jobs"."schedule_key"'));
    expect(pages).toHaveLength(1);
    for (const compiled of pages) {
      const plan = (await explain(kind, database, harness.acme.tenantId, compiled)).join("\n");
      expect(plan).toContain(index);
    }
  });

  it("read only the last place of each truck", async () => {
    const recorder = new Recorder();
    const operation = await loadOperation("gps.last");
    await list(recorder.record(database), operation, "Dispatcher", {});
    const ordered = recorder.queries.filter(({ sql }) => sql.includes('"measured_on" desc'));
    expect(ordered).not.toEqual([]);
    for (const compiled of ordered) {
      const plan = await explain(kind, database, harness.acme.tenantId, compiled);
      expect(plan.join("\n")).toContain("gps_events_by_time");
    }
  });

  it.each(["trucks", "drivers"] as const)("take the order of all %s from the index", async (noun) => {
    const recorder = new Recorder();
    await list(recorder.record(database), await loadOperation(`${noun}.all`), "Dispatcher", {});
    const ordered = recorder.queries.filter(({ sql }) => sql.includes('order by "location_id"'));
    expect(ordered).toHaveLength(1);
    for (const compiled of ordered) {
      const plan = (await explain(kind, database, harness.acme.tenantId, compiled)).join("\n");
      expect(plan).toContain(`${noun}_by_location`);
      expect(plan).not.toMatch(/sort|temp b-tree/i);
    }
  });

  it("fail this test if they read a whole table", async () => {
    const { db } = database;
    const query = db.selectFrom("jobs").selectAll().where("record", "=", "x").compile();
    expect(await findScans(kind, database, null, query)).toEqual(["jobs"]);
    const counts = harness.store.rowCounts();
    const small = large.filter((table) => Number(counts[table]) < 8000);
    expect(small).toEqual([]);
  });

  it("find an index for lookups without a tenant", async () => {
    const { db } = database;
    const queries = [
      db.selectFrom("tokens").selectAll().where("id", "=", 1).compile(),
      db.selectFrom("users").selectAll().where("uid", "=", "x").where("tenant_id", "=", 1).compile(),
      db.selectFrom("users").select("tenant_id").where("uid", "=", "x").compile(),
    ];
    for (const query of queries) expect(await findScans(kind, database, null, query)).toEqual([]);
  });

  async function list(store: Store, operation: Operation, role: Role, query: Record<string, string>) {
    const { acme, service } = harness;
    const { user } = acme.callers[role];
    const ids: Record<string, number | string> = {
      customer_id: acme.customerId,
      driver_id: acme.driverId,
      hauler_uuid: acme.haulerId,
      location_id: acme.locationId,
      truck_id: acme.truckId,
    };
    const names = [...operation.route.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
    const call = callOperation({ ...service, store }, operation, {
      actor: toActor(acme.tenantId, user, null, null),
      body: async () => undefined,
      params: Object.fromEntries(names.map((name) => [name, String(ids[name] ?? 1)])),
      query,
      requestId: service.makeUuid(),
      version: newestVersion,
    });
    // A role that may not see the parent record gets 404 instead of a list.
    await call.catch((error: Error) => expect(error).toMatchObject({ code: "record_not_found" }));
  }
});

/** Inserts few rows of Acme among many of Globex into each table, as in a store with many tenants. */
async function fill(harness: Harness): Promise<void> {
  const { acme, globex, store } = harness;
  const params = { location_id: acme.locationId };
  await harness.ok("jobs.create", { body: aJob(acme, { truck_id: acme.truckId }), params });
  await harness.ok("customers.create", { body: aCustomer({ contacts: [{ name: "Ann" }] }), params });
  await harness.ok("assets.create", { body: {}, params });
  for (const { driverId, locationId, tenantId, truckId } of [acme, { ...globex, truckId: null }]) {
    store.insert("gps_events", {
      created_on: harness.clock.now(),
      driver_id: driverId,
      latitude: 38.9,
      location_id: locationId,
      longitude: -77,
      measured_on: harness.clock.now(),
      tenant_id: tenantId,
      truck_id: truckId,
    });
  }
  const elsewhere = { as: globex.caller, params: { location_id: globex.locationId } };
  await harness.ok("assets.create", { ...elsewhere, body: {} });
  for (const [tenantId, copies] of [
    [acme.tenantId, 500],
    [globex.tenantId, 8000],
  ] as const) {
    for (const table of copied) {
      const row = store.rows(table).find((candidate) => candidate.tenant_id === tenantId);
      if (row) store.multiply(table, Number(row.id), copies);
    }
    // Insert rows that must be unique.
    store.execute(`insert into users (tenant_id, created_on, customer_ids, is_active, roles, uid, username)
      select tenant_id, created_on, '[]', (1 = 1), '["CrmUser"]', 'uid-' || id, 'user-' || id
      from customers where tenant_id = ${tenantId}`);
    store.execute(`insert into customer_locations
        (tenant_id, customer_id, location_id, created_on, is_active, last_updated_on)
      select tenant_id, id, (select min(id) from locations where tenant_id = ${tenantId}), created_on, (1 = 1), created_on
      from customers where tenant_id = ${tenantId} and id not in
        (select customer_id from customer_locations where tenant_id = ${tenantId})`);
  }
  await harness.ok("hooks.create", { body: aHook() });
  store.execute(`insert into deliveries (tenant_id, action, attempt, created_on, event_id, hook_id, kind,
      next_attempt_on, record_id, status, uuid)
    select tenant_id, action, 0, created_on, id, (select max(id) from hooks where hooks.tenant_id = events.tenant_id),
      kind, created_on, id, case when id % 10 = 0 then 'pending' else 'delivered' end, 'uuid-' || id from events`);
  // Make most jobs old: few are open, failed, or deleted.
  store.execute(
    `update jobs set is_completed = (id % 50 <> 0), is_failed = (id % 50 = 1), is_deleted = (id % 50 = 2)`,
  );
  store.execute("analyze");
}

/** Records the queries of a store. */
class Recorder {
  readonly queries: CompiledQuery[] = [];

  record(database: OpenDatabase): Store {
    const note = (db: Kysely<Database>) => this.#note(db);
    const recorded: OpenDatabase = {
      ...database,
      db: note(database.db),
      direct: (tenantId) => {
        const { own, ...rows } = database.direct(tenantId);
        return { ...rows, own: note(own) };
      },
      read: (tenantId, work) =>
        database.read(tenantId, ({ all, own, ...rows }) => work({ ...rows, all: note(all), own: note(own) })),
    };
    return createStore(recorded, async () => undefined);
  }

  /** Records newly built queries through a plugin, and compiled ones in `executeQuery`. */
  #note(db: Kysely<Database>): Kysely<Database> {
    const plugin: KyselyPlugin = {
      transformQuery: ({ node, queryId }) => {
        // Skip select nodes without selections: the store inspects them but never runs them.
        const isRun = !SelectQueryNode.is(node) || node.selections;
        if (isRun) this.queries.push(db.getExecutor().compileQuery(node, queryId));
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const noted = db.withPlugin(plugin);
    noted.executeQuery = (query) => {
      const compiled = "compile" in query ? query.compile() : query;
      this.queries.push(compiled);
      return db.executeQuery(compiled);
    };
    return noted;
  }
}

/** Returns the large tables that a query scans completely. */
async function findScans(
  kind: DatabaseKind,
  database: OpenDatabase,
  tenantId: number | null,
  query: CompiledQuery,
): Promise<string[]> {
  const lines = await explain(kind, database, tenantId, query);
  return lines
    .flatMap((line) => explanationOf(kind).scan.exec(line)?.[1] ?? [])
    .filter((table) => large.includes(table));
}

/** Returns the lines of a query's plan. */
async function explain(
  kind: DatabaseKind,
  database: OpenDatabase,
  tenantId: number | null,
  query: CompiledQuery,
): Promise<string[]> {
  const explained = { ...query, sql: `${explanationOf(kind).prefix} ${query.sql}` };
  const { rows } =
    tenantId === null
      ? await database.db.executeQuery<object>(explained)
      : await database.read(tenantId, ({ own }) => own.executeQuery<object>(explained));
  return rows.map((row) => Object.values(row).map(String).join(" "));
}

function explanationOf({ name }: DatabaseKind) {
  const [prefix, scan] = explanations[name] ?? [];
  if (!prefix || !scan) throw new Error(`How does ${name} explain?`);
  return { prefix, scan };
}

/**
 * How to ask each database for a plan, and how the plan shows a full scan, including one that builds a temporary
 * index.
 */
const explanations: Record<string, readonly [prefix: string, scan: RegExp]> = {
  PostgreSQL: ["explain", /\bSeq Scan on (\w+)/],
  SQLite: ["explain query plan", /\b(?:SCAN|SEARCH(?=.*\bAUTOMATIC\b)) (\w+)/],
};
