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

/** Finds the job that something is added to; throws when it is deleted (OP-44). */
export async function findJobToAddTo({ store }: Context, addition: Addition): Promise<AdditionTo> {
  const kept = found(
    await store.jobs.findToChange(addition.locationId, addition.jobId),
    "job",
    addition.jobId,
  );
  requireSteps(kept.job, kept.job, ["edit"], addition);
  return kept;
}

type AdditionTo = NonNullable<Awaited<ReturnType<Context["store"]["jobs"]["find"]>>>;

/** Records what was added as an update of the job, under `name` in the audit trail, and gives the job with it. */
export async function reportAddition(
  { now, store, changed }: Context,
  { job: before, metadata, row }: AdditionTo,
  added: { name: string; record: object },
): Promise<StoredJob> {
  const after: Job = { ...before, last_updated_on: now };
  const counts = {
    ...row,
    ...(added.name === "image" && { image_count: row.image_count + 1 }),
    ...(added.name === "material" && { material_count: row.material_count + 1 }),
  };
  const written = await store.jobs.update(after, metadata, counts, now);
  const shown = await store.jobs.showWritten(written);
  changed({
    type: "Job",
    action: "updated",
    id: after.id,
    before,
    after: { ...after, [added.name]: added.record },
    data: await store.jobs.toEventPayload(written, shown),
  });
  return shown;
}

/** OP-23: requires that the material is one of the tenant's. */
export function toMaterialReference({ locationId, model }: Addition): Reference {
  return {
    field: `${model}.material_item_id`,
    table: "materials",
    noun: "material",
    listedBy: { operation: "materials.list", params: { location_id: locationId } },
  };
}
