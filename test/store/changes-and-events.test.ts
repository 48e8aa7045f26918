import { beforeEach, describe, expect, it } from "vitest";
import { aCustomer, aHook, aJob, anAddress, aTruck, aUser } from "../support/builders.ts";
import { startReceiver } from "../support/receiver.ts";
import { describeOnEveryTarget } from "../support/targets.ts";
import { testStart } from "../support/test-clock.ts";

describeOnEveryTarget("the events and audit rows of a write", (harness) => {
  const atYard = () => ({ location_id: harness.acme.locationId });
  let known: Set<unknown>;

  /** The rows that the test added to a table. */
  const added = (table: string) => harness.store.rows(table).filter(({ id }) => !known.has(`${table} ${id}`));
  const events = () =>
    added("events").map(({ data, ...row }) => ({ ...row, data: JSON.parse(String(data)) }));
  const entries = () =>
    added("audit").map(({ before, after, ...row }) => ({
      ...row,
      after: JSON.parse(String(after)),
      before: JSON.parse(String(before)),
    }));

  beforeEach(() => {
    const idsOf = (table: string) => harness.store.rows(table).map(({ id }) => `${table} ${id}`);
    known = new Set(["events", "audit"].flatMap(idsOf));
  });

  it("are one of each for the customer and for its record at the location", async () => {
    const { callers, tenantId } = harness.acme;
    const customer = await harness.ok("customers.create", {
      params: atYard(),
      body: aCustomer({ note: "n" }),
    });
    const event = { action: "created", created_on: testStart, record_id: customer.id, tenant_id: tenantId };
    const { addresses, contacts, name } = customer;
    expect(events()).toMatchObject([
      {
        ...event,
        data: { addresses, contacts, id: customer.id, locations: [{ note: "n" }], name },
        kind: "Customer",
      },
      { ...event, data: { addresses, id: customer.id, note: "n" }, kind: "CustomerLocation" },
    ]);
    const entry = {
      action: "created",
      before: null,
      created_on: testStart,
      operation: "customers.create",
      record_id: customer.id,
      tenant_id: tenantId,
      token_id: expect.any(Number),
      user_id: callers.Dispatcher.user.id,
    };
    expect(entries()).toMatchObject([
      { ...entry, after: { id: customer.id, name }, record_type: "Customer" },
      { ...entry, after: { note: "n" }, record_type: "CustomerLocation" },
    ]);
    const [one, other] = events() as { uuid?: string }[];
    expect(one?.uuid).toMatch(/^[0-9a-f-]{36}$/);
    expect(other?.uuid).not.toBe(one?.uuid);
  });

  it("report a new address as a change of its customer", async () => {
    const { customerId } = harness.acme;
    const params = { customer_id: customerId };
    const address = await harness.ok("addresses.add", { params, body: anAddress() });
    expect(events()).toMatchObject([
      {
        action: "updated",
        data: { addresses: expect.arrayContaining([address]) },
        kind: "Customer",
        record_id: customerId,
      },
    ]);
    expect(entries()).toMatchObject([
      { action: "updated", operation: "addresses.add", record_id: customerId },
    ]);
  });

  it("report a new job with all its fields", async () => {
    const { acme } = harness;
    const job = await harness.ok("jobs.create", {
      params: atYard(),
      body: aJob(acme, { truck_id: acme.truckId }),
    });
    const told = { customer: { id: acme.customerId }, id: job.id, truck_id: acme.truckId, type: "D" };
    expect(events()).toMatchObject([{ action: "created", data: told, kind: "Job", record_id: job.id }]);
    expect(entries()).toMatchObject([
      { action: "created", after: { type: "D" }, before: null, record_type: "Job" },
    ]);
  });

  it("report a created and changed truck, with the previous and new values", async () => {
    const truck = await harness.ok("trucks.create", { params: atYard(), body: aTruck({ notes: "old" }) });
    const params = { ...atYard(), truck_id: truck.id };
    const changed = await harness.ok("trucks.update", { params, body: { notes: "new", weight: 5 } });
    expect(events()).toMatchObject([
      { action: "created", data: truck, kind: "Truck" },
      { action: "updated", data: changed, kind: "Truck" },
    ]);
    expect(entries().at(-1)).toMatchObject({
      after: { notes: "new", weight: 5 },
      before: { notes: "old", weight: null },
    });
  });

  it("write audit entries but no events for webhooks, locations, users, and tokens, and never store a secret", async () => {
    const secret = "c2VjcmV0LWtleS0xMjM0NTY=";
    const hook = await harness.ok("hooks.create", { body: aHook({ secret }) });
    const ofHook = { hook_id: hook.id };
    await harness.ok("hooks.update", { params: ofHook, body: { secret: "YW5vdGhlci1zZWNyZXQ=" } });
    await harness.ok("hooks.delete", { params: ofHook });
    await harness.ok("locations.create", { as: "Admin", body: { name: "North" } });
    await harness.ok("users.create", { as: "Admin", params: atYard(), body: aUser() });
    const token = await harness.ok("tokens.create", { as: "Admin", body: { username: "the-Admin" } });
    await harness.ok("tokens.revoke", { as: "Admin", params: { token_id: token.id } });
    expect(events()).toEqual([]);
    expect(added("audit").map(({ record_type, action }) => `${record_type} ${action}`)).toEqual([
      "Webhook created",
      "Webhook updated",
      "Webhook deleted",
      "Location created",
      "User created",
      "Token created",
      "Token revoked",
    ]);
    const written = JSON.stringify(added("audit"));
    for (const hidden of [secret, "YW5vdGhlci1zZWNyZXQ=", token.token?.split(".").at(-1), "secret_hash"]) {
      expect(written).not.toContain(hidden);
    }
  });

  describe("are not written", () => {
    it("by reads and refusals", async () => {
      const before = harness.store.contents();
      await harness.ok("jobs.list");
      await harness.refused("jobs.create", { as: "Driver", params: atYard(), body: aJob(harness.acme) });
      await harness.refused("jobs.create", { params: atYard(), body: aJob(harness.acme, { type: "X" }) });
      await harness.refused("jobs.create", {
        params: atYard(),
        body: aJob(harness.acme, { truck_id: 999_999 }),
      });
      await harness.refused("jobs.create", { params: { location_id: 999_999 }, body: aJob(harness.acme) });
      const both = { is_completed: true, is_failed: true };
      await harness.refused("jobs.create", { params: atYard(), body: aJob(harness.acme, both) });
      expect(harness.store.contents()).toEqual(before);
    });

    it("by a ping, which stores only its delivery and the time of the attempt", async () => {
      const { url } = await startReceiver();
      const { id } = await harness.ok("hooks.create", { body: aHook({ url }) });
      const strip = ({ deliveries, delivery_attempts, events: _, hooks, ...rest }: Record<string, unknown>) =>
        rest;
      const before = strip(harness.store.contents());
      const { delivery_id } = await harness.ok("hooks.ping", { params: { hook_id: id } });
      expect(strip(harness.store.contents())).toEqual(before);
      expect(events()).toMatchObject([{ action: "pinged", data: { id }, kind: "Ping", record_id: id }]);
      expect(harness.store.rows("deliveries").filter(({ uuid }) => uuid === delivery_id)).toHaveLength(1);
    });
  });
});
