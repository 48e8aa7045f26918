import { expect, it } from "vitest";
import { describeOnEveryTarget } from "../../support/targets.ts";

describeOnEveryTarget("locations.of", (harness) => {
  const place = (kind: string, recordId: number, as = "Dispatcher" as const) =>
    harness.ok("locations.of", { as, query: { kind, record_id: recordId } });

  it("returns the location of a record by id only, and also the customer if it is part of one", async () => {
    const { addressId, customerId, locationId, truckId } = harness.acme;
    expect(await place("trucks", truckId)).toEqual({ customer_id: null, location_id: locationId });
    expect(await place("addresses", addressId)).toEqual({ customer_id: customerId, location_id: null });
    expect(await place("customers", customerId)).toEqual({ customer_id: null, location_id: null });
  });

  it("answers 404 to callers who may not see the record, in this tenant or another", async () => {
    const { truckId } = harness.acme;
    const query = { kind: "trucks", record_id: truckId };
    const foreign = { as: harness.globex.caller, query };
    expect((await harness.refused("locations.of", foreign)).status).toBe(404);
    const other = await harness.ok("locations.create", { as: "Admin", body: { name: "North" } });
    const bound = await harness.addCaller({ location_id: other.id, roles: ["Dispatcher"] });
    expect((await harness.refused("locations.of", { as: bound, query })).status).toBe(404);
  });

  it("returns users only to callers who may read them", async () => {
    const query = { kind: "users", record_id: 1 };
    expect((await harness.refused("locations.of", { as: "Driver", query })).status).toBe(403);
  });
});
