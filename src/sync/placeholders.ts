import type { LoadedKind } from "./load-kinds.ts";
import { type Body, type Json, partsOf, type SnapshotRecord } from "./snapshot-record.ts";
import type { NumberedType } from "./sync-kinds.ts";

/** The id in the target, or the reason why it is missing. */
export type Known = number | "new" | "refused" | "left out";

/** Maps numbers of the source to ids of the target. */
export interface KnownNumbers {
  find(type: NumberedType, number: number): Known | undefined;
  set(type: NumberedType, number: number, known: Known): void;
}

export function createKnownNumbers(): KnownNumbers {
  const byType = new Map<NumberedType, Map<number, Known>>();
  const of = (type: NumberedType) => {
    const known = byType.get(type) ?? new Map<number, Known>();
    byType.set(type, known);
    return known;
  };
  return {
    find: (type, number) => of(type).get(number),
    set: (type, number, known) => void of(type).set(number, known),
  };
}

/** Fields with numbers of other records, and the types of these records. */
export type References = Readonly<Record<string, NumberedType>>;

/** Represents the id of a record that will be created. */
export const toPlaceholder = (type: NumberedType, number: number) => `new ${type} ${number}`;

/** Ids are numbers, placeholders are texts. */
export function isPlaceholder(references: References, field: string, value: Json | undefined): boolean {
  return references[field] !== undefined && typeof value === "string";
}

/** Replaces placeholders with ids of created records, and with null for refused ones. */
export function resolvePlaceholders(known: KnownNumbers, references: References, body: Body): Body {
  const entries = Object.entries(body).map(([field, value]) => {
    const type = references[field];
    if (!type || typeof value !== "string") return [field, value];
    const found = known.find(type, Number(value.slice(value.lastIndexOf(" ") + 1)));
    return [field, typeof found === "number" ? found : null];
  });
  return Object.fromEntries(entries);
}

/** undefined omits the field. `field` is the path, for messages. */
type Resolve = (kind: NumberedType, number: number, field: string) => Json | undefined;

/** Includes references in the record's lists. */
export function mapReferences(type: LoadedKind, record: SnapshotRecord, resolve: Resolve): SnapshotRecord {
  const mapped: SnapshotRecord = { ...record, ...mapFields(type.def.references, record, "", resolve) };
  for (const { def } of type.parts) {
    if (record[def.field] === undefined || Object.keys(def.references).length === 0) continue;
    mapped[def.field] = partsOf(record, def.field).map((entry, index) =>
      withoutUndefined({
        ...entry,
        ...mapFields(def.references, entry, `${def.field}[${index}].`, resolve),
      }),
    );
  }
  return withoutUndefined(mapped) as SnapshotRecord;
}

function mapFields(references: References, record: Body, prefix: string, resolve: Resolve): Body {
  const names = Object.keys(references).filter((name) => typeof record[name] === "number");
  const entries = names.map((name) => {
    const kind = references[name];
    return [name, kind && resolve(kind, Number(record[name]), prefix + name)];
  });
  return Object.fromEntries(entries);
}

function withoutUndefined(record: Record<string, Json | undefined>): Body {
  const entries = Object.entries(record).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Body;
}
