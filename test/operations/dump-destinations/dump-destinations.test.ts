import { expect, it } from "vitest";
import { aJob, type Json } from "../../support/builders.ts";
import { describeFields } from "../../support/describe-fields.ts";
import { describeLocationRecords } from "../../support/describe-records.ts";
import * as takes from "../../support/field-cases.ts";
import { emails } from "../../support/model-fields.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";

const fields = takes.allOptional({
  address: takes.text(1, 256),
  city: takes.text(1, 86),
  contact_email: emails,
  contact_name: takes.text(0, 128),
  contact_phone: takes.text(0, 90),
  description: takes.text(0, 2048),
  latitude: takes.number(-90, 90),
  longitude: takes.number(-180, 180),
  state: takes.text(1, 32),
  zip: takes.text(1, 86),
});

describeOnEveryTarget("dump destinations", (harness) => {
  const atYard = () => ({ location_id: harness.acme.locationId });
  const create = (body: Json = {}) => harness.ok("dump-destinations.create", { params: atYard(), body });
  const update = (id: number, body: Json) =>
    harness.ok("dump-destinations.update", { params: { ...atYard(), dump_destination_id: id }, body });
  const listed = async () => {
    const { results } = await harness.ok("dump-destinations.list", {
      params: atYard(),
      query: { page_limit: 1000 },
    });
    return results.map(({ id }) => id);
  };

  describeLocationRecords(harness, {
    list: "dump-destinations.list",
    create: "dump-destinations.create",
    get: "dump-destinations.get",
    update: "dump-destinations.update",
    idName: "dump_destination_id",
    noun: "dump destination",
    type: "DumpDestination",
    valid: () => ({ description: "Halde Süd" }),
    change: { contact_name: "Scale house", is_holding_yard: true },
  });

  it("are returned with exactly the fields of the interface", async () => {
    expect(await create({ description: "North landfill" })).toEqual({
      address: null,
      city: null,
      contact_email: null,
      contact_name: null,
      contact_phone: null,
      description: "North landfill",
      id: expect.any(Number),
      is_holding_yard: false,
      latitude: null,
      location_id: harness.acme.locationId,
      longitude: null,
      state: null,
      zip: null,
    });
  });

  it("that are removed disappear from lists, but can be read, changed and restored", async () => {
    const made = await create({ city: "Tacoma" });
    const params = { ...atYard(), dump_destination_id: made.id };
    expect(await listed()).toContain(made.id);
    expect(await update(made.id, { is_active: false })).toEqual(made);
    expect(await listed()).not.toContain(made.id);
    expect(await harness.ok("dump-destinations.get", { params })).toEqual(made);
    expect(await update(made.id, { city: null })).toEqual({ ...made, city: null });
    expect(await listed()).not.toContain(made.id);
    await update(made.id, { is_active: null });
    expect(await listed()).toContain(made.id);
  });

  it("that are removed leave one entry in the audit trail", async () => {
    const { id } = await create();
    for (const _ of [1, 2]) await update(id, { is_active: false });
    const rows = harness.store
      .rows("audit")
      .filter((row) => row.record_type === "DumpDestination" && row.record_id === id)
      .map(({ action, after, before }) => [action, before, after]);
    expect(rows.slice(1)).toEqual([["updated", '{"is_active":true}', '{"is_active":false}']]);
  });

  it.each(["dump_location_id", "final_location_id", "start_location_id"] as const)(
    "that are removed cannot be used as %s any more, but stay where they are used",
    async (name) => {
      const { id } = await create();
      const body = aJob(harness.acme, { [name]: id });
      const job = await harness.ok("jobs.create", { params: atYard(), body });
      await update(id, { is_active: false });
      const before = harness.store.contents();
      const error = await harness.refused("jobs.create", { params: atYard(), body });
      expect(error).toMatchObject({
        code: "unknown_reference",
        detail: expect.stringContaining(`${name}: dump destination ${id} was removed`),
        status: 400,
      });
      expect(harness.store.contents()).toEqual(before);
      const shown = await harness.ok("jobs.get", { params: { ...atYard(), job_id: job.id } });
      expect(shown[name]).toBe(id);
    },
  );
});

describeOnEveryTarget("dump-destinations.create", (harness) => {
  const send = (body: unknown) =>
    harness.call("dump-destinations.create", { params: { location_id: harness.acme.locationId }, body });

  describeFields(harness, {
    model: "CreateDumpDestinationModel",
    fields: { ...fields, is_holding_yard: takes.optional(takes.boolean, false) },
    send,
  });
});

describeOnEveryTarget("dump-destinations.update", (harness) => {
  let id = 0;
  const send = async (body: unknown) => {
    const atYard = { location_id: harness.acme.locationId };
    if (id === 0) id = (await harness.ok("dump-destinations.create", { params: atYard, body: {} })).id;
    return harness.call("dump-destinations.update", { params: { ...atYard, dump_destination_id: id }, body });
  };

  describeFields(harness, {
    model: "UpdateDumpDestinationModel",
    fields: { ...fields, is_holding_yard: takes.boolean },
    send,
  });
  describeFields(harness, {
    model: "UpdateDumpDestinationModel",
    fields: { is_active: { ...takes.boolean, taken: [] } },
    send,
  });
});
