import { mayChange } from "./job-rights.ts";
import type { Role } from "./user.ts";

// Imports no schemas at run time, because pages in a browser use this table.

export type JobRequirementName = (typeof jobRequirements)[number]["field"];

export interface JobProof {
  images: readonly { description: string | null }[];
  items: readonly { heavy_weight: number }[];
  materials: readonly {
    heavy_weight: number | null;
    light_weight: number | null;
    material_item_id: number | null;
    material_name: string | null;
    tare_weight: number | null;
  }[];
}

interface JobRequirement {
  field: `require_${string}`;
  missing: string;
  isMet(proof: JobProof): boolean;
}

/** The parts that a driver must add before completion. */
export const jobRequirements = [
  {
    field: "require_image",
    missing: "an image other than a signature",
    isMet: ({ images }) => !images.every(isSignature),
  },
  {
    field: "require_signature",
    missing: 'a signature: an image whose description begins with "signature"',
    isMet: ({ images }) => images.some(isSignature),
  },
  {
    field: "require_material",
    missing: "a material that says what it is",
    isMet: ({ materials }) =>
      materials.some(({ material_item_id, material_name }) => material_item_id !== null || material_name),
  },
  {
    field: "require_weights",
    missing: "a material with heavy_weight and light_weight or tare_weight",
    isMet: ({ materials }) =>
      materials.some(
        ({ heavy_weight, light_weight, tare_weight }) =>
          heavy_weight !== null && (light_weight !== null || tare_weight !== null),
      ),
  },
  {
    field: "require_materials",
    missing: "an additional item with its weight",
    isMet: ({ items }) => items.some(({ heavy_weight }) => heavy_weight > 0),
  },
] as const satisfies readonly JobRequirement[];

function isSignature({ description }: JobProof["images"][number]): boolean {
  return /^\s*signature/i.test(description ?? "");
}

export function findMissing(
  job: Readonly<Partial<Record<JobRequirementName, boolean | null>>>,
  proof: JobProof,
): (typeof jobRequirements)[number][] {
  return jobRequirements.filter(({ field, isMet }) => job[field] === true && !isMet(proof));
}

/** Only callers who complete jobs through a driver role alone need the required parts. */
export function completesAsDriver(roles: readonly Role[]): boolean {
  return !roles.some((role) => !isDriverRole(role) && mayChange([role], "is_completed"));
}

export const isDriverRole = (role: Role): boolean => role === "Driver" || role === "ThirdPartyDriver";
