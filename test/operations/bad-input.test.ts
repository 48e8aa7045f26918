import { expect, it } from "vitest";
import type { ErrorBody } from "../../src/errors/errors.ts";
import type { OperationName } from "../../src/operations/index.ts";
import { aCustomer, aJob, aTruck } from "../support/builders.ts";
import type { Harness, HarnessCall } from "../support/harness.ts";
import { describeOnEveryTarget } from "../support/targets.ts";

interface Attempt {
  name: OperationName;
  call: HarnessCall;
  /** The expected fields of the error. */
  says: Partial<ErrorBody>;
}

/** What a careless or hostile caller sends. Each attempt creates the records that it needs. */
const attempts: Record<string, (harness: Harness) => Promise<Attempt> | Attempt> = {
  "a job at an address of another customer": async (harness) => {
    const other = await harness.ok("customers.create", { body: aCustomer(), params: atYard(harness) });
    const body = aJob(harness.acme, { address_id: other.addresses[0]?.id });
    return refusedJob(harness, body, "unknown_reference", "address_id");
  },
  "a job for a truck of another location": async (harness) => {
    const north = await harness.ok("locations.create", { as: "Admin", body: { name: "North" } });
    const truck = await harness.ok("trucks.create", { body: aTruck(), params: { location_id: north.id } });
    return refusedJob(harness, aJob(harness.acme, { truck_id: truck.id }), "unknown_reference", "truck_id");
  },
  "a driver of another tenant": (harness) => ({
    name: "trucks.update",
    call: {
      body: { driver_id: harness.globex.driverId },
      params: { ...atYard(harness), truck_id: harness.acme.truckId },
    },
    says: { code: "unknown_reference", field: "UpdateTruckRequestModel.driver_id", status: 400 },
  }),
  "a customer as its own parent": (harness) => ({
    name: "customers.update",
    call: { body: { parent_id: harness.acme.customerId }, params: { customer_id: harness.acme.customerId } },
    says: { code: "state_conflict", field: "UpdateCustomerModel.parent_id", status: 409 },
  }),
  "a dump destination that was removed": async (harness) => {
    const params = atYard(harness);
    const dump = await harness.ok("dump-destinations.create", { body: { city: "Severn" }, params });
    const removed = { body: { is_active: false }, params: { ...params, dump_destination_id: dump.id } };
    await harness.ok("dump-destinations.update", removed);
    return refusedJob(
      harness,
      aJob(harness.acme, { dump_location_id: dump.id }),
      "unknown_reference",
      "dump_location_id",
    );
  },
  "an image that is a script": async (harness) => {
    const job = await harness.ok("jobs.create", { body: aJob(harness.acme), params: atYard(harness) });
    return {
      name: "jobs.add-image",
      call: { body: { url: "javascript:alert(1)" }, params: { ...atYard(harness), job_id: job.id } },
      says: { code: "invalid_format", field: "CreateJobImageModel.url", status: 400 },
    };
  },
  "a date in the year 10000": (harness) =>
    refusedJob(
      harness,
      aJob(harness.acme, { schedule_date: "10000-01-01" }),
      "invalid_date",
      "schedule_date",
    ),
  "a note of 2,049 characters": (harness) =>
    refusedJob(
      harness,
      aJob(harness.acme, { dispatcher_notes: "😀".repeat(2049) }),
      "too_long",
      "dispatcher_notes",
    ),
  "a body with __proto__": (harness) => {
    // In an object literal this key would set the prototype.
    const body = Object.fromEntries([
      ...Object.entries(aJob(harness.acme)),
      ["__proto__", { is_paid: true }],
    ]);
    return refusedJob(harness, body, "unknown_field", "__proto__");
  },
};

describeOnEveryTarget("bad input", (harness) => {
  it.each(Object.keys(attempts))(
    "%s is refused by its field name, with a fix, and nothing is stored",
    async (what) => {
      const attempt = await attempts[what]?.(harness);
      if (!attempt) throw new Error("There is no such attempt.");
      const before = harness.store.contents();
      const refusal = await harness.refused(attempt.name, attempt.call);
      expect(refusal).toMatchObject(attempt.says);
      expect(refusal.errors).toHaveLength(1);
      expect(refusal.detail.length).toBeGreaterThan(20);
      expect(harness.store.contents()).toEqual(before);
    },
  );
});

const atYard = (harness: Harness) => ({ location_id: harness.acme.locationId });

function refusedJob(harness: Harness, body: unknown, code: string, field: string): Attempt {
  const says = { code, field: `CreateJobRequestBodyModel.${field}`, status: 400 };
  return { name: "jobs.create", call: { body, params: atYard(harness) }, says };
}
