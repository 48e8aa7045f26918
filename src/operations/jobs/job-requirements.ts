import type { Context } from "../../core/context.ts";
import type { OperationCure } from "../../errors/cure.ts";
import { DispatchError } from "../../errors/errors.ts";
import {
  completesAsDriver,
  findMissing,
  type JobRequirementName,
  jobRequirements,
} from "../../models/job-requirements.ts";
import type { Job } from "../../store/queries/job-record.ts";

/** The operation that adds what a job requires. */
const addedBy: Record<JobRequirementName, OperationCure> = {
  require_image: { operation: "jobs.add-image" },
  require_material: { operation: "jobs.add-material", body: { material_name: "{material_name}" } },
  require_materials: { operation: "jobs.add-item" },
  require_signature: { operation: "jobs.add-image", body: { description: "signature" } },
  require_weights: {
    operation: "jobs.add-material",
    body: { heavy_weight: "{heavy_weight}", light_weight: "{light_weight}" },
  },
};

/** Refuses a driver's completion until everything required is there, and names all that is missing. */
export async function requireProof({ actor, store }: Context, job: Job): Promise<void> {
  if (!completesAsDriver(actor.roles)) return;
  if (!jobRequirements.some(({ field }) => job[field])) return;
  const missing = findMissing(job, await store.jobParts.proofOf(job.id));
  const [first] = missing;
  if (!first) return;
  const named = missing.map(({ field, missing: what }) => `${what}, for ${field}`).join("; ");
  const detail = `Job ${job.id} cannot be completed by a driver yet. Missing: ${named}. A dispatcher can complete it without.`;
  const field = "UpdateJobProfileModel.is_completed";
  const see = { ...addedBy[first.field], params: { job_id: job.id, location_id: job.location_id } };
  throw new DispatchError([{ code: "state_conflict", detail, field, see }]);
}
