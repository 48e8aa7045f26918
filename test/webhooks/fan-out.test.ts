import { expect, it } from "vitest";
import { aCustomer, aHook, aJob, anAddress, aTruck } from "../support/builders.ts";
import { describeOnEveryTarget, freshBed } from "../support/targets.ts";

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);

describeOnEveryTarget("the deliveries of an event", (like) => {
  const setUp = async () => {
    const bed = await freshBed(like);
    const { acme } = bed;
    const atYard = { location_id: acme.locationId };
    const hook = async (...events: string[]) =>
      (await bed.ok("hooks.create", { body: aHook({ events }) })).id;
    const deliveries = () =>
      bed.store
        .rows("deliveries")
        .map(({ kind, hook_id, record_id }) => `${kind} ${record_id} to ${hook_id}`)
        .sort();
    return { bed, acme, atYard, hook, deliveries };
  };

  it("are one for each active webhook of the tenant that subscribes to its kind, made with the change", async () => {
    const { bed, acme, atYard, hook, deliveries } = await setUp();
    const jobs = await hook("Job", "Truck");
    const customers = await hook("Customer");
    const locations = await hook("CustomerLocation", "Ping");
    const all = await hook("Customer", "CustomerLocation", "Job", "Truck", "Ping");
    const gone = await hook("Job", "Customer");
    await bed.ok("hooks.delete", { params: { hook_id: gone } });
    const silent = await hook("Job");
    await bed.ok("hooks.update", { params: { hook_id: silent }, body: { events: [] } });

    const job = await bed.ok("jobs.create", { params: atYard, body: aJob(acme) });
    const truck = await bed.ok("trucks.create", { params: atYard, body: aTruck() });
    const customer = await bed.ok("customers.create", { params: atYard, body: aCustomer() });
    await bed.ok("addresses.add", { params: { customer_id: customer.id }, body: anAddress() });
    expect(deliveries()).toEqual(
      [
        `Job ${job.id} to ${jobs}`,
        `Job ${job.id} to ${all}`,
        `Truck ${truck.id} to ${jobs}`,
        `Truck ${truck.id} to ${all}`,
        `Customer ${customer.id} to ${customers}`,
        `Customer ${customer.id} to ${all}`,
        `Customer ${customer.id} to ${customers}`,
        `Customer ${customer.id} to ${all}`,
        `CustomerLocation ${customer.id} to ${locations}`,
        `CustomerLocation ${customer.id} to ${all}`,
      ].sort(),
    );
  });

  it("are pending and due at once, each with a UUID of its own", async () => {
    const { bed, acme, atYard, hook } = await setUp();
    await hook("Job");
    await hook("Job");
    await bed.ok("jobs.create", { params: atYard, body: aJob(acme) });
    const rows = bed.store.rows("deliveries");
    const event = bed.store.rows("events").at(-1);
    for (const row of rows) {
      expect(row).toMatchObject({
        action: "created",
        attempt: 0,
        created_on: bed.clock.now(),
        event_id: event?.id,
        finished_on: null,
        kind: "Job",
        leased_by: null,
        next_attempt_on: bed.clock.now(),
        status: "pending",
        tenant_id: acme.tenantId,
        uuid,
      });
    }
    expect(new Set(rows.map((row) => row.uuid)).size).toBe(2);
  });

  it("are none of another tenant, of a refused change, and of a dry run", async () => {
    const { bed, acme, atYard, hook, deliveries } = await setUp();
    await bed.ok("hooks.create", { as: bed.globex.caller, body: aHook({ events: ["Job", "Truck"] }) });
    await bed.ok("jobs.create", { params: atYard, body: aJob(acme) });
    await hook("Job");
    await bed.refused("jobs.create", { params: atYard, body: aJob(acme, { truck_id: 999_999 }) });
    await bed.ok("jobs.create", { params: atYard, body: aJob(acme), dryRun: true });
    expect(deliveries()).toEqual([]);
    expect(bed.service.outbox.notified()).toEqual([]);
  });

  it("are told to the process that made them, once they are committed", async () => {
    const { bed, acme, atYard, hook } = await setUp();
    await bed.ok("jobs.create", { params: atYard, body: aJob(acme) });
    expect(bed.service.outbox.notified()).toEqual([]);
    await hook("Job");
    let heard = 0;
    bed.service.outbox.listen(() => {
      heard += 1;
    });
    await bed.ok("jobs.create", { params: atYard, body: aJob(acme) });
    const first = bed.store.rows("events").at(-1)?.id;
    await bed.ok("jobs.create", { params: atYard, body: aJob(acme) });
    expect(heard).toBe(2);
    expect(bed.service.outbox.notified()).toEqual([{ tenantId: acme.tenantId, firstEventId: first }]);
  });
});
