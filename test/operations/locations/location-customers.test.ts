import { beforeAll, describe, expect, it } from "vitest";
import { aCustomer } from "../../support/builders.ts";
import { describePaging } from "../../support/describe-input.ts";
import type { HarnessCall } from "../../support/harness.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";

describeOnEveryTarget("locations.customers", (harness) => {
  const atYard = () => ({ location_id: harness.acme.locationId });
  const list = (query: NonNullable<HarnessCall["query"]> = {}) =>
    harness.call("locations.customers", { params: atYard(), query });
  const namesOf = async (query: NonNullable<HarnessCall["query"]>) =>
    (await harness.ok("locations.customers", { params: atYard(), query })).results.map(({ name }) => name);
  let parent: number;

  beforeAll(async () => {
    const create = (changes: object) =>
      harness.ok("customers.create", { params: atYard(), body: aCustomer({ ...changes }) });
    parent = (await create({ name: "Harbor Group" })).id;
    await create({ name: "Harbor North", parent_id: parent });
    const gone = await create({ name: "Gone 100%" });
    harness.store.updateWhere("customer_locations", { customer_id: gone.id }, { is_active: 0 });
    harness.clock.set("2026-11-21T13:00:00.000000");
    await create({ name: "ÖRESUND Straße" });
  });

  it("returns each customer as customers.create returned it, by id", async () => {
    const body = aCustomer({ note: "kept" });
    const created = await harness.ok("customers.create", { params: atYard(), body });
    const { results } = await harness.ok("locations.customers", { params: atYard() });
    expect(results.at(-1)).toEqual(created);
    const ids = results.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  });

  it.each([
    ["harbor group", ["Harbor Group"]],
    ["HARBOR*", ["Harbor Group", "Harbor North"]],
    ["*north", ["Harbor North"]],
    ["h*r n*h", ["Harbor North"]],
    ["Harbor", []],
    ["öresund STRASSE", ["ÖRESUND Straße"]],
    ["ö*ße", ["ÖRESUND Straße"]],
    ["gone 100%", ["Gone 100%"]],
    ["gone%*", []],
    ["gone 10__*", []],
  ])("filters by the name %j, where * matches any characters and case is ignored", async (name, names) => {
    expect(await namesOf({ name })).toEqual(names);
  });

  it("filters by active, is_parent and parent_id", async () => {
    expect(await namesOf({ active: false })).toEqual(["Gone 100%"]);
    expect(await namesOf({ active: true })).not.toContain("Gone 100%");
    expect(await namesOf({ is_parent: true })).toEqual(["Harbor Group"]);
    expect(await namesOf({ is_parent: false })).not.toContain("Harbor Group");
    expect(await namesOf({ parent_id: parent })).toEqual(["Harbor North"]);
  });

  it("includes the bound of created_on_gte and excludes the bound of last_updated_gte", async () => {
    const later = ["2026-11-21T12:00:00.000001", "2026-11-21T13:00:00Z"];
    for (const created_on_gte of later) expect(await namesOf({ created_on_gte })).toContain("ÖRESUND Straße");
    for (const created_on_gte of later)
      expect(await namesOf({ created_on_gte })).not.toContain("Harbor Group");
    expect(await namesOf({ created_on_gte: "2026-11-21T12:00:00" })).toContain("Harbor Group");
    expect(await namesOf({ last_updated_gte: "2026-11-21T12:59:59" })).toContain("ÖRESUND Straße");
    expect(await namesOf({ last_updated_gte: "2026-11-21T13:00:00" })).toEqual([]);
  });

  describePaging(list);
});

describeOnEveryTarget("locations.customer", (harness) => {
  const params = (changes: object = {}) => ({
    customer_id: harness.acme.customerId,
    location_id: harness.acme.locationId,
    ...changes,
  });

  it("returns the customer as the location stores it", async () => {
    const { location_id } = params();
    const created = await harness.ok("customers.create", {
      params: { location_id },
      body: aCustomer({ note: "kept" }),
    });
    expect(await harness.ok("locations.customer", { params: params({ customer_id: created.id }) })).toEqual(
      created,
    );
  });

  describe("answers 404 to a customer that", () => {
    it("is at another location", async () => {
      const { id } = await harness.ok("locations.create", { as: "Admin", body: { name: "North yard" } });
      expect(
        await harness.refused("locations.customer", { params: params({ location_id: id }) }),
      ).toMatchObject({
        status: 404,
        code: "record_not_found",
      });
    });
  });
});
