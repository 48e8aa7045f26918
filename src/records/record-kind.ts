import type { RecordType } from "../models/record-types.ts";
import type { loadOperation } from "../operations/index.ts";
import type { Database } from "../store/schema/database.ts";

type KnownOperation = Parameters<typeof loadOperation>[0];

/** Fields that identify a record in another tenant. */
export interface MatchKey {
  fields: readonly string[];
  /** The key counts only if one record on each side has it. By default records with equal keys pair in order. */
  isUnique?: true;
}

export interface RecordKind {
  /** The plural: the noun of its commands, and the first half of its operations' names. */
  noun: string;
  label: string;
  about: string;
  group: "Every day" | "Records" | "Webhooks" | "Access";
  table: keyof Database;
  /** The type in the audit trail, in events, and in snapshots. */
  type?: RecordType | "Address";

  /** The parent kind, whose id is in the path of its operations. */
  within?: string;
  /** The path parameter with its ID. */
  idParam?: string;
  /** Fields and parameters that hold its ID, including `idParam`; fields that mean the record itself come first. */
  namedBy?: readonly string[];

  /** Name fields: the first with a value is the name. */
  knownBy?: readonly string[];
  /** Paths of texts that distinguish records of one name. Paths of one entry form one text. */
  toldApartBy?: readonly (readonly string[])[];
  /** Paths of other texts that people use as a name. */
  alsoKnownBy?: readonly string[];
  /** Fields of the line that shows the record. The beginning of that line names the record too. */
  shownAs?: readonly string[];
  /** Numbers that people use as a name. For a `phone` only digits count. */
  numbers?: readonly { path: string; form: "reference" | "phone" }[];
  /** Keys that find an existing record, tried in order. */
  matchKeys?: readonly MatchKey[];
  /** The field that identifies a record in a spreadsheet row. */
  rowKey?: string;
  /** Values that make a record inactive. A copy sets them last, because other records must refer to it first. */
  setLast?: Readonly<Record<string, boolean>>;
  /** The query that lists only open records. */
  openQuery?: Readonly<Record<string, string>>;

  list?: KnownOperation;
  /** The list of one location, if the kind has both lists. */
  listAtLocation?: KnownOperation;
  get?: KnownOperation;
  create?: KnownOperation;
  update?: KnownOperation;
  /** Removes a record or deactivates it for good. */
  remove?: KnownOperation;
}
