import type { RecordKind } from "../../records/record-kind.ts";

/** A record as people know it. */
export interface NamedRecord {
  id: string;
  /** Its name, and what tells it from others of that name. */
  names: readonly string[];
  /** The path parameters of its own operations besides its id, as far as they are known. */
  params: Scope;
  /** The driver that a user is. */
  driverId?: string;
}

/** A kind whose records can be looked for; `also` is the second kind that the same field may name. */
export type ListedKind = RecordKind & Required<Pick<RecordKind, "list">> & { also?: ListedKind };

/** Where records are looked for: the path parameters that are known. */
export type Scope = Readonly<Record<string, string>>;
