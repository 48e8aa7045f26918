import { afterAll, beforeAll, describe, expect } from "vitest";
import { aHook, aJob, aTruck, aUser } from "./builders.ts";
import { sqlite } from "./databases.ts";
import { addFleet } from "./fleet.ts";
import { Harness, type HarnessOptions } from "./harness.ts";
import { toHarnesses } from "./targets.ts";
import type { Caller, TestTenant } from "./tenants.ts";
import { testStart } from "./test-clock.ts";
import { transports } from "./transports.ts";

/** The ids of a tenant's records, one per kind, keyed by path parameter. */
export type Ids = Readonly<Record<PathId, string | number>>;

export type PathId =
  | "asset_id"
  | "asset_type_id"
  | "audit_id"
  | "customer_address_id"
  | "customer_contact_id"
  | "customer_id"
  | "customer_location_id"
  | "delivery_id"
  | "driver_chat_msg_id"
  | "driver_id"
  | "dump_destination_id"
  | "event_id"
  | "hauler_uuid"
  | "hook_id"
  | "job_id"
  | "location_id"
  | "request_id"
  | "token_id"
  | "truck_id"
  | "user_id";

/** A harness with a record of every kind in two tenants. */
export interface Fixture {
  harness: Harness;
  /** The ids of Acme's records. */
  own: Ids;
  /** A location of Acme without the customer. */
  otherLocationId: number;
  /** The ids of Globex's records. */
  foreign: Ids;
}

const tenantCode = "ACME";

/** Declares the same tests on a fixture of each kind. The fixture is filled before the first test. */
export function describeFixture(name: string, declareTests: (fixture: Fixture) => void): void {
  describeOn(toHarnesses(transports, harnessOptions), name, declareTests);
}

/** The same for what the service checks before it asks the database: each transport, on SQLite only. */
export function describeFixtureOnSqlite(name: string, declareTests: (fixture: Fixture) => void): void {
  describeOn(
    transports.map((transport) => new Harness(sqlite, transport, harnessOptions)),
    name,
    declareTests,
  );
}

const inProcess = transports.filter((transport) => transport.name === "in process");

/** The same for what does not depend on the transport. */
export function describeFixtureInProcess(name: string, declareTests: (fixture: Fixture) => void): void {
  describeOn(toHarnesses(inProcess, harnessOptions), name, declareTests);
}

/** The same for what depends neither on the database nor on the transport. */
export function describeFixtureInProcessOnSqlite(
  name: string,
  declareTests: (fixture: Fixture) => void,
): void {
  describeOn(
    inProcess.map((transport) => new Harness(sqlite, transport, harnessOptions)),
    name,
    declareTests,
  );
}

/** The same for what only a server does, on any database. */
export function describeFixtureOverHttp(name: string, declareTests: (fixture: Fixture) => void): void {
  const overHttp = transports.filter((transport) => transport.name === "HTTP");
  describeOn(toHarnesses(overHttp, harnessOptions).slice(0, 1), name, declareTests);
}

function describeOn(
  harnesses: readonly Harness[],
  name: string,
  declareTests: (fixture: Fixture) => void,
): void {
  for (const harness of harnesses) {
    const fixture: Fixture = { harness, foreign: noIds, otherLocationId: 0, own: noIds };
    describe(`${name} [${harness.database.name}, ${harness.transport.name}]`, () => {
      beforeAll(async () => {
        await harness.open();
        Object.assign(fixture, await fillFixture(harness));
      });
      afterAll(async () => {
        const faults = [...harness.faults];
        await harness.close();
        expect(faults, "what the server logged as its own faults").toEqual([]);
      });
      declareTests(fixture);
    });
  }
}

const harnessOptions: HarnessOptions & Record<string, unknown> = {
  allowsHaulerSignup: true,
  allowsPrivateHooks: true,
};

/** Throws when a test reads an id before `beforeAll` sets the ids. */
const noIds = new Proxy({} as Ids, {
  get: (_, name) => {
    throw new Error(`The fixture is filled inside of tests only; ${String(name)} is asked for outside.`);
  },
});

async function fillFixture(harness: Harness): Promise<Omit<Fixture, "harness">> {
  const { acme, globex, store } = harness;
  store.update("tenants", acme.tenantId, { code: tenantCode });
  const otherLocation = await harness.ok("locations.create", { as: "Admin", body: { name: "North" } });
  return {
    foreign: await fillTenant(harness, globex, globex.caller, globex.caller, {
      hauler_uuid: "7c9e6679-7425-40de-944b-e07fc1f90ae7",
    }),
    otherLocationId: otherLocation.id,
    own: await fillTenant(harness, acme, acme.callers.Admin, acme.callers.Dispatcher, {
      hauler_uuid: acme.haulerId,
    }),
  };
}

/** Creates through operations what they can create, and inserts the other rows directly. */
async function fillTenant(
  harness: Harness,
  tenant: TestTenant,
  admin: Caller,
  dispatcher: Caller,
  given: Pick<Ids, "hauler_uuid">,
): Promise<Ids> {
  const { customerId, driverId, locationId, tenantId } = tenant;
  const { store } = harness;
  const params = { location_id: locationId };
  const as = dispatcher;
  const truck = await harness.ok("trucks.create", { as, params, body: aTruck() });
  const job = await harness.ok("jobs.create", { as, params, body: aJob(tenant, { truck_id: truck.id }) });
  // No other test changes this job, so a test can undo its creation.
  const untouched = await harness.ok("jobs.create", { as, params, body: aJob(tenant) });
  const hook = await harness.ok("hooks.create", { as, body: aHook({ url: "http://127.0.0.1:9/" }) });
  const user = await harness.ok("users.create", { as: admin, params, body: aUser() });
  const token = await harness.ok("tokens.create", { as: admin, body: { username: admin.user.username } });
  const { assetId, assetTypeId, dumpId } = addFleet(store, tenant);
  const owned = { tenant_id: tenantId };
  store.insert("materials", { ...owned, created_on: testStart, location_id: locationId });
  store.insert("gps_events", {
    ...owned,
    created_on: testStart,
    driver_id: driverId,
    latitude: 38.9,
    location_id: locationId,
    longitude: -77,
    measured_on: testStart,
    truck_id: truck.id,
  });
  store.insert("erasures", {
    ...owned,
    erased_on: testStart,
    finished_on: testStart,
    record_id: 1_000_000,
    record_type: "User",
    user_id: 1,
  });
  store.insert("haulers", {
    created_on: testStart,
    name: "Big Haul",
    password_hash: "x",
    username: `office@tenant-${tenantId}.example`,
    uuid: given.hauler_uuid,
  });
  store.insert("hauler_connections", {
    ...owned,
    hauler_uuid: given.hauler_uuid,
    requested_by: dispatcher.user.id,
    requested_on: testStart,
  });
  const messageId = store.insert("chat_messages", {
    ...owned,
    driver_id: driverId,
    is_edited: 0,
    is_read: 0,
    receiver_id: driverId,
    receiver_type: "driver",
    sender_id: dispatcher.user.id,
    sender_type: "dispatcher",
    sent_on: testStart,
    text: "Call the yard",
  });
  const event = firstEvent(harness, job.id);
  return {
    ...given,
    asset_id: assetId,
    asset_type_id: assetTypeId,
    audit_id: idOfChange(harness, untouched.id),
    customer_address_id: tenant.addressId,
    customer_contact_id: idOf(harness, "contacts", customerId),
    customer_id: customerId,
    customer_location_id: locationId,
    delivery_id: addDelivery(harness, { event, hookId: hook.id, jobId: job.id, tenantId }),
    driver_chat_msg_id: messageId,
    driver_id: driverId,
    dump_destination_id: dumpId,
    event_id: event.uuid,
    hook_id: hook.id,
    job_id: job.id,
    location_id: locationId,
    // No server answered a request with this id.
    request_id: "7a1c0000-6c3b-4c55-9d3e-0a8f6d1c2b3a",
    token_id: token.id,
    truck_id: truck.id,
    user_id: user.id,
  };
}

/** The id of the audit entry about the job's creation. */
function idOfChange({ store }: Harness, jobId: number): number {
  const made = store.rows("audit").find((row) => row.record_type === "Job" && row.record_id === jobId);
  return Number(made?.id);
}

/** The event about the job's creation. */
function firstEvent({ store }: Harness, jobId: number): { id: number; uuid: string } {
  const event = store.rows("events").find(({ kind, record_id }) => kind === "Job" && record_id === jobId);
  return { id: Number(event?.id), uuid: String(event?.uuid) };
}

/** Adds a delivery of the job's event that failed for good after one attempt. */
function addDelivery(
  { store }: Harness,
  {
    event,
    hookId,
    jobId,
    tenantId,
  }: Record<"hookId" | "jobId" | "tenantId", number> & { event: { id: number } },
): string {
  const owned = { attempt: 1, http_status: 500, message: "The callback answered 500.", tenant_id: tenantId };
  const uuid = `9b2d${String(tenantId).padStart(4, "0")}-6c3b-4c55-9d3e-0a8f6d1c2b3a`;
  const deliveryId = store.insert("deliveries", {
    ...owned,
    action: "created",
    created_on: testStart,
    event_id: event.id,
    finished_on: testStart,
    hook_id: hookId,
    kind: "Job",
    record_id: jobId,
    status: "failed",
    uuid,
  });
  store.insert("delivery_attempts", {
    ...owned,
    delivery_id: deliveryId,
    duration_ms: 12,
    request_body: "{}",
    request_headers: "{}",
    response_body: "no",
    response_headers: "{}",
    started_on: testStart,
    url: "http://127.0.0.1:9/",
  });
  return uuid;
}

/** The id of a customer's row in a table that references customers. */
function idOf({ store }: Harness, table: string, customerId: number): number {
  return Number(store.rows(table).find(({ customer_id }) => customer_id === customerId)?.id);
}
