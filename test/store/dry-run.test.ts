import { describe, expect, it } from "vitest";
import type { OperationName } from "../../src/operations/index.ts";
import type { Bed, BedCall } from "../support/bed.ts";
import { aCustomer, aHook, aJob, anAddress, aTruck, aUser } from "../support/builders.ts";
import { startReceiver } from "../support/receiver.ts";
import { describeOnEveryTarget } from "../support/targets.ts";

const atYard = (bed: Bed) => ({ location_id: bed.acme.locationId });

/** A call of each operation that writes. */
const writes: [name: OperationName, call: (bed: Bed) => BedCall][] = [
  ["addresses.add", (bed) => ({ body: anAddress(), params: { customer_id: bed.acme.customerId } })],
  ["customers.create", (bed) => ({ body: aCustomer(), params: atYard(bed) })],
  ["hooks.create", () => ({ body: aHook({ secret: "c2VjcmV0LWtleS0xMjM0NTY=" }) })],
  ["jobs.create", (bed) => ({ body: aJob(bed.acme), params: atYard(bed) })],
  ["locations.create", () => ({ as: "Admin", body: { name: "North" } })],
  ["trucks.create", (bed) => ({ body: aTruck(), params: atYard(bed) })],
  [
    "trucks.update",
    (bed) => ({ body: { notes: "n" }, params: { ...atYard(bed), truck_id: bed.acme.truckId } }),
  ],
  ["users.create", (bed) => ({ as: "Admin", body: aUser(), params: atYard(bed) })],
];

/** PostgreSQL takes ids from sequences, which do not go back when a transaction is undone. */
function withoutNewIds(bed: Bed, answer: object): unknown {
  if (bed.database.name === "SQLite") return answer;
  return JSON.parse(JSON.stringify(answer, (name, value) => (name === "id" ? typeof value : value)));
}

describeOnEveryTarget("a dry run", (bed) => {
  it.each(writes)("of %s answers as the call would, and stores nothing", async (name, toCall) => {
    const call = toCall(bed);
    const before = bed.store.contents();
    const dry = await bed.ok(name, { ...call, dryRun: true });
    expect(bed.store.contents()).toEqual(before);
    const real = await bed.ok(name, call);
    // Nothing was left that the real call could meet. What is random is random again; and an id that was given to a
    // dry run is given to nothing else, where ids do not come out of the transaction.
    const comparable = (answer: object) => withoutNewIds(bed, { ...answer, uid: null });
    expect(comparable(dry)).toEqual(comparable(real));
    expect(bed.store.contents()).not.toEqual(before);
  });

  it("of deleting and revoking stores nothing", async () => {
    const hook = await bed.ok("hooks.create", { body: aHook() });
    const token = await bed.ok("tokens.create", { as: "Admin", body: { username: "the-Driver" } });
    const before = bed.store.contents();
    const params = { hook_id: hook.id, token_id: token.id };
    const { hook_id, token_id } = params;
    const deleted = await bed.ok("hooks.delete", { dryRun: true, params: { hook_id } });
    expect(deleted.deleted_at).toBe(bed.clock.now());
    const revoked = await bed.ok("tokens.revoke", { as: "Admin", dryRun: true, params: { token_id } });
    expect(revoked.revoked_on).toBe(bed.clock.now());
    expect(bed.store.contents()).toEqual(before);
  });

  it("is refused as the call would be", async () => {
    const body = aJob(bed.acme, { truck_id: 999_999 });
    const call = { body, params: atYard(bed) };
    const { request_id: _, ...dry } = await bed.refused("jobs.create", { ...call, dryRun: true });
    const { request_id: __, ...real } = await bed.refused("jobs.create", call);
    expect(dry).toEqual(real);
    expect(dry).toMatchObject({ status: 400, code: "unknown_reference" });
  });

  it("leaves no trace in what is shown afterwards", async () => {
    const { customerId } = bed.acme;
    const shown = () => bed.ok("locations.customer", { params: { ...atYard(bed), customer_id: customerId } });
    const before = await shown();
    const params = { customer_id: customerId };
    await bed.ok("addresses.add", { body: anAddress({ line_1: "dry" }), dryRun: true, params });
    expect(await shown()).toEqual(before);
    const added = await bed.ok("addresses.add", { body: anAddress({ line_1: "real" }), params });
    expect((await shown()).addresses).toEqual([...before.addresses, added]);
  });

  describe("of what does not write", () => {
    it("is the reading itself", async () => {
      expect(await bed.ok("jobs.list", { dryRun: true })).toEqual(await bed.ok("jobs.list"));
    });

    it("calls no webhook", async () => {
      const { url, deliveries } = await startReceiver();
      const { id } = await bed.ok("hooks.create", { body: aHook({ url }) });
      const before = bed.store.contents();
      const answer = await bed.call("hooks.ping", { dryRun: true, params: { hook_id: id } });
      expect([200, 400]).toContain(answer.status);
      expect(deliveries).toEqual([]);
      expect(bed.store.contents()).toEqual(before);
    });
  });
});
