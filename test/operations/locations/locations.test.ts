import { describe, expect, it } from "vitest";
import { describeFields } from "../../support/describe-fields.ts";
import { describePaging, toViolations } from "../../support/describe-input.ts";
import * as takes from "../../support/field-cases.ts";
import { emails } from "../../support/model-fields.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";

const typeNames = {
  delivery_name: "Live load",
  dropoff_name: "Drop-off",
  exchange_name: "Exchange",
  pickup_name: "Pickup",
  service_name: "Service",
};

describeOnEveryTarget("locations.create", (harness) => {
  const send = (body: unknown) => harness.call("locations.create", { as: "Admin", body });

  it("returns every field, with the defaults of missing fields", async () => {
    expect(await harness.ok("locations.create", { as: "Admin", body: { name: "North yard" } })).toEqual({
      address: null,
      clock: null,
      contact: null,
      ...typeNames,
      distance_label: "mi",
      driver_self_assignment: false,
      id: expect.any(Number),
      is_active: true,
      name: "North yard",
      require_reference_number: false,
      require_signature: false,
      time_zone: null,
      use_additional_items: false,
    });
  });

  it("returns all fields of an address and a contact that were sent in part", async () => {
    const body = { address: { line_1: "1 Dock Road" }, contact: { name: "Robin" }, name: "Dock" };
    const created = await harness.ok("locations.create", { as: "Admin", body });
    const nothing = {
      latitude: null,
      line_2: null,
      line_3: null,
      line_4: null,
      locality: null,
      longitude: null,
    };
    expect(created).toMatchObject({
      address: { ...nothing, line_1: "1 Dock Road", postcode: null, region: null },
      contact: { email: null, name: "Robin", number: null },
    });
    expect(await harness.ok("locations.get", { params: { location_id: created.id } })).toEqual(created);
  });

  it("reports violations of nested fields under their paths", async () => {
    const body = { address: { latitude: 91, street: "x" }, contact: { email: "nobody" }, name: "Dock" };
    expect(toViolations(await send(body))).toEqual([
      400,
      ["too_big", "CreateLocationModel.address.latitude"],
      ["unknown_field", "CreateLocationModel.address.street"],
      ["invalid_format", "CreateLocationModel.contact.email"],
    ]);
  });

  describeFields(harness, {
    model: "CreateLocationModel",
    fields: {
      distance_label: takes.optional(takes.text(1, 16), "mi"),
      "driver_self_assignment, require_reference_number, require_signature, use_additional_items":
        takes.optional(takes.boolean, false),
      name: takes.required(takes.text(1, 64)),
      ...Object.fromEntries(
        Object.entries(typeNames).map(([name, unset]) => [name, takes.optional(takes.text(1, 64), unset)]),
      ),
    },
    send: (changes) => send({ name: "Yard", ...changes }),
  });

  describe("the contact", () => {
    describeFields(harness, {
      model: "CreateLocationModel.contact",
      fields: {
        email: takes.optional(emails),
        name: takes.optional(takes.text(1, 128)),
        number: takes.optional(takes.text(1, 90)),
      },
      send: (contact) => send({ contact, name: "Yard" }),
      shown: ({ contact }) => contact,
    });
  });
});

describeOnEveryTarget("locations.get and locations.list", (harness) => {
  it("show only locations of the tenant", async () => {
    const other = await harness.ok("locations.create", { as: "Admin", body: { name: "North yard" } });
    const { results } = await harness.ok("locations.list");
    expect(results.map(({ id }) => id)).toEqual([harness.acme.locationId, other.id]);
    expect(results[1]).toEqual(other);
    for (const location_id of [999_999, harness.globex.locationId]) {
      expect(await harness.refused("locations.get", { params: { location_id } })).toMatchObject({
        status: 404,
        code: "record_not_found",
        detail: `There is no location ${location_id}.`,
      });
    }
  });

  it("show only its location to a user who is bound to one", async () => {
    const { acme } = harness;
    const bound = await harness.addCaller({ roles: ["Dispatcher"], location_id: acme.locationId });
    const other = await harness.ok("locations.create", { as: "Admin", body: { name: "South yard" } });
    const { results } = await harness.ok("locations.list", { as: bound });
    expect(results.map(({ id }) => id)).toEqual([acme.locationId]);
    const error = await harness.refused("locations.get", { as: bound, params: { location_id: other.id } });
    expect(error).toMatchObject({ status: 404, code: "record_not_found" });
  });

  describePaging((query) => harness.call("locations.list", { query }));
});
