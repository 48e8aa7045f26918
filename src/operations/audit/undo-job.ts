import type { Context } from "../../core/context.ts";
import type { AuditEntry } from "../../store/queries/audit.ts";
import type { JobFields } from "../../store/queries/job-record.ts";
import { jobRights } from "../jobs/job-rights.ts";
import { found } from "../records.ts";

/**
 * The fields that bring a job back to what it was before a change. The steps of a job set fields of their own: those are
 * left to them, or sent where the steps would set something else and the caller may.
 */
export async function toJobBody(
  { actor, store }: Context,
  params: Readonly<Record<string, number>>,
  { before, record_id }: AuditEntry,
): Promise<Readonly<Record<string, unknown>>> {
  const { job } = found(await store.jobs.findToChange(params.location_id ?? 0, record_id), "job", record_id);
  const was: Partial<JobFields> = { ...before };
  const body: Record<string, unknown> = { ...was };
  if (was.is_completed === false) drop(body, ["completed_by", "completed_on"]);
  if (was.truck_id === null) drop(body, ["dispatched_on"]);
  // A dispatch would clear what the driver had said.
  if (was.truck_id) {
    body.is_acknowledged = was.is_acknowledged ?? job.is_acknowledged;
    body.is_declined = was.is_declined ?? job.is_declined;
  }
  const mayNot = followUps.filter(
    (name) => !actor.roles.some((role) => jobRights[role].some((allowed) => allowed === name)),
  );
  drop(body, mayNot);
  return body;
}

const followUps = [
  "completed_by",
  "completed_on",
  "dispatched_on",
  "is_acknowledged",
  "is_declined",
  "times_failed",
];

function drop(body: Record<string, unknown>, names: readonly string[]): void {
  for (const name of names) delete body[name];
}
