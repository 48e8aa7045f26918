import { type AnswerNamed, untyped } from "../../src/client/client.ts";
import type { Actor } from "../../src/core/actor.ts";
import type { Service } from "../../src/core/service.ts";
import { setUpTenant } from "../../src/core/setup.ts";
import type { Role, User } from "../../src/models/user.ts";
import type { OperationName } from "../../src/operations/index.ts";
import { aCustomer, aDriverRow, aHook, anAddress, aTruck, type Json } from "./builders.ts";
import type { TestDatabase } from "./databases.ts";
import { createLocalClient } from "./local-client.ts";

/** A caller: a user with a token. */
export interface Caller {
  tenantId: number;
  token: string;
  user: User;
}

/** A tenant with records that tests can reference. */
export interface TestTenant {
  addressId: number;
  customerId: number;
  driverId: number;
  locationId: number;
  owner: Actor;
  tenantId: number;
  /** A truck with the driver. */
  truckId: number;
}

/** The tenant of most tests: a caller per role, bound to the records that limit its rows. */
export interface Acme extends TestTenant {
  callers: Record<Role, Caller>;
  /** The hauler of the two third-party roles. It has a driver and a truck. */
  haulerId: string;
  haulerDriverId: number;
  haulerTruckId: number;
}

/** Another tenant of the same store, with a record per kind and a caller who is Admin and Dispatcher there. */
export interface Globex extends TestTenant {
  caller: Caller;
  hookId: number;
  jobId: number;
}

export async function createAcme(service: Service, database: TestDatabase): Promise<Acme> {
  const tenant = await createTestTenant(service, database, "Acme");
  const { owner, locationId, tenantId, customerId, driverId, truckId } = tenant;
  const haulerId = "2f1b1f0e-6c3b-4c55-9d3e-0a8f6d1c2b3a";
  const haulerDriverId = database.insert("drivers", aDriverRow(tenantId, locationId));
  const haulerTruck = await setUp(service, owner, "trucks.create", {
    params: { location_id: String(locationId) },
    body: aTruck({ driver_id: haulerDriverId, third_party_hauler_id: haulerId }),
  });
  const caller = (role: Role, bindings: Json = {}) =>
    addCaller(service, tenant, { username: `the-${role}`, roles: [role], ...bindings });
  const callers = {
    Admin: await caller("Admin"),
    ClientCustomer: await caller("ClientCustomer", { customer_ids: [customerId] }),
    CrmUser: await caller("CrmUser"),
    Dispatcher: await caller("Dispatcher"),
    Driver: await caller("Driver", { driver_id: driverId }),
    ThirdPartyDispatcher: await caller("ThirdPartyDispatcher", { third_party_hauler_id: haulerId }),
    ThirdPartyDriver: await caller("ThirdPartyDriver", {
      driver_id: haulerDriverId,
      third_party_hauler_id: haulerId,
    }),
  };
  return { ...tenant, truckId, callers, haulerId, haulerDriverId, haulerTruckId: haulerTruck.id };
}

export async function createGlobex(service: Service, database: TestDatabase): Promise<Globex> {
  const tenant = await createTestTenant(service, database, "Globex");
  const { owner, locationId, customerId, addressId } = tenant;
  const caller = await addCaller(service, tenant, { username: "gus", roles: ["Admin", "Dispatcher"] });
  const job = await setUp(service, owner, "jobs.create", {
    params: { location_id: String(locationId) },
    body: { address_id: addressId, requested_by: customerId, type: "D" },
  });
  const hook = await setUp(service, owner, "hooks.create", { body: aHook() });
  return { ...tenant, caller, hookId: hook.id, jobId: job.id };
}

async function createTestTenant(service: Service, database: TestDatabase, name: string): Promise<TestTenant> {
  const owner = await setUpTenant(service, name, { username: "owner", uid: service.makeUuid() });
  const { tenantId } = owner.scope;
  const location = await setUp(service, owner, "locations.create", { body: { name: `${name} yard` } });
  const params = { location_id: String(location.id) };
  const customer = await setUp(service, owner, "customers.create", {
    params,
    body: aCustomer({ name: `First of ${name}`, addresses: [anAddress()] }),
  });
  const driverId = database.insert("drivers", aDriverRow(tenantId, location.id));
  const truck = await setUp(service, owner, "trucks.create", {
    params,
    body: aTruck({ driver_id: driverId }),
  });
  return {
    addressId: customer.addresses[0]?.id ?? 0,
    customerId: customer.id,
    driverId,
    locationId: location.id,
    owner,
    tenantId,
    truckId: truck.id,
  };
}

/** Creates a user of the tenant and a token for it. `token` overrides the token's fields. */
export async function addCaller(
  service: Service,
  { owner, locationId, tenantId }: TestTenant,
  user: Json,
  token: Json = {},
): Promise<Caller> {
  const params = { location_id: String(locationId) };
  const made = await setUp(service, owner, "users.create", { params, body: user });
  const { token: text } = await addToken(service, owner, made.username, token);
  return { tenantId, token: text, user: made };
}

/** Creates a token for an existing user. */
export async function addToken(
  service: Service,
  owner: Actor,
  username: string,
  changes: Json = {},
): Promise<AnswerNamed<"tokens.create"> & { token: string }> {
  const made = await setUp(service, owner, "tokens.create", { body: { username, ...changes } });
  return { ...made, token: made.token ?? "" };
}

/** Calls an operation that needs no token. The body is as loosely typed as the builders' results. */
export async function setUp<Name extends OperationName>(
  service: Service,
  actor: Actor,
  name: Name,
  input: { params?: Record<string, number | string>; body?: Json },
): Promise<AnswerNamed<Name>> {
  return (await untyped(createLocalClient(service, actor)).call(name, input)) as AnswerNamed<Name>;
}
