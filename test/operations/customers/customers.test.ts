import { beforeAll, expect, it } from "vitest";
import { aCustomer, type Json } from "../../support/builders.ts";
import { describePaging } from "../../support/describe-input.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";

describeOnEveryTarget("customers.get", (harness) => {
  it("returns the customer with all its locations and every field", async () => {
    const location_id = harness.acme.locationId;
    const created = await harness.ok("customers.create", {
      params: { location_id },
      body: aCustomer({ note: "n", parent_id: harness.acme.customerId, renewal_date: "2027-01-31" }),
    });
    const { addresses, contacts, created_on, id, last_updated_on, name } = created;
    expect(await harness.ok("customers.get", { params: { customer_id: id } })).toEqual({
      addresses,
      contacts,
      created_on,
      id,
      last_updated_on,
      locations: [
        {
          created_on,
          customer_id: id,
          is_active: true,
          is_commercial: null,
          last_updated_on,
          location_id,
          note: "n",
          reference_number: null,
          renewal_date: "2027-01-31T00:00:00.000000",
          sales_rep: null,
          sales_rep_id: null,
          suspension_id: null,
        },
      ],
      name,
      parent_id: harness.acme.customerId,
    });
  });
});

describeOnEveryTarget("customers.list", (harness) => {
  const list = (query: Record<string, string> = {}) => harness.call("customers.list", { query });
  const names = async (query: Record<string, string | number | boolean>) =>
    (await harness.ok("customers.list", { query })).results.map(({ name }) => name);
  let parent: number;
  let north: number;

  beforeAll(async () => {
    const yard = harness.acme.locationId;
    north = (await harness.ok("locations.create", { as: "Admin", body: { name: "North" } })).id;
    const create = (location_id: number, changes: Json) =>
      harness.ok("customers.create", { params: { location_id }, body: aCustomer(changes) });
    parent = (await create(yard, { name: "Parent" })).id;
    await create(north, { name: "Child", parent_id: parent });
    const gone = await create(yard, { name: "Gone", reference_number: "REF 7-Ä" });
    harness.store.updateWhere("customer_locations", { customer_id: gone.id }, { is_active: 0 });
    harness.clock.set("2026-11-21T13:00:00.000000");
    await create(north, { name: "Late" });
  });

  it("lists the customers of the tenant by id, as single reads return them", async () => {
    const { results } = await harness.ok("customers.list");
    expect(results.map(({ name }) => name)).toEqual(["First of Acme", "Parent", "Child", "Gone", "Late"]);
    for (const customer of results) {
      expect(await harness.ok("customers.get", { params: { customer_id: customer.id } })).toEqual(customer);
    }
  });

  it("finds the customers of a reference number, exactly, at a location and at all", async () => {
    const at = async (location_id: number, reference_number: string) =>
      (
        await harness.ok("locations.customers", { params: { location_id }, query: { reference_number } })
      ).results.map(({ name }) => name);
    expect(await names({ reference_number: "REF 7-Ä" })).toEqual(["Gone"]);
    expect(await names({ reference_number: "ref 7-ä" })).toEqual([]);
    expect(await at(harness.acme.locationId, "REF 7-Ä")).toEqual(["Gone"]);
    expect(await at(north, "REF 7-Ä")).toEqual([]);
  });

  it("applies its filters", async () => {
    expect(await names({ location_id: north })).toEqual(["Child", "Late"]);
    expect(await names({ name: "p*" })).toEqual(["Parent"]);
    expect(await names({ is_parent: true })).toEqual(["Parent"]);
    expect(await names({ is_parent: false })).toEqual(["First of Acme", "Child", "Gone", "Late"]);
    expect(await names({ parent_id: parent })).toEqual(["Child"]);
    expect(await names({ active: false })).toEqual(["Gone"]);
    expect(await names({ active: true })).toEqual(["First of Acme", "Parent", "Child", "Late"]);
    expect(await names({ created_on_gte: "2026-11-21T13:00:00" })).toEqual(["Late"]);
    expect(await names({ created_on_gte: "2026-11-21T12:00:00" })).toHaveLength(5);
    expect(await names({ last_updated_gte: "2026-11-21T12:00:00" })).toEqual(["Late"]);
    expect(await names({ active: true, location_id: north, name: "*a*" })).toEqual(["Late"]);
    expect(await names({ location_id: harness.globex.locationId })).toEqual([]);
  });

  describePaging(list);
});
