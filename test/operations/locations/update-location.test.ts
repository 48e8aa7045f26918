import { describe, expect, it } from "vitest";
import type { Json } from "../../support/builders.ts";
import { describeFields } from "../../support/describe-fields.ts";
import { toViolations } from "../../support/describe-input.ts";
import * as takes from "../../support/field-cases.ts";
import { emails } from "../../support/model-fields.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";

const model = "UpdateLocationModel";

describeOnEveryTarget("locations.update", (harness) => {
  const make = (changes: Json = {}) =>
    harness.ok("locations.create", { as: "Admin", body: { name: "North yard", ...changes } });
  const update = (location_id: number, body: Json) =>
    harness.ok("locations.update", { as: "Admin", params: { location_id }, body });

  it("changes only the fields in the body; null removes address and contact and resets other fields", async () => {
    const made = await make({ address: { line_1: "1 Dock Road" }, contact: { name: "Robin" } });
    const changes = { is_active: false, service_name: "Dump & return 😀", use_additional_items: true };
    expect(await update(made.id, changes)).toEqual({ ...made, ...changes });
    const nulls = Object.fromEntries(
      Object.keys(made)
        .filter((name) => !["id", "name"].includes(name))
        .map((name) => [name, null]),
    );
    const emptied = { ...made, address: null, contact: null };
    expect(await update(made.id, nulls)).toEqual(emptied);
    expect(await harness.ok("locations.get", { params: { location_id: made.id } })).toEqual(emptied);
  });

  it("writes one audit row for a change, and nothing when nothing changes", async () => {
    const made = await make({ address: { line_1: "1 Dock Road" } });
    await update(made.id, { name: "South yard" });
    const before = harness.store.contents();
    for (const body of [{}, { name: "South yard" }, { address: made.address }]) await update(made.id, body);
    expect(harness.store.contents()).toEqual(before);
    const rows = harness.store
      .rows("audit")
      .filter((row) => row.record_type === "Location" && row.record_id === made.id);
    expect(rows.map(({ action, after }) => [action, after]).slice(1)).toEqual([
      ["updated", '{"name":"South yard"}'],
    ]);
  });

  it("lets an Admin who is bound to a location change only that location", async () => {
    const { locationId } = harness.acme;
    const bound = await harness.addCaller({ location_id: locationId, roles: ["Admin"] });
    const other = await make();
    const body = { pickup_name: "Fetch" };
    const own = { as: bound, params: { location_id: locationId }, body };
    expect(await harness.ok("locations.update", own)).toMatchObject(body);
    const error = await harness.refused("locations.update", { ...own, params: { location_id: other.id } });
    expect(error).toMatchObject({ code: "record_not_found", status: 404 });
  });

  describe("the body", () => {
    let id = 0;
    const send = async (body: unknown) => {
      if (id === 0) id = (await make()).id;
      return harness.call("locations.update", { as: "Admin", params: { location_id: id }, body });
    };

    it("reports violations of nested fields under their paths", async () => {
      const body = { address: { latitude: 91, street: "x" }, contact: { email: "nobody" } };
      expect(toViolations(await send(body))).toEqual([
        400,
        ["too_big", `${model}.address.latitude`],
        ["unknown_field", `${model}.address.street`],
        ["invalid_format", `${model}.contact.email`],
      ]);
    });

    describeFields(harness, {
      model,
      fields: {
        distance_label: takes.text(1, 16),
        "driver_self_assignment, is_active, require_reference_number, require_signature, use_additional_items":
          takes.boolean,
        "delivery_name, dropoff_name, exchange_name, name, pickup_name, service_name": takes.text(1, 64),
      },
      send,
    });
    it("accepts a time zone of the tz database in any case, and null for the zone of the tenant", async () => {
      const shown = async (time_zone: string | null) =>
        (await update((await make()).id, { time_zone })).time_zone;
      expect(await shown("america/denver")).toBe("America/Denver");
      expect(await shown("Asia/Kolkata")).toBe("Asia/Kolkata");
      expect(await shown(null)).toBeNull();
    });

    it.each(["Mars", "+01:00", "../../etc/passwd", "", 7])("refuses the time zone %j", async (time_zone) => {
      expect(toViolations(await send({ time_zone }))).toEqual([
        400,
        [expect.any(String), `${model}.time_zone`],
      ]);
    });

    describe("its contact", () => {
      describeFields(harness, {
        model: `${model}.contact`,
        fields: takes.allOptional({
          email: emails,
          name: takes.text(1, 128),
          number: takes.text(1, 90),
        }),
        send: (contact) => send({ contact }),
        shown: ({ contact }) => contact,
      });
    });
  });
});
