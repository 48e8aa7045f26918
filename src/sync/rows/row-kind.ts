import type * as z from "zod";
import type { Operation } from "../../core/operation.ts";
import { apiVersions } from "../../models/api-versions.ts";
import { type AnswerModel, allOptional, defineModel, type Shape } from "../../models/model.ts";
import { loadOperation } from "../../operations/index.ts";
import { kindOf } from "../../records/record-kinds.ts";
import { fieldPathsOf, recordOf } from "../../versions/field-paths.ts";
import { type LoadedKind, type LoadedPart, loadKind } from "../load-kinds.ts";
import { type KindOperation, syncKinds } from "../sync-kinds.ts";

/** The kinds of records that rows can hold. */
export const importNouns = ["customers", "jobs", "trucks", "drivers"] as const;
export type ImportNoun = (typeof importNouns)[number];

/** A field that a row may hold. */
export interface RowField {
  /** As its column is called: `name`, `line_1`, `contact_email`. */
  name: string;
  /** What it belongs to: the record itself, or its one address or contact. */
  group: "record" | "address" | "contact";
  /** Its name there. */
  inner: string;
  schema: z.ZodType;
}

/** A kind of record as rows speak of it: records of one location, of which a row may leave fields out. */
export interface RowKind {
  noun: ImportNoun;
  /** One of them, in words. */
  label: string;
  kind: LoadedKind;
  /** The records of a location. */
  list: Operation;
  /** What changes the record at its location: the record itself, or what the location keeps of it. */
  update: Operation;
  /** The lists of a customer: what its location keeps of it, its addresses, its contacts. */
  parts: Record<"address" | "contact" | "location", LoadedPart> | null;
  /** The record's own fields, each of them optional. */
  model: z.ZodObject<Shape>;
  fields: readonly RowField[];
  /** What answers have and rows may repeat: set by the service. */
  passedOver: ReadonlySet<string>;
  /** The field that tells records apart. */
  key: string;
  /** Whether null says nothing of a field: it always has a value, the service fills it, or no list shows it. */
  isSilent(field: string): boolean;
}

/** Fields that the service fills, so that null in a row says nothing of them. */
const filled: Partial<Record<ImportNoun, readonly string[]>> = {
  jobs: [
    "completed_by",
    "completed_on",
    "customer_id",
    "dispatched_on",
    "original_schedule_date",
    "requested_on",
    "third_party_hauler_id",
  ],
};

/** The field that tells records of a kind apart, unless another is named. */
export function defaultKeyOf(noun: ImportNoun): string {
  return kindOf(noun).rowKey;
}

/** Loads what there is to know of a kind of record. */
export async function loadRowKind(noun: ImportNoun): Promise<RowKind> {
  const def = syncKinds.find((known) => known.noun === noun);
  if (!def) throw new Error(`${noun} cannot be imported.`);
  const kind = await loadKind(def);
  const parts = noun === "customers" ? toCustomerParts(kind) : null;
  const update = parts?.location.update ?? kind.update;
  if (!update?.body || !kind.create.body) throw new Error(`${noun} cannot be imported.`);
  const { label, list, listAtLocation, rowKey }: RowFacts = kindOf(noun);
  const shape = { ...allOptional(kind.create.body.shape), ...update.body.shape };
  for (const name of def.derived) delete shape[name];
  const listed = await loadOperation(listAtLocation ?? list);
  const answer = recordOf(listed.output as AnswerModel);
  const silent = new Set([...(filled[noun] ?? []), ...(def.hidden?.fields ?? [])]);
  return {
    noun,
    label,
    kind,
    list: listed,
    update,
    parts,
    model: defineModel("Row", shape),
    fields: [...toFields(shape, "record"), ...(parts ? toPartFields(parts) : [])],
    passedOver: await findPassedOver(listAtLocation ? [listAtLocation, list] : [list]),
    key: rowKey,
    isSilent: (field) => answer.shape[field]?.type !== "nullable" || silent.has(field),
  };
}

interface RowFacts {
  label: string;
  rowKey: string;
  list: KindOperation;
  listAtLocation?: KindOperation;
}

function toCustomerParts({ parts }: LoadedKind): NonNullable<RowKind["parts"]> {
  const partOf = (field: string) => {
    const part = parts.find(({ def }) => def.field === field);
    if (!part) throw new Error(`Customers have no ${field}.`);
    return part;
  };
  return { address: partOf("addresses"), contact: partOf("contacts"), location: partOf("locations") };
}

/** A customer's row may hold one address and one contact in columns of their own. */
function toPartFields({ address, contact }: NonNullable<RowKind["parts"]>): RowField[] {
  return [
    ...toFields(address.create.body?.shape ?? {}, "address"),
    ...toFields(contact.create.body?.shape ?? {}, "contact", "contact_"),
  ];
}

function toFields(shape: Shape, group: RowField["group"], prefix = ""): RowField[] {
  return Object.entries(shape).map(([inner, schema]) => ({ name: prefix + inner, group, inner, schema }));
}

/** Every field that an answer has or ever had. */
async function findPassedOver(lists: readonly KindOperation[]): Promise<Set<string>> {
  const operations = await Promise.all(lists.map((name) => loadOperation(name)));
  return new Set(
    operations.flatMap(({ output }) =>
      apiVersions.flatMap((version) => fieldPathsOf(output as AnswerModel, version)),
    ),
  );
}
