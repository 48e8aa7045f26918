import { expect, it } from "vitest";
import type { ErrorBody } from "../../src/errors/errors.ts";
import type { OperationName } from "../../src/operations/index.ts";
import type { Bed, BedCall } from "../support/bed.ts";
import { aCustomer, aJob, aTruck } from "../support/builders.ts";
import { describeOnEveryTarget } from "../support/targets.ts";

interface Attempt {
  name: OperationName;
  call: BedCall;
  /** What the refusal says. */
  says: Partial<ErrorBody>;
}

/** What a tired or a hostile person sends; each makes the records that it needs. */
const attempts: Record<string, (bed: Bed) => Promise<Attempt> | Attempt> = {
  "a job at an address of another customer": async (bed) => {
    const other = await bed.ok("customers.create", { body: aCustomer(), params: atYard(bed) });
    const body = aJob(bed.acme, { address_id: other.addresses[0]?.id });
    return refusedJob(bed, body, "unknown_reference", "address_id");
  },
  "a job for a truck of another location": async (bed) => {
    const north = await bed.ok("locations.create", { as: "Admin", body: { name: "North" } });
    const truck = await bed.ok("trucks.create", { body: aTruck(), params: { location_id: north.id } });
    return refusedJob(bed, aJob(bed.acme, { truck_id: truck.id }), "unknown_reference", "truck_id");
  },
  "a driver of another tenant": (bed) => ({
    name: "trucks.update",
    call: {
      body: { driver_id: bed.globex.driverId },
      params: { ...atYard(bed), truck_id: bed.acme.truckId },
    },
    says: { code: "unknown_reference", field: "UpdateTruckRequestModel.driver_id", status: 400 },
  }),
  "a customer as its own parent": (bed) => ({
    name: "customers.update",
    call: { body: { parent_id: bed.acme.customerId }, params: { customer_id: bed.acme.customerId } },
    says: { code: "state_conflict", field: "UpdateCustomerModel.parent_id", status: 409 },
  }),
  "a dump destination that was removed": async (bed) => {
    const params = atYard(bed);
    const dump = await bed.ok("dump-destinations.create", { body: { city: "Severn" }, params });
    const removed = { body: { is_active: false }, params: { ...params, dump_destination_id: dump.id } };
    await bed.ok("dump-destinations.update", removed);
    return refusedJob(
      bed,
      aJob(bed.acme, { dump_location_id: dump.id }),
      "unknown_reference",
      "dump_location_id",
    );
  },
  "an image that is a script": async (bed) => {
    const job = await bed.ok("jobs.create", { body: aJob(bed.acme), params: atYard(bed) });
    return {
      name: "jobs.add-image",
      call: { body: { url: "javascript:alert(1)" }, params: { ...atYard(bed), job_id: job.id } },
      says: { code: "invalid_format", field: "CreateJobImageModel.url", status: 400 },
    };
  },
  "a date in the year 10000": (bed) =>
    refusedJob(bed, aJob(bed.acme, { schedule_date: "10000-01-01" }), "invalid_date", "schedule_date"),
  "a note of 2,049 characters": (bed) =>
    refusedJob(bed, aJob(bed.acme, { dispatcher_notes: "😀".repeat(2049) }), "too_long", "dispatcher_notes"),
  "a body with __proto__": (bed) => {
    // Not an object literal: there it would set the prototype.
    const body = Object.fromEntries([...Object.entries(aJob(bed.acme)), ["__proto__", { is_paid: true }]]);
    return refusedJob(bed, body, "unknown_field", "__proto__");
  },
};

describeOnEveryTarget("bad input", (bed) => {
  it.each(Object.keys(attempts))(
    "%s is refused by name, with what to do, and nothing is stored",
    async (what) => {
      const attempt = await attempts[what]?.(bed);
      if (!attempt) throw new Error("There is no such attempt.");
      const before = bed.store.contents();
      const refusal = await bed.refused(attempt.name, attempt.call);
      expect(refusal).toMatchObject(attempt.says);
      expect(refusal.errors).toHaveLength(1);
      expect(refusal.detail.length).toBeGreaterThan(20);
      expect(bed.store.contents()).toEqual(before);
    },
  );
});

const atYard = (bed: Bed) => ({ location_id: bed.acme.locationId });

function refusedJob(bed: Bed, body: unknown, code: string, field: string): Attempt {
  const says = { code, field: `CreateJobRequestBodyModel.${field}`, status: 400 };
  return { name: "jobs.create", call: { body, params: atYard(bed) }, says };
}
