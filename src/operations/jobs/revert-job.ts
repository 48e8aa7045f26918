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

/** A change of a job that is taken back: when it was made, and the fields that it changed, as they were. */
export interface MadeChange {
  changedOn: Timestamp;
  jobId: number;
  locationId: number;
  was: Readonly<Record<string, unknown>>;
}

/**
 * Gives a job the fields that it had before its last change. The steps of a job's life set nothing here: what they had set
 * is among the fields, and the job has been in that state. What the fields refer to must still be good, and the caller must
 * be one who may change them. The one who calls has made sure that it is the last change.
 */
export async function revertJob(context: Context, change: MadeChange): Promise<void> {
  const { actor, changed, now, store } = context;
  const { locationId, was } = change;
  const kept = found(await store.jobs.findToChange(locationId, change.jobId), "job", change.jobId);
  const { fields, metadata } = split(kept, was);
  const after = { ...kept.job, ...fields, last_updated_on: now };
  const names = findChanged(kept.job, after);
  // The fields of a job that have no place in a request are set by its steps, like who completed it.
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

/** Fields that follow from the steps of a job: whoever may take the step has them set. */
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

function split({ job, metadata }: KeptJob, was: MadeChange["was"]) {
  const pick = <T extends object>(record: T): T => {
    const names = Object.keys(record).filter((name) => name in was);
    // The audit trail keeps the fields of the record as they were.
    return { ...record, ...Object.fromEntries(names.map((name) => [name, was[name]])) };
  };
  return { fields: pick(job), metadata: pick<ChangingJobMetadata>(metadata) };
}

/** The counts of a job's parts, after the note of a full return that the change made is taken away. */
async function withoutReturn({ store }: Context, { row }: KeptJob, { changedOn, jobId }: MadeChange) {
  const removed = row.return_count === 0 ? 0 : await store.jobParts.removeReturn(jobId, changedOn);
  return { ...row, return_count: row.return_count - removed };
}
