import { beforeAll, expect, it } from "vitest";
import { authenticate, toTenantActor } from "../../src/core/tokens.ts";
import { showEvent } from "../../src/http/streams/event-stream.ts";
import { newestVersion } from "../../src/models/api-versions.ts";
import { type HookEvent, hookEvents } from "../../src/models/event-kinds.ts";
import { roles } from "../../src/models/user.ts";
import type { OperationName } from "../../src/operations/index.ts";
import { wholeTenant } from "../../src/store/access/row-scopes.ts";
import type { LoggedEvent } from "../../src/store/queries/events.ts";
import { aCustomer, aHook, aTruck } from "../support/builders.ts";
import type { Harness } from "../support/harness.ts";
import { describeInProcess } from "../support/targets.ts";
import type { Caller } from "../support/tenants.ts";

/** The GET for the record of each kind of event, written by hand. */
const gets: Record<
  HookEvent,
  (id: number, at: number) => { name: OperationName; params: Record<string, number> }
> = {
  Customer: (customer_id) => ({ name: "customers.get", params: { customer_id } }),
  CustomerLocation: (customer_id, at) => ({
    name: "customer-locations.get",
    params: { customer_id, customer_location_id: at },
  }),
  Job: (job_id, location_id) => ({ name: "jobs.get", params: { job_id, location_id } }),
  Ping: (hook_id) => ({ name: "hooks.get", params: { hook_id } }),
  Truck: (truck_id, location_id) => ({ name: "trucks.get", params: { location_id, truck_id } }),
};

const readLog = (harness: Harness): Promise<LoggedEvent[]> =>
  harness.service.store.read({ tenantId: harness.acme.tenantId, rowScopes: wholeTenant }, ({ events }) =>
    events.following(0, 1000),
  );

async function show(harness: Harness, { tenantId, token }: Caller, event: LoggedEvent) {
  const { service } = harness;
  const actor = await toTenantActor(service, await authenticate(service, `Bearer ${token}`), tenantId);
  const shown = { apiVersion: newestVersion, includesCause: true, includesPrevious: true };
  const onlooker = { actor, requestId: service.makeUuid(), shown };
  const text = await showEvent(service, onlooker, event);
  return text === null ? null : JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? "");
}

/** Creates records inside and outside of a caller's view, for each truck, customer, and location. */
async function fill(harness: Harness): Promise<void> {
  const { addressId, customerId, haulerId, haulerTruckId, locationId, tenantId, truckId } = harness.acme;
  const params = { location_id: locationId };
  const yard = await harness.ok("locations.create", { as: "Admin", body: { name: "Other yard" } });
  const elsewhere = { location_id: yard.id };
  await harness.ok("trucks.create", { params: elsewhere, body: aTruck() });
  const other = await harness.ok("customers.create", { params: elsewhere, body: aCustomer() });
  const [address] = other.addresses;
  const own = { address_id: addressId, requested_by: customerId };
  const bodies = [own, { address_id: address?.id, requested_by: other.id }];
  for (const body of bodies)
    for (const given of [
      {},
      { truck_id: truckId },
      { truck_id: haulerTruckId, third_party_hauler_id: haulerId },
    ])
      await harness.call("jobs.create", { params, body: { ...body, ...given, type: "D" } });
  // A caller bound to the first yard does not see this part of the customer.
  await harness.ok("customer-locations.add", {
    params: { customer_id: customerId, customer_location_id: yard.id },
    body: { note: "Of the other yard alone" },
  });
  const hook = await harness.ok("hooks.create", { body: aHook() });
  harness.store.insert("events", {
    ...{ action: "pinged", created_on: "2026-11-21T12:00:00.000000", data: JSON.stringify({ id: hook.id }) },
    ...{ kind: "Ping", previous: null, record_id: hook.id, tenant_id: tenantId, trace_id: null },
    uuid: harness.service.makeUuid(),
  });
  callers.push(...roles.map((role) => harness.callerOf(role)));
  for (const location_id of [locationId, yard.id])
    callers.push(await harness.addCaller({ location_id, roles: ["Dispatcher", "CrmUser"] }));
  callers.push(await harness.addCaller({ roles: ["Driver"] }));
}

const callers: Caller[] = [];

const isBound = ({ user }: Caller) =>
  user.location_id !== null || !user.roles.some((role) => /^(?:Admin|CrmUser|Dispatcher)$/.test(role));

describeInProcess("an event of the stream", (harness) => {
  beforeAll(async () => {
    callers.length = 0;
    await fill(harness);
  });

  it.each(hookEvents)(
    "of a %s reaches exactly the callers who can get the record, with the same content",
    async (kind) => {
      const events = (await readLog(harness)).filter((event) => event.kind === kind);
      const wrong: unknown[] = [];
      const counts = { shown: 0, hidden: 0 };
      for (const event of events) {
        const at = Number((JSON.parse(event.data) as { location_id?: number }).location_id);
        const { name, params } = gets[kind](event.record_id, at);
        for (const caller of callers) {
          const { body, status } = await harness.call(name, { as: caller, params });
          const shown = await show(harness, caller, event);
          const isRight = status === 200 ? shown !== null : shown === null;
          counts[shown ? "shown" : "hidden"] += 1;
          if (!isRight) wrong.push([caller.user.username, name, params, status]);
          // A caller who sees the whole tenant gets what webhooks get: the record at that time.
          // The former values and the user may be hidden from a caller who sees a part.
          if (shown && isBound(caller) && kind !== "Ping")
            expect(shown).not.toHaveProperty("cause", expect.anything());
          if (shown && isBound(caller) && kind !== "Ping") expect(shown.data).toEqual(body);
        }
      }
      expect(wrong).toEqual([]);
      // A caller must see some events and miss others, otherwise the test proves nothing.
      expect([counts.shown > 0, counts.hidden > 0]).toEqual([true, true]);
    },
  );

  it("of a job that left the view of a driver shows neither the old nor the new job", async () => {
    const { addressId, customerId, haulerTruckId, locationId, truckId } = harness.acme;
    const params = { location_id: locationId };
    const body = { address_id: addressId, requested_by: customerId, truck_id: truckId, type: "D" };
    const job = await harness.ok("jobs.create", { params, body });
    const ofJob = async () =>
      (await readLog(harness)).filter(({ kind, record_id }) => kind === "Job" && record_id === job.id);
    const driver = harness.callerOf("Driver");
    for (const event of await ofJob()) expect(await show(harness, driver, event)).not.toBeNull();
    const given = { truck_id: haulerTruckId };
    await harness.ok("jobs.update", { params: { ...params, job_id: job.id }, body: given });
    const events = await ofJob();
    expect(events.length).toBeGreaterThan(1);
    for (const event of events) expect(await show(harness, driver, event)).toBeNull();
  });
});
