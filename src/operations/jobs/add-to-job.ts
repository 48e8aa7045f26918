import type { Context } from "../../core/context.ts";
import type { StoredJob } from "../../store/queries/job-embeds.ts";
import type { Job } from "../../store/queries/job-record.ts";
import { found, type Reference } from "../records.ts";
import { requireSteps } from "./job-steps.ts";

export interface Addition {
  locationId: number;
  jobId: number;
  model: string;
}

/** The job that something is to hang on; a deleted one takes nothing (OP-44). */
export async function findJobToAddTo({ store }: Context, addition: Addition): Promise<AdditionTo> {
  const kept = found(await store.jobs.find(addition.locationId, addition.jobId), "job", addition.jobId);
  requireSteps(kept.job, kept.job, ["edit"], addition);
  return kept;
}

type AdditionTo = NonNullable<Awaited<ReturnType<Context["store"]["jobs"]["find"]>>>;

/** Tells of what was added, under `name` in the audit trail: the job was updated, and is shown with it. */
export async function reportAddition(
  { now, store, changed }: Context,
  { job: before, metadata }: AdditionTo,
  added: { name: string; record: object },
): Promise<StoredJob> {
  const after: Job = { ...before, last_updated_on: now };
  await store.jobs.update(after, metadata);
  const shown = await store.jobs.showWritten(after.id);
  changed({
    type: "Job",
    action: "updated",
    id: after.id,
    before,
    after: { ...after, [added.name]: added.record },
    data: await store.jobs.tell(after),
  });
  return shown;
}

/** OP-23: what was loaded is one of the tenant's materials. */
export function toMaterialReference({ locationId, model }: Addition): Reference {
  return {
    field: `${model}.material_item_id`,
    table: "materials",
    noun: "material",
    listedBy: `materials list --location ${locationId}`,
  };
}
