import type { RecordType } from "../models/record-types.ts";
import type { loadOperation } from "../operations/index.ts";
import type { Database } from "../store/schema/database.ts";

/** The name of an operation, served or of the store only. */
type KnownOperation = Parameters<typeof loadOperation>[0];

/** Fields by which a record is found again in another tenant. */
export interface MatchKey {
  fields: readonly string[];
  /** It counts only for records that are the only ones to have it, here and there. By default like ones pair in order. */
  isUnique?: true;
}

/** What there is to know of a kind of record, whoever asks: plain data, so that it costs a command nothing to load. */
export interface RecordKind {
  /** The plural: the word of its commands, and the first half of its operations' names. */
  noun: string;
  /** One of them, in words. */
  label: string;
  /** What it is about, for those who meet the noun the first time. */
  about: string;
  /** Whose work it belongs to. */
  group: "Every day" | "Records" | "Webhooks" | "Access";
  table: keyof Database;
  /** What its changes are filed under: in the audit trail, in events, in snapshots. */
  type?: RecordType | "Address";

  /** The kind that it belongs to: the path of its own operations names one of those. */
  within?: string;
  /** The path parameter of its own operations that holds its id. */
  idParam?: string;
  /** Fields and parameters that hold its id, those first that mean the record itself; `idParam` is one of them. */
  namedBy?: readonly string[];

  /** Fields that people refer to one by: the first that has a value. */
  knownBy?: readonly string[];
  /** What tells those of one name apart: dotted paths, those of an entry belong together; a flag says its own name. */
  toldApartBy?: readonly (readonly string[])[];
  /** Texts of it or of its parts that people name one by besides: dotted paths, through lists too. */
  alsoKnownBy?: readonly string[];
  /** The texts that are shown in one line, in their order: as much of it as is said, from the first on, names one. */
  shownAs?: readonly string[];
  /** Numbers that people name one by: in a `phone` only the digits count. */
  numbers?: readonly { path: string; form: "reference" | "phone" }[];
  /** Keys that recognise one which exists already, tried one after the other. */
  matchKeys?: readonly MatchKey[];
  /** The field that a row of a spreadsheet recognises one by. */
  rowKey?: string;
  /**
   * Values that put it out of use. Whoever copies records gives them last: before that, other records must be able to
   * refer to it.
   */
  setLast?: Readonly<Record<string, boolean>>;
  /** What its list is asked for those that something is still to be done with. */
  openQuery?: Readonly<Record<string, string>>;

  list?: KnownOperation;
  /** The list of one location, where the kind has both. */
  listAtLocation?: KnownOperation;
  get?: KnownOperation;
  create?: KnownOperation;
  update?: KnownOperation;
  /** Takes one away, or out of use for good. */
  remove?: KnownOperation;
}
