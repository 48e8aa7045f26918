import type { NewestVersion, OperationsAt } from "../../../client/wire.ts";
import { findUrlProblem } from "../../../models/http-url.ts";
import { type JobProof, type JobRequirementName, jobRequirements } from "../../../models/job-requirements.ts";

type NewItem = OperationsAt<NewestVersion>["jobs.add-item"]["input"]["body"];

export type PartName = (typeof proofParts)[number]["name"];

export interface ProofField {
  as: "choice" | "line" | "url" | "weight";
  charsMax?: number;
  label: string;
  meets: JobRequirementName;
  name: string;
}

interface ProofPart {
  name: string;
  title: string;
  fields: readonly ProofField[];
}

const urlOf = (meets: JobRequirementName) =>
  [{ as: "url", charsMax: 2048, label: "URL of the image", meets, name: "url" }] as const;

/** One operation adds one part. */
export const proofParts = [
  {
    name: "material",
    title: "Material",
    fields: [
      { as: "choice", label: "What it is", meets: "require_material", name: "material_item_id" },
      {
        as: "line",
        charsMax: 200,
        label: "Name, if it is not in the list",
        meets: "require_material",
        name: "material_name",
      },
      { as: "weight", label: "Weight with the load", meets: "require_weights", name: "heavy_weight" },
      { as: "weight", label: "Weight without the load", meets: "require_weights", name: "light_weight" },
      { as: "weight", label: "Weight of the empty container", meets: "require_weights", name: "tare_weight" },
    ],
  },
  {
    name: "item",
    title: "Additional item",
    fields: [
      { as: "line", charsMax: 2048, label: "What it is", meets: "require_materials", name: "description" },
      { as: "weight", label: "Weight with the load", meets: "require_materials", name: "heavy_weight" },
      { as: "weight", label: "Weight to deduct", meets: "require_materials", name: "deduct_weight" },
    ],
  },
  { name: "signature", title: "Image of the signature", fields: urlOf("require_signature") },
  { name: "image", title: "Image", fields: urlOf("require_image") },
] as const satisfies readonly ProofPart[];

export const requirementHints: Readonly<Record<JobRequirementName, string>> = {
  require_image: "Enter the URL of an image.",
  require_material: "Choose the material, or type its name.",
  require_materials: "Say what the item is, and give its weight with the load, above 0.",
  require_signature: "Enter the URL of an image that shows the customer's signature.",
  require_weights:
    "Give the weight with the load, and the weight without the load or of the empty container.",
};

export type Addition =
  | { operation: "jobs.add-image"; body: { description: string | null; url: string } }
  | { operation: "jobs.add-item"; body: NewItem & { heavy_weight: number } }
  | { operation: "jobs.add-material"; body: JobProof["materials"][number] };

/** Several parts have fields of the same name. */
export const toFieldKey = (part: PartName, field: string): string => `${part}.${field}`;

export const fieldsFor = (
  { fields }: ProofPart,
  missing: readonly JobRequirementName[],
): readonly ProofField[] => fields.filter(({ meets }) => missing.includes(meets));

/** Refuses an empty part only if `isRequired`. Returns refusals by field. */
export function readProof(
  texts: ReadonlyMap<string, string>,
  missing: readonly JobRequirementName[],
  isRequired: boolean,
): { additions: ReadonlyMap<PartName, Addition>; refusals: ReadonlyMap<string, string> } {
  const additions = new Map<PartName, Addition>();
  const refusals = new Map<string, string>();
  for (const part of proofParts) {
    const fields = fieldsFor(part, missing);
    const textOf = (name: string) => texts.get(toFieldKey(part.name, name))?.trim() ?? "";
    const isGiven = fields.some(({ name }) => textOf(name) !== "");
    if (fields.length === 0 || !(isGiven || isRequired)) continue;
    const refused = findRefusals(fields, textOf);
    if (refused.size === 0) {
      const addition = toAddition(part.name, textOf);
      additions.set(part.name, addition);
      for (const [name, text] of findUnmet(fields, addition)) refused.set(name, text);
    }
    for (const [name, text] of refused) refusals.set(toFieldKey(part.name, name), text);
  }
  return { additions, refusals };
}

function findRefusals(fields: readonly ProofField[], textOf: (name: string) => string): Map<string, string> {
  const refused = new Map<string, string>();
  for (const { as, name } of fields) {
    const text = textOf(name);
    const problem = as === "url" && text !== "" ? findUrlProblem(text) : null;
    if (problem !== null) refused.set(name, `The URL ${problem}.`);
    if (as === "weight" && !/^(?:\d+(?:\.\d+)?)?$/.test(text))
      refused.set(name, `"${text}" is not a weight. Type digits, like 1200 or 7.5.`);
  }
  return refused;
}

/** Applies the service's own rule. */
function findUnmet(fields: readonly ProofField[], addition: Addition): Map<string, string> {
  const proof = toProof(addition);
  const unmet = new Map<string, string>();
  for (const { field, isMet } of jobRequirements) {
    const first = fields.find(({ as, meets }) => meets === field && as !== "choice");
    if (first && !isMet(proof)) unmet.set(first.name, requirementHints[field]);
  }
  const description = addition.operation === "jobs.add-item" ? addition.body.description : null;
  if (description === "") unmet.set("description", requirementHints.require_materials);
  return unmet;
}

function toProof(addition: Addition): JobProof {
  const none = { images: [], items: [], materials: [] };
  if (addition.operation === "jobs.add-image")
    return { ...none, images: addition.body.url === "" ? [] : [addition.body] };
  if (addition.operation === "jobs.add-item") return { ...none, items: [addition.body] };
  return { ...none, materials: [addition.body] };
}

function toAddition(part: PartName, textOf: (name: string) => string): Addition {
  const toNumber = (name: string) => (textOf(name) === "" ? null : Number(textOf(name)));
  if (part === "image" || part === "signature") {
    const description = part === "signature" ? "signature" : null;
    return { operation: "jobs.add-image", body: { description, url: textOf("url") } };
  }
  if (part === "item") {
    const weights = {
      deduct_weight: toNumber("deduct_weight") ?? 0,
      heavy_weight: toNumber("heavy_weight") ?? 0,
    };
    return { operation: "jobs.add-item", body: { ...weights, description: textOf("description") } };
  }
  return {
    operation: "jobs.add-material",
    body: {
      heavy_weight: toNumber("heavy_weight"),
      light_weight: toNumber("light_weight"),
      material_item_id: toNumber("material_item_id"),
      material_name: textOf("material_name") || null,
      tare_weight: toNumber("tare_weight"),
    },
  };
}
