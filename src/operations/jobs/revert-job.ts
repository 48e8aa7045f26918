import type { Context } from "../../core/context.ts";
import type { UpdateJobProfile } from "../../models/job-changes.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { JobFields } from "../../store/queries/job-record.ts";
import type { ChangingJobMetadata, KeptJob } from "../../store/queries/jobs.ts";
import { found } from "../records.ts";
import { findChanged, requireReferences } from "./change-job.ts";
import { requireInService } from "./job-references.ts";
import { requireRights, requireUndispatched } from "./job-rights.ts";
import { toEventAction, toSteps } from "./job-steps.ts";

/** `was` has the former values of its fields. */
export interface JobChange {
  changedOn: Timestamp;
  jobId: number;
  locationId: number;
  was: Readonly<Record<string, unknown>>;
}

/** Restores the fields before the last change. The caller of this function checks that it is the last change. */
export async function revertJob(context: Context, change: JobChange): Promise<void> {
  const { actor, changed, now, store } = context;
  const { locationId, was } = change;
  const kept = found(await store.jobs.findToChange(locationId, change.jobId), "job", change.jobId);
  const { fields, metadata } = split(kept, was);
  const after = { ...kept.job, ...fields, last_updated_on: now };
  const names = findChanged(kept.job, after);
  // Steps set the fields that no request can set, such as returned_by.
  requireRights(actor, Object.fromEntries(names.filter(isAsked).map((name) => [name, was[name]])));
  requireUndispatched(actor, kept.job, names.filter(isAsked));
  const truck = await requireReferences(context, kept.job, after, names, { locationId, model });
  requireInService({ locationId, model, truck });
  const counts = await withoutReturn(context, kept, change);
  const written = await store.jobs.update(after, metadata, counts, now);
  const shown = await store.jobs.showWritten(written);
  changed({
    type: "Job",
    action: toEventAction(toSteps(kept.job, after, names, [])),
    id: after.id,
    before: { ...kept.job, ...kept.metadata },
    after: { ...after, ...metadata },
    data: await store.jobs.toEventPayload(written, shown),
  });
}

const model = "UpdateJobProfileModel";

/** These follow from steps: a caller who may take the step may have them set. */
const following: readonly string[] = [
  "completed_by",
  "completed_on",
  "dispatched_on",
  "is_acknowledged",
  "is_declined",
  "last_updated_on",
  "times_failed",
] satisfies (keyof JobFields & keyof UpdateJobProfile)[];

const isAsked = (name: string) => !following.includes(name);

function split({ job, metadata }: KeptJob, was: JobChange["was"]) {
  const pick = <T extends object>(record: T): T => {
    const names = Object.keys(record).filter((name) => name in was);
    // The audit trail has the fields of the record.
    return { ...record, ...Object.fromEntries(names.map((name) => [name, was[name]])) };
  };
  return { fields: pick(job), metadata: pick<ChangingJobMetadata>(metadata) };
}

/** Removes the note of a full return that the change wrote. */
async function withoutReturn({ store }: Context, { row }: KeptJob, { changedOn, jobId }: JobChange) {
  const removed = row.return_count === 0 ? 0 : await store.jobParts.removeReturn(jobId, changedOn);
  return { ...row, return_count: row.return_count - removed };
}
