import type { LoadedKind } from "./load-kinds.ts";
import type { SnapshotRecord } from "./snapshot-record.ts";

export interface Source {
  /** Each call reads again. Read the kinds in their order. */
  records(kind: LoadedKind): AsyncIterable<SourceRecord>;
}

export interface SourceRecord {
  record: SnapshotRecord;
  line: number | null;
  etag?: string | null;
  /** References to records that no list shows. */
  leftOut?: readonly string[];
}

export interface Selection {
  types: ReadonlySet<string>;
  name: string;
}

/** null selects all. */
export function isSelected(only: Selection | null, type: string): boolean {
  return only?.types.has(type) ?? true;
}
