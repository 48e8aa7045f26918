import { randomUUID } from "node:crypto";
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

  it("are one for each active webhook of the tenant that subscribes to its kind, created with the change", async () => {
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

  it("are pending and due at once, each with a unique UUID", async () => {
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

  it("do not include other tenants, refused changes, and dry runs", async () => {
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

  const noEvent = { cause: null, previous: null, trace_span: null, trace_state: null };

  it("are created in the order of events and then of webhooks; each waits for earlier ones of its record", async () => {
    const { harness, acme, hook } = await setUp();
    const [one, other] = [await hook("Job", "Truck"), await hook("Job")];
    const toChange = (kind: "Job" | "Truck", record_id: number) => {
      const made = { action: "updated", created_on: harness.clock.now(), record_id };
      return {
        audit: { ...made, ...noDifference, record_type: kind },
        event: { ...noEvent, data: "{}", kind, uuid: randomUUID() },
      };
    };
    const changes = [toChange("Job", 7), toChange("Truck", 7), toChange("Job", 8), toChange("Job", 7)];
    // More changes of one record than one statement can hold.
    const many = Array.from({ length: 600 }, () => toChange("Job", 9));
    await harness.service.store.write({ tenantId: acme.tenantId, rowScopes: [] }, ({ outbox }) =>
      outbox.addChanges([...changes, ...many]),
    );
    const events = harness.store.rows("events").slice(-604);
    expect(events.map(({ uuid }) => uuid)).toEqual([...changes, ...many].map(({ event }) => event.uuid));
    const places = new Map(events.map(({ id }, index) => [id, index]));
    const made = harness.store.rows("deliveries").toSorted((a, b) => Number(a.id) - Number(b.id));
    const due = made.map(({ event_id, hook_id, next_attempt_on }) => ({
      hook_id,
      isDue: next_attempt_on === harness.clock.now(),
      place: places.get(event_id),
    }));
    expect(due.slice(0, 9)).toEqual([
      { place: 0, hook_id: one, isDue: true },
      { place: 0, hook_id: other, isDue: true },
      { place: 1, hook_id: one, isDue: true },
      { place: 2, hook_id: one, isDue: true },
      { place: 2, hook_id: other, isDue: true },
      { place: 3, hook_id: one, isDue: false },
      { place: 3, hook_id: other, isDue: false },
      { place: 4, hook_id: one, isDue: true },
      { place: 4, hook_id: other, isDue: true },
    ]);
    expect(due.slice(9).filter(({ isDue }) => isDue)).toEqual([]);
    expect(due).toHaveLength(7 + 1200);
  });

  it("are announced within their process after the commit", async () => {
    const { harness, acme, atYard, hook } = await setUp();
    await harness.ok("jobs.create", { params: atYard, body: aJob(acme) });
    expect(harness.service.outbox.notified()).toEqual([]);
    await hook("Job");
    let heard = 0;
    harness.service.store.database.hints.onHint((hint) => {
      if (hint === "deliveries") heard += 1;
    });
    await harness.ok("jobs.create", { params: atYard, body: aJob(acme) });
    const first = harness.store.rows("events").at(-1)?.id;
    await harness.ok("jobs.create", { params: atYard, body: aJob(acme) });
    expect(heard).toBe(2);
    expect(harness.service.outbox.notified()).toEqual([{ tenantId: acme.tenantId, firstEventId: first }]);
  });
});

const noDifference = {
  after: "{}",
  before: "{}",
  operation: "jobs.update",
  request_id: "request",
  token_id: null,
  trace_id: null,
  user_id: 1,
};
