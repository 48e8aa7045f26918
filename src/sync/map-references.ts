import type { LoadedKind } from "./load-kinds.ts";
import { type Body, type Json, partsOf, type SnapshotRecord } from "./snapshot-record.ts";
import type { NumberedType } from "./sync-kinds.ts";

/** Gives the value that replaces a number; undefined leaves the field out. `field` is its path, for messages. */
export type Resolve = (kind: NumberedType, number: number, field: string) => Json | undefined;

type References = Readonly<Record<string, NumberedType>>;

/** Replaces every number that points to another record, in the record and in its lists. */
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
