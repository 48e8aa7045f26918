import { expect, it } from "vitest";
import { aCustomer, aHook, aJob, anAddress, aTruck } from "../support/builders.ts";
import { describeOnEveryTarget, freshHarness } from "../support/targets.ts";

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);

describeOnEveryTarget("the deliveries of an event", (like) => {
  const setUp = async () => {
    const harness = await freshHarness(like);
    const { acme } = harness;
    const atYard = { location_id: acme.locationId };
    const hook = async (...events: string[]) =>
      (await harness.ok("hooks.create", { body: aHook({ events }) })).id;
    const deliveries = () =>
      harness.store
        .rows("deliveries")
        .map(({ kind, hook_id, record_id }) => `${kind} ${record_id} to ${hook_id}`)
        .sort();
    return { harness, acme, atYard, hook, deliveries };
  };

  it("are one for each active webhook of the tenant that subscribes to its kind, made with the change", async () => {
    const { harness, acme, atYard, hook, deliveries } = await setUp();
    const jobs = await hook("Job", "Truck");
    const customers = await hook("Customer");
    const locations = await hook("CustomerLocation", "Ping");
    const all = await hook("Customer", "CustomerLocation", "Job", "Truck", "Ping");
    const gone = await hook("Job", "Customer");
    await harness.ok("hooks.delete", { params: { hook_id: gone } });
    const silent = await hook("Job");
    await harness.ok("hooks.update", { params: { hook_id: silent }, body: { events: [] } });

    const job = await harness.ok("jobs.create", { params: atYard, body: aJob(acme) });
    const truck = await harness.ok("trucks.create", { params: atYard, body: aTruck() });
    const customer = await harness.ok("customers.create", { params: atYard, body: aCustomer() });
    await harness.ok("addresses.add", { params: { customer_id: customer.id }, body: anAddress() });
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
    const { harness, acme, atYard, hook } = await setUp();
    await hook("Job");
    await hook("Job");
    await harness.ok("jobs.create", { params: atYard, body: aJob(acme) });
    const rows = harness.store.rows("deliveries");
    const event = harness.store.rows("events").at(-1);
    for (const row of rows) {
      expect(row).toMatchObject({
        action: "created",
        attempt: 0,
        created_on: harness.clock.now(),
        event_id: event?.id,
        finished_on: null,
        kind: "Job",
        leased_by: null,
        next_attempt_on: harness.clock.now(),
        status: "pending",
        tenant_id: acme.tenantId,
        uuid,
      });
    }
    expect(new Set(rows.map((row) => row.uuid)).size).toBe(2);
  });

  it("are none of another tenant, of a refused change, and of a dry run", async () => {
    const { harness, acme, atYard, hook, deliveries } = await setUp();
    await harness.ok("hooks.create", {
      as: harness.globex.caller,
      body: aHook({ events: ["Job", "Truck"] }),
    });
    await harness.ok("jobs.create", { params: atYard, body: aJob(acme) });
    await hook("Job");
    await harness.refused("jobs.create", { params: atYard, body: aJob(acme, { truck_id: 999_999 }) });
    await harness.ok("jobs.create", { params: atYard, body: aJob(acme), dryRun: true });
    expect(deliveries()).toEqual([]);
    expect(harness.service.outbox.notified()).toEqual([]);
  });

  it("are told to the process that made them, once they are committed", async () => {
    const { harness, acme, atYard, hook } = await setUp();
    await harness.ok("jobs.create", { params: atYard, body: aJob(acme) });
    expect(harness.service.outbox.notified()).toEqual([]);
    await hook("Job");
    let heard = 0;
    harness.service.outbox.listen(() => {
      heard += 1;
    });
    await harness.ok("jobs.create", { params: atYard, body: aJob(acme) });
    const first = harness.store.rows("events").at(-1)?.id;
    await harness.ok("jobs.create", { params: atYard, body: aJob(acme) });
    expect(heard).toBe(2);
    expect(harness.service.outbox.notified()).toEqual([{ tenantId: acme.tenantId, firstEventId: first }]);
  });
});
