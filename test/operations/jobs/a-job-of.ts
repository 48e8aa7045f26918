import type { AnswerNamed } from "../../../src/client/client.ts";
import type { Role } from "../../../src/models/user.ts";
import { aJob, type Json } from "../../support/builders.ts";
import type { Harness, HarnessAnswer, HarnessCall } from "../../support/harness.ts";
import type { Caller } from "../../support/tenants.ts";

/** A job in the form in which every operation returns it. */
export type JobAnswer = AnswerNamed<"jobs.get">;

/** Helpers for jobs in Acme's yard. */
export function inYardOf(harness: Harness) {
  const at = (id: number) => ({ job_id: id, location_id: harness.acme.locationId });
  return {
    at,
    create: (changes: Json = {}): Promise<JobAnswer> =>
      harness.ok("jobs.create", {
        params: { location_id: harness.acme.locationId },
        body: aJob(harness.acme, changes),
      }),
    get: (id: number): Promise<JobAnswer> => harness.ok("jobs.get", { params: at(id) }),
    update: (id: number, body: unknown, as: Role | Caller = "Dispatcher"): Promise<HarnessAnswer> =>
      harness.call("jobs.update", { as, params: at(id), body }),
    updated: (id: number, body: Json, call: HarnessCall = {}): Promise<JobAnswer> =>
      harness.ok("jobs.update", { ...call, params: at(id), body }),
    dispatch: (id: number, body: unknown, as: Role | Caller = "Dispatcher"): Promise<HarnessAnswer> =>
      harness.call("jobs.dispatch", { as, params: at(id), body }),
    dispatched: (id: number, body: Json, call: HarnessCall = {}): Promise<JobAnswer> =>
      harness.ok("jobs.dispatch", { ...call, params: at(id), body }),
  };
}

/** The events and audit rows that `act` writes, with parsed JSON. */
export async function whatIsLeftBy(harness: Harness, act: () => Promise<unknown>) {
  const before = { audit: harness.store.rows("audit").length, events: harness.store.rows("events").length };
  await act();
  const read = (text: unknown) => JSON.parse(String(text)) as Json;
  return {
    audit: harness.store
      .rows("audit")
      .slice(before.audit)
      .map((row): Json => ({ ...row, after: read(row.after), before: read(row.before) })),
    events: harness.store
      .rows("events")
      .slice(before.events)
      .map((row): Json => ({ ...row, data: read(row.data) })),
  };
}
