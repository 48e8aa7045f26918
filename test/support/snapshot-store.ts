import { makeStore } from "../../src/core/make-store.ts";
import { openService } from "../../src/core/open-service.ts";
import type { Service } from "../../src/core/service.ts";
import { setUpTenant } from "../../src/core/setup.ts";
import type { OperationName } from "../../src/operations/index.ts";
import { type Clock, toEpochMs, toTimestamp } from "../../src/runtime/clock.ts";
import { anAddress, type Json } from "./builders.ts";
import { setUp } from "./tenants.ts";

const dayMs = 86_400_000;

/** A clock that starts some days ago and advances by a second at each reading. */
function createPastClock(daysAgo: number): Clock & { advance(ms: number): void } {
  let epochMs = Date.now() - daysAgo * dayMs;
  return {
    advance: (ms) => {
      epochMs += ms;
    },
    now: () => {
      epochMs += 1000;
      return toTimestamp(epochMs);
    },
  };
}

type Call = (
  name: OperationName,
  params: Record<string, number | string>,
  body?: Json,
) => Promise<{ id: number } & Json>;

/** Creates an empty store with the tenant Acme, its location, and its owner. */
export async function makeEmptyStore(data: string): Promise<void> {
  await makeStore(data, async (service) => {
    const owner = await setUpTenant(service, "Acme", { username: "owner", uid: service.makeUuid() });
    await setUp(service, owner, "locations.create", { body: { name: "Main yard" } });
  });
}

/**
 * Creates a store with records that are hard to migrate: deactivated records that jobs still reference, a parent
 * created after its child, identical customers, jobs in every state, and texts in many alphabets.
 */
export async function makeRichStore(data: string): Promise<void> {
  await makeEmptyStore(data);
  const clock = createPastClock(30);
  const service = openService({ data, clock });
  try {
    const call = await createCall(service);
    const fleet = await makeFleet(call);
    const customers = await makeCustomers(call, fleet.otherId);
    await makeJobs(call, clock, fleet, customers);
    await retire(call, fleet, customers);
  } finally {
    await service.store.close();
  }
}

async function createCall(service: Service): Promise<Call> {
  const user = await service.store.accounts.findUser(1, "owner");
  if (!user) throw new Error("The store has no owner.");
  const { toActor } = await import("../../src/core/actor.ts");
  const actor = toActor(1, user, null, null);
  // Every caller uses operations that return a single record.
  return async (name, params, body) =>
    (await setUp(service, actor, name, { params, ...(body && { body }) })) as { id: number } & Json;
}

async function makeFleet(call: Call) {
  const at = { location_id: 1 };
  await call("locations.update", at, {
    address: { line_1: "ул. Ленина 5", locality: "Łódź" },
    contact: { name: "株式会社 Yard" },
    require_signature: true,
  });
  const other = await call("locations.create", {}, { name: "Zweites Lager – Süd" });
  const closed = await call("locations.create", {}, { name: "Closed" });
  await call("locations.update", { location_id: closed.id }, { is_active: false });
  const type = await call("asset-types.create", at, { name: "20-yard", is_default: true, weight: 4600.5 });
  const oldType = await call("asset-types.create", at, { name: "10-yard" });
  const material = await call("materials.create", at, { description: "Бетон", unit_price: 38.5 });
  const dump = await call("dump-destinations.create", at, { description: "Landfill", city: "Łódź" });
  const removedDump = await call("dump-destinations.create", at, { description: "Gone" });
  const driver = await call("drivers.create", at, { name: "Zoë", can_assign_to: [3, 1] });
  const leaving = await call("drivers.create", at, { name: "Leaving" });
  const truck = await call("trucks.create", at, { name: "🚛 7", driver_id: driver.id });
  const brokenTruck = await call("trucks.create", at, { name: "Broken", driver_id: leaving.id });
  const twin = await call("trucks.create", { location_id: other.id }, { name: "🚛 7" });
  return {
    brokenTruckId: brokenTruck.id,
    driverId: driver.id,
    dumpId: dump.id,
    leavingId: leaving.id,
    materialId: material.id,
    oldTypeId: oldType.id,
    otherId: other.id,
    removedDumpId: removedDump.id,
    truckId: truck.id,
    twinId: twin.id,
    typeId: type.id,
  };
}

type Fleet = Awaited<ReturnType<typeof makeFleet>>;

interface TestCustomer {
  id: number;
  addresses: { id: number }[];
}

async function makeCustomers(call: Call, otherId: number) {
  const make = async (body: Json) =>
    (await call(
      "customers.create",
      { location_id: 1 },
      { contacts: [], ...body },
    )) as unknown as TestCustomer;
  const street = anAddress({ line_1: "1 Main St", line_4: "郡" });
  const child = await make({
    account_number_1: "A-1",
    addresses: [street, anAddress({ line_1: "2 Side St" }), anAddress({ line_1: "3 Left St" })],
    contacts: [{ email: "a@example.com, b@example.com", name: "Дана" }, {}],
    name: "Łukasz Bączek 株式会社",
    note: 'Say "hello",\nthen wait\u2028\u{1F6A7}',
    reference_number: "REF-1",
    renewal_date: "2027-01-01",
  });
  const parent = await make({ addresses: [], name: "Holding", is_commercial: true });
  const gone = await make({ addresses: [street], name: "Alike" });
  await call("customer-locations.remove", { customer_id: gone.id, customer_location_id: 1 });
  const alike = await make({ addresses: [street], name: "Alike" });
  // A customer created without an address may duplicate another once the address is added.
  const second = await make({ addresses: [], name: "Alike" });
  await call("addresses.add", { customer_id: second.id }, street);
  await call("customers.update", { customer_id: child.id }, { parent_id: parent.id });
  const place = { customer_id: child.id, customer_location_id: otherId };
  await call("customer-locations.add", place, { account_number_2: "B-2", note: "Gate 5" });
  return { alike, child, gone, parent, second };
}

type Customers = Awaited<ReturnType<typeof makeCustomers>>;

async function makeJobs(
  call: Call,
  clock: ReturnType<typeof createPastClock>,
  fleet: Fleet,
  customers: Customers,
) {
  const at = { location_id: 1 };
  const inDays = (days: number) => toTimestamp(toEpochMs(clock.now()) + days * dayMs);
  const [address, side] = customers.child.addresses;
  const asset = await call("assets.create", at, {
    asset_type_id: fleet.typeId,
    customer_id: customers.child.id,
    location: { line_1: "Behind the shed" },
    number: "R-1",
  });
  const old = await call("assets.create", at, { asset_type_id: fleet.oldTypeId, quantity: 3 });
  await call("assets.create", at, {});
  const job = (body: Json = {}) =>
    call("jobs.create", at, {
      address_id: address?.id,
      requested_by: customers.child.id,
      type: "D",
      ...body,
    });
  const change = ({ id }: { id: number }, body: Json) => call("jobs.update", { ...at, job_id: id }, body);

  await job({ dispatcher_notes: "new", reference_number: "PO-7", priority: -5 });
  await job({ dispatcher_notes: "the same reference", reference_number: "PO-7" });
  const dispatched = await job({ schedule_date: inDays(1), truck_id: fleet.truckId });
  await change(await job({ truck_id: fleet.truckId }), { is_acknowledged: true });
  await change(await job({ truck_id: fleet.truckId }), { is_declined: true, driver_notes: "нет" });
  await change(await job({ schedule_date: inDays(2) }), { is_failed: true, fail_reason: "Gate locked" });
  await change(await job({ truck_id: fleet.brokenTruckId, schedule_date: inDays(-2) }), {
    arrived_on: inDays(-1),
    is_completed: true,
  });
  await call("jobs.dispatch", { ...at, job_id: dispatched.id }, { truck_id: null });
  const picked = await job({
    asset_dropped_id: asset.id,
    pickup_date: inDays(90),
    asset_type_id: fleet.oldTypeId,
  });
  await change(picked, { is_completed: true });
  await job({ pickup_date: inDays(2) });
  await change(await job({ add_to_routes: "4, 5", add_to_routes_settings: [{ route_id: 5 }] }), {
    is_deleted: true,
  });
  const shown = await job({ address_id: side?.id, asset_id: old.id, type: "P" });
  await call("jobs.add-image", { ...at, job_id: shown.id }, { url: "https://example.com/ü.jpg" });
  await call(
    "jobs.add-material",
    { ...at, job_id: shown.id },
    {
      heavy_weight: 9,
      material_item_id: fleet.materialId,
    },
  );
  await call(
    "jobs.add-image",
    { ...at, job_id: shown.id },
    { url: "https://example.com/2", description: "signature" },
  );
  await change(shown, { is_deleted: true });
  await job({ dump_location_id: fleet.dumpId, start_location_id: fleet.removedDumpId });
  const { alike, gone } = customers;
  await job({ address_id: alike.addresses[0]?.id, requested_by: alike.id, type: "R" });
  await call(
    "customer-locations.update",
    { customer_id: gone.id, customer_location_id: 1 },
    { is_active: true },
  );
  await job({ address_id: gone.addresses[0]?.id, requested_by: gone.id, type: "R" });
  await call(
    "jobs.create",
    { location_id: fleet.otherId },
    { address_id: address?.id, requested_by: customers.child.id, truck_id: fleet.twinId, type: "L" },
  );
}

/** Deactivates records that jobs reference. */
async function retire(call: Call, fleet: Fleet, { child, gone }: Customers): Promise<void> {
  const at = { location_id: 1 };
  await call("asset-types.update", { ...at, asset_type_id: fleet.oldTypeId }, { deleted: true });
  const dump = { ...at, dump_destination_id: fleet.removedDumpId };
  await call("dump-destinations.update", dump, { is_active: false });
  await call("drivers.update", { ...at, driver_id: fleet.leavingId }, { is_deactivated: true });
  await call("trucks.update", { ...at, truck_id: fleet.brokenTruckId }, { out_of_service: true });
  const second = child.addresses[1]?.id ?? 0;
  await call("addresses.remove", { customer_id: child.id, customer_address_id: second });
  await call("customer-locations.remove", { customer_id: gone.id, customer_location_id: 1 });
  await call("customer-locations.remove", { customer_id: child.id, customer_location_id: fleet.otherId });
}
