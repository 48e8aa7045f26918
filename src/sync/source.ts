import type { LoadedKind } from "./load-kinds.ts";
import type { SnapshotRecord } from "./snapshot-record.ts";

/** Where whole records come from: a snapshot, or a tenant. */
export interface Source {
  /** All records of a kind in order, read again by each call. Read the kinds in their order. */
  records(kind: LoadedKind): AsyncIterable<SourceRecord>;
}

/** A whole record of a source. */
export interface SourceRecord {
  record: SnapshotRecord;
  /** The line in the file. */
  line: number | null;
  /** Its entity tag, where that was asked for and the reading gave it. */
  etag?: string | null;
  /** Fields that were left out, because what they name is not shown. */
  leftOut?: readonly string[];
}

/** Some types of records, of all that can be brought into a tenant. */
export interface Selection {
  types: ReadonlySet<string>;
  /** What the user chose them with, as messages name it. */
  name: string;
}

/** Whether records of a type are chosen; without a selection all are. */
export function isSelected(only: Selection | null, type: string): boolean {
  return only?.types.has(type) ?? true;
}
