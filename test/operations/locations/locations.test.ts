import { describe, expect, it } from "vitest";
import { describeFields } from "../../support/describe-fields.ts";
import {
  describeBody,
  describePaging,
  describePathIds,
  describeUnknownParameters,
  toViolations,
} from "../../support/describe-input.ts";
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

describeOnEveryTarget("locations.create", (bed) => {
  const send = (body: unknown) => bed.call("locations.create", { as: "Admin", body });

  it("answers every field, with the defaults for what was not sent", async () => {
    expect(await bed.ok("locations.create", { as: "Admin", body: { name: "North yard" } })).toEqual({
      address: null,
      contact: null,
      ...typeNames,
      distance_label: "mi",
      driver_self_assignment: false,
      id: expect.any(Number),
      is_active: true,
      name: "North yard",
      require_reference_number: false,
      require_signature: false,
      use_additional_items: false,
    });
  });

  it("answers all fields of an address and a contact of which some were sent", async () => {
    const body = { address: { line_1: "1 Dock Road" }, contact: { name: "Robin" }, name: "Dock" };
    const created = await bed.ok("locations.create", { as: "Admin", body });
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
    expect(await bed.ok("locations.get", { params: { location_id: created.id } })).toEqual(created);
  });

  it("reports violations of what is nested under its path", async () => {
    const body = { address: { latitude: 91, street: "x" }, contact: { email: "nobody" }, name: "Dock" };
    expect(toViolations(await send(body))).toEqual([
      400,
      ["too_big", "CreateLocationModel.address.latitude"],
      ["unknown_field", "CreateLocationModel.address.street"],
      ["invalid_format", "CreateLocationModel.contact.email"],
    ]);
  });

  describeFields(bed, {
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
    describeFields(bed, {
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

  describeBody(bed, {
    model: "CreateLocationModel",
    valid: () => ({ name: "Yard" }),
    send,
    notAccepted: ["id", "is_active"],
  });
});

describeOnEveryTarget("locations.get and locations.list", (bed) => {
  it("show the tenant's own locations only (OP-22)", async () => {
    const other = await bed.ok("locations.create", { as: "Admin", body: { name: "North yard" } });
    const { results } = await bed.ok("locations.list");
    expect(results.map(({ id }) => id)).toEqual([bed.acme.locationId, other.id]);
    expect(results[1]).toEqual(other);
    for (const location_id of [999_999, bed.globex.locationId]) {
      expect(await bed.refused("locations.get", { params: { location_id } })).toMatchObject({
        status: 404,
        code: "record_not_found",
        detail: `There is no location ${location_id}.`,
      });
    }
  });

  it("show a user who is bound to one location that one only (OP-53)", async () => {
    const { acme } = bed;
    const bound = await bed.addCaller({ roles: ["Dispatcher"], location_id: acme.locationId });
    const other = await bed.ok("locations.create", { as: "Admin", body: { name: "South yard" } });
    const { results } = await bed.ok("locations.list", { as: bound });
    expect(results.map(({ id }) => id)).toEqual([acme.locationId]);
    const error = await bed.refused("locations.get", { as: bound, params: { location_id: other.id } });
    expect(error).toMatchObject({ status: 404, code: "record_not_found" });
  });

  describePaging((query) => bed.call("locations.list", { query }));
  describeUnknownParameters((query) => bed.call("locations.list", { query }));
  describePathIds(["location_id"], (params) => bed.call("locations.get", { params }));
});
