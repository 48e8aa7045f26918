import { describe, expect, it } from "vitest";
import type { OperationName } from "../../src/operations/index.ts";
import { aCustomer, aHook, aJob, anAddress, aTruck, aUser } from "../support/builders.ts";
import type { Harness, HarnessCall } from "../support/harness.ts";
import { startReceiver } from "../support/receiver.ts";
import { describeOnEveryTarget } from "../support/targets.ts";

const atYard = (harness: Harness) => ({ location_id: harness.acme.locationId });

/** One call of each operation that writes. */
const writes: [name: OperationName, call: (harness: Harness) => HarnessCall][] = [
  ["addresses.add", (harness) => ({ body: anAddress(), params: { customer_id: harness.acme.customerId } })],
  ["customers.create", (harness) => ({ body: aCustomer(), params: atYard(harness) })],
  ["hooks.create", () => ({ body: aHook({ secret: "c2VjcmV0LWtleS0xMjM0NTY=" }) })],
  ["jobs.create", (harness) => ({ body: aJob(harness.acme), params: atYard(harness) })],
  ["locations.create", () => ({ as: "Admin", body: { name: "North" } })],
  ["trucks.create", (harness) => ({ body: aTruck(), params: atYard(harness) })],
  [
    "trucks.update",
    (harness) => ({ body: { notes: "n" }, params: { ...atYard(harness), truck_id: harness.acme.truckId } }),
  ],
  ["users.create", (harness) => ({ as: "Admin", body: aUser(), params: atYard(harness) })],
];

/** Hides new ids on PostgreSQL, because a rollback does not reset its sequences. */
function withoutNewIds(harness: Harness, answer: object): unknown {
  if (harness.database.name === "SQLite") return answer;
  return JSON.parse(JSON.stringify(answer, (name, value) => (name === "id" ? typeof value : value)));
}

describeOnEveryTarget("a dry run", (harness) => {
  it.each(writes)("of %s answers like the real call and stores nothing", async (name, toCall) => {
    const call = toCall(harness);
    const before = harness.store.contents();
    const dry = await harness.ok(name, { ...call, dryRun: true });
    expect(harness.store.contents()).toEqual(before);
    const real = await harness.ok(name, call);
    // The dry run left no trace, so the real run answers the same, except for random values and ids from sequences.
    const comparable = (answer: object) => withoutNewIds(harness, { ...answer, uid: null });
    expect(comparable(dry)).toEqual(comparable(real));
    expect(harness.store.contents()).not.toEqual(before);
  });

  it("of deleting and revoking stores nothing", async () => {
    const hook = await harness.ok("hooks.create", { body: aHook() });
    const token = await harness.ok("tokens.create", { as: "Admin", body: { username: "the-Admin" } });
    const before = harness.store.contents();
    const params = { hook_id: hook.id, token_id: token.id };
    const { hook_id, token_id } = params;
    const deleted = await harness.ok("hooks.delete", { dryRun: true, params: { hook_id } });
    expect(deleted.deleted_at).toBe(harness.clock.now());
    const revoked = await harness.ok("tokens.revoke", { as: "Admin", dryRun: true, params: { token_id } });
    expect(revoked.revoked_on).toBe(harness.clock.now());
    expect(harness.store.contents()).toEqual(before);
  });

  it("is refused like the real call", async () => {
    const body = aJob(harness.acme, { truck_id: 999_999 });
    const call = { body, params: atYard(harness) };
    const { request_id: _, ...dry } = await harness.refused("jobs.create", { ...call, dryRun: true });
    const { request_id: __, ...real } = await harness.refused("jobs.create", call);
    expect(dry).toEqual(real);
    expect(dry).toMatchObject({ status: 400, code: "unknown_reference" });
  });

  it("does not affect later answers", async () => {
    const { customerId } = harness.acme;
    const shown = () =>
      harness.ok("locations.customer", { params: { ...atYard(harness), customer_id: customerId } });
    const before = await shown();
    const params = { customer_id: customerId };
    await harness.ok("addresses.add", { body: anAddress({ line_1: "dry" }), dryRun: true, params });
    expect(await shown()).toEqual(before);
    const added = await harness.ok("addresses.add", { body: anAddress({ line_1: "real" }), params });
    expect((await shown()).addresses).toEqual([...before.addresses, added]);
  });

  describe("of a read", () => {
    it("answers like the read", async () => {
      expect(await harness.ok("jobs.list", { dryRun: true })).toEqual(await harness.ok("jobs.list"));
    });

    it("of a ping calls no webhook", async () => {
      const { url, deliveries } = await startReceiver();
      const { id } = await harness.ok("hooks.create", { body: aHook({ url }) });
      const before = harness.store.contents();
      const answer = await harness.call("hooks.ping", { dryRun: true, params: { hook_id: id } });
      expect([200, 400]).toContain(answer.status);
      expect(deliveries).toEqual([]);
      expect(harness.store.contents()).toEqual(before);
    });
  });
});
