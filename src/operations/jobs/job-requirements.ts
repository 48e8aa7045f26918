import type { Context } from "../../core/context.ts";
import type { OperationCure } from "../../errors/cure.ts";
import { DispatchError } from "../../errors/errors.ts";
import { mayChange } from "../../models/job-rights.ts";
import type { JobProof } from "../../store/queries/job-parts.ts";
import type { Job } from "../../store/queries/job-record.ts";
import { isDriverRole } from "./new-job.ts";

interface Requirement {
  field: keyof Job & `require_${string}`;
  /** What is missing, and the operation that brings it. */
  missing: string;
  broughtBy: OperationCure;
  isMet(proof: JobProof): boolean;
}

/** What a driver must have added before completion (OP-46). A signature is an image whose description says so. */
const requirements: readonly Requirement[] = [
  {
    field: "require_image",
    missing: "an image",
    broughtBy: { operation: "jobs.add-image" },
    isMet: ({ images }) => images.length > 0,
  },
  {
    field: "require_signature",
    missing: 'a signature: an image whose description begins with "signature"',
    broughtBy: { operation: "jobs.add-image", body: { description: "signature" } },
    isMet: ({ images }) => images.some(({ description }) => /^\s*signature/i.test(description ?? "")),
  },
  {
    field: "require_material",
    missing: "a material that says what it is",
    broughtBy: { operation: "jobs.add-material", body: { material_name: "{material_name}" } },
    isMet: ({ materials }) =>
      materials.some(({ material_item_id, material_name }) => material_item_id !== null || material_name),
  },
  {
    field: "require_weights",
    missing: "a material with heavy_weight and light_weight or tare_weight",
    broughtBy: {
      operation: "jobs.add-material",
      body: { heavy_weight: "{heavy_weight}", light_weight: "{light_weight}" },
    },
    isMet: ({ materials }) =>
      materials.some(
        ({ heavy_weight, light_weight, tare_weight }) =>
          heavy_weight !== null && (light_weight !== null || tare_weight !== null),
      ),
  },
  {
    field: "require_materials",
    missing: "an additional item with its weight",
    broughtBy: { operation: "jobs.add-item" },
    isMet: ({ items }) => items.some(({ heavy_weight }) => heavy_weight > 0),
  },
];

/** Refuses a driver's completion until everything required is there, and names all that is missing. */
export async function requireProof({ actor, store }: Context, job: Job): Promise<void> {
  if (actor.roles.some((role) => !isDriverRole(role) && mayChange([role], "is_completed"))) return;
  const required = requirements.filter(({ field }) => job[field] === true);
  if (required.length === 0) return;
  const proof = await store.jobParts.proofOf(job.id);
  const missing = required.filter(({ isMet }) => !isMet(proof));
  const [first] = missing;
  if (!first) return;
  const named = missing.map(({ field, missing: what }) => `${what}, for ${field}`).join("; ");
  const detail = `Job ${job.id} cannot be completed by a driver yet. Missing: ${named}. A dispatcher can complete it without.`;
  const field = "UpdateJobProfileModel.is_completed";
  const see = { ...first.broughtBy, params: { job_id: job.id, location_id: job.location_id } };
  throw new DispatchError([{ code: "state_conflict", detail, field, see }]);
}
