import type { Role } from "../../../src/models/user.ts";
import type { JobAnswer } from "../../support/answers.ts";
import type { Bed, BedAnswer, BedCall } from "../../support/bed.ts";
import { aJob, type Json } from "../../support/builders.ts";
import type { Caller } from "../../support/tenants.ts";

/** What tests of jobs do again and again in Acme's yard. */
export function inYardOf(bed: Bed) {
  const at = (id: number) => ({ job_id: id, location_id: bed.acme.locationId });
  return {
    at,
    create: (changes: Json = {}): Promise<JobAnswer> =>
      bed.ok("jobs.create", {
        params: { location_id: bed.acme.locationId },
        body: aJob(bed.acme, changes),
      }),
    get: (id: number): Promise<JobAnswer> => bed.ok("jobs.get", { params: at(id) }),
    update: (id: number, body: unknown, as: Role | Caller = "Dispatcher"): Promise<BedAnswer> =>
      bed.call("jobs.update", { as, params: at(id), body }),
    updated: (id: number, body: Json, call: BedCall = {}): Promise<JobAnswer> =>
      bed.ok("jobs.update", { ...call, params: at(id), body }),
    dispatch: (id: number, body: unknown, as: Role | Caller = "Dispatcher"): Promise<BedAnswer> =>
      bed.call("jobs.dispatch", { as, params: at(id), body }),
    dispatched: (id: number, body: Json, call: BedCall = {}): Promise<JobAnswer> =>
      bed.ok("jobs.dispatch", { ...call, params: at(id), body }),
  };
}

/** The events and audit rows that `act` leaves, JSON read. */
export async function whatIsLeftBy(bed: Bed, act: () => Promise<unknown>) {
  const before = { audit: bed.store.rows("audit").length, events: bed.store.rows("events").length };
  await act();
  const read = (text: unknown) => JSON.parse(String(text)) as Json;
  return {
    audit: bed.store
      .rows("audit")
      .slice(before.audit)
      .map((row): Json => ({ ...row, after: read(row.after), before: read(row.before) })),
    events: bed.store
      .rows("events")
      .slice(before.events)
      .map((row): Json => ({ ...row, data: read(row.data) })),
  };
}
