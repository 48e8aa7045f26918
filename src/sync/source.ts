import type { LoadedKind } from "./load-kinds.ts";
import type { SnapshotRecord } from "./snapshot-record.ts";

/** A source of whole records: a snapshot, or a tenant. */
export interface Source {
  /** All records of a kind in order; each call reads them again. Read the kinds in their order. */
  records(kind: LoadedKind): AsyncIterable<SourceRecord>;
}

/** A whole record of a source. */
export interface SourceRecord {
  record: SnapshotRecord;
  /** The line in the file. */
  line: number | null;
  /** Its entity tag, if it was requested and the read returned it. */
  etag?: string | null;
  /** Fields that were omitted, because their records are not shown. */
  leftOut?: readonly string[];
}

/** A selection of the types of records. */
export interface Selection {
  types: ReadonlySet<string>;
  /** The option that selected them, for messages. */
  name: string;
}

/** Whether records of a type are selected; without a selection all are. */
export function isSelected(only: Selection | null, type: string): boolean {
  return only?.types.has(type) ?? true;
}
