import type * as z from "zod";
import type { Operation } from "../../core/operation.ts";
import { apiVersions } from "../../models/api-versions.ts";
import { text } from "../../models/fields.ts";
import { type AnswerModel, allOptional, defineModel, type Shape } from "../../models/model.ts";
import { fieldPathsOf, recordOf } from "../../models/versions/field-paths.ts";
import { loadOperation } from "../../operations/index.ts";
import { type KindOf, kindOf, type Noun } from "../../records/record-kinds.ts";
import { type LoadedKind, type LoadedPart, loadKind } from "../load-kinds.ts";
import { type KindOperation, syncKinds } from "../sync-kinds.ts";

export type ImportNoun = { [N in Noun]: KindOf<N> extends { rowKey: string } ? N : never }[Noun];

export interface RowField {
  /** For example `name`, `line_1`, `contact_email`. */
  name: string;
  /** `named` is the name of another record. */
  group: "record" | "address" | "contact" | "named";
  /** The field's name within its group. */
  inner: string;
  schema: z.ZodType;
}

export interface RowKind {
  noun: ImportNoun;
  label: string;
  kind: LoadedKind;
  list: Operation;
  /** For a customer, changes its record at the location. */
  update: Operation;
  /** A customer's record at the location, its addresses, and its contacts. */
  parts: Record<"address" | "contact" | "location", LoadedPart> | null;
  /** All fields are optional. */
  model: z.ZodObject<Shape>;
  fields: readonly RowField[];
  /** Fields that a row fills by a name, or by a time without a day. */
  namedIds: readonly string[];
  passedOver: ReadonlySet<string>;
  key: string;
  /** Whether null means unchanged: the field always has a value, the service fills it, or no list shows it. */
  isSilent(field: string): boolean;
}

export function defaultKeyOf(noun: ImportNoun): string {
  return kindOf(noun).rowKey;
}

export async function loadRowKind(noun: ImportNoun): Promise<RowKind> {
  const def = syncKinds.find((known) => known.noun === noun);
  if (!def) throw new Error(`${noun} cannot be imported.`);
  const kind = await loadKind(def);
  const parts = noun === "customers" ? toRowParts(kind) : null;
  const update = parts?.location.update ?? kind.update;
  if (!update?.body || !kind.create.body) throw new Error(`${noun} cannot be imported.`);
  const { label, list, listAtLocation, rowKey }: RowFacts = kindOf(noun);
  const shape = { ...allOptional(kind.create.body.shape), ...update.body.shape };
  for (const name of def.derived) delete shape[name];
  const listed = await loadOperation(listAtLocation ?? list);
  const answer = recordOf(listed.output as AnswerModel);
  const silent = new Set([...(def.filledByService ?? []), ...(def.hidden?.fields ?? [])]);
  return {
    noun,
    label,
    kind,
    list: listed,
    update,
    parts,
    model: defineModel("Row", shape),
    fields: [
      ...toFields(shape, "record"),
      ...(parts ? toPartFields(parts) : []),
      ...(namedFields[noun] ?? []).map((name) => ({
        name,
        group: "named" as const,
        inner: name,
        schema: anyText,
      })),
    ],
    namedIds: namedIds[noun] ?? [],
    passedOver: await findPassedOver(listAtLocation ? [listAtLocation, list] : [list]),
    key: rowKey,
    isSilent: (field) => answer.shape[field]?.type !== "nullable" || silent.has(field),
  };
}

const namedFields: Partial<Record<ImportNoun, readonly string[]>> = {
  jobs: [
    "customer",
    "customer_number",
    "customer_phone",
    "address",
    "address_locality",
    "address_postcode",
    "truck",
    "driver",
    "time_window",
  ],
  trucks: ["driver"],
};

const namedIds: Partial<Record<ImportNoun, readonly string[]>> = {
  jobs: ["requested_by", "address_id", "truck_id", "desired_start_time", "desired_end_time"],
  trucks: ["driver_id"],
};

const anyText = text(0, 2048);

interface RowFacts {
  label: string;
  rowKey: string;
  list: KindOperation;
  listAtLocation?: KindOperation;
}

type RowParts = NonNullable<RowKind["parts"]>;

function toRowParts({ parts }: LoadedKind): RowParts | null {
  const [address, contact, location] = ["addresses", "contacts", "locations"].map((field) =>
    parts.find(({ def }) => def.field === field),
  );
  return address && contact && location ? { address, contact, location } : null;
}

/** A row may have one address and one contact in separate columns. */
function toPartFields({ address, contact }: RowParts): RowField[] {
  return [
    ...toFields(address.create.body?.shape ?? {}, "address"),
    ...toFields(contact.create.body?.shape ?? {}, "contact", "contact_"),
  ];
}

function toFields(shape: Shape, group: RowField["group"], prefix = ""): RowField[] {
  return Object.entries(shape).map(([inner, schema]) => ({ name: prefix + inner, group, inner, schema }));
}

/** Every field that a response has in any API version. */
async function findPassedOver(lists: readonly KindOperation[]): Promise<Set<string>> {
  const operations = await Promise.all(lists.map((name) => loadOperation(name)));
  return new Set(
    operations.flatMap(({ output }) =>
      apiVersions.flatMap((version) => fieldPathsOf(output as AnswerModel, version)),
    ),
  );
}
