import type { Context } from "../../core/context.ts";
import { failure } from "../../errors/errors.ts";
import type { JobProof } from "../../store/queries/job-parts.ts";
import type { Job } from "../../store/queries/job-record.ts";
import { jobRights } from "./job-rights.ts";
import { isDriverRole } from "./new-job.ts";

interface Requirement {
  field: keyof Job & `require_${string}`;
  /** What is missing, and the command that brings it. */
  missing: string;
  isMet(proof: JobProof): boolean;
}

/** What a driver must have brought before completion (OP-46). A signature's place is an image that says it is one. */
const requirements: readonly Requirement[] = [
  {
    field: "require_image",
    missing: "an image (jobs add-image)",
    isMet: ({ images }) => images.length > 0,
  },
  {
    field: "require_signature",
    missing:
      'a signature: an image whose description begins with "signature" (jobs add-image --description signature)',
    isMet: ({ images }) => images.some(({ description }) => /^\s*signature/i.test(description ?? "")),
  },
  {
    field: "require_material",
    missing: "a material that says what it is (jobs add-material --material-name)",
    isMet: ({ materials }) =>
      materials.some(({ material_item_id, material_name }) => material_item_id !== null || material_name),
  },
  {
    field: "require_weights",
    missing:
      "a material with heavy_weight and light_weight or tare_weight (jobs add-material --heavy-weight --light-weight)",
    isMet: ({ materials }) =>
      materials.some(
        ({ heavy_weight, light_weight, tare_weight }) =>
          heavy_weight !== null && (light_weight !== null || tare_weight !== null),
      ),
  },
  {
    field: "require_materials",
    missing: "an additional item with its weight (jobs add-item)",
    isMet: ({ items }) => items.some(({ heavy_weight }) => heavy_weight > 0),
  },
];

/** Holds back a completion that only a driver's role allows until everything required is there; names all that is not. */
export async function requireProof({ actor, store }: Context, job: Job): Promise<void> {
  if (actor.roles.some((role) => !isDriverRole(role) && jobRights[role].includes("is_completed"))) return;
  const required = requirements.filter(({ field }) => job[field] === true);
  if (required.length === 0) return;
  const proof = await store.jobParts.proofOf(job.id);
  const missing = required.filter(({ isMet }) => !isMet(proof));
  if (missing.length === 0) return;
  const named = missing.map(({ field, missing: what }) => `${what}, for ${field}`).join("; ");
  throw failure(
    "state_conflict",
    `Job ${job.id} cannot be completed by a driver yet. Missing: ${named}. A dispatcher can complete it without.`,
    "UpdateJobProfileModel.is_completed",
  );
}
