import type { JsonObject } from "../../models/json.ts";
import type { Card, Cells, Learned, Tones } from "../presentation/presentation.ts";
import type { View } from "../presentation/view.ts";
import type { JsonRecord } from "./answer.ts";

/** The forms of `--output`. */
export const outputForms = ["table", "json", "ndjson", "csv", "yaml"] as const;
export type OutputForm = (typeof outputForms)[number];

/** A form of `--output`, or `ids`, which `--quiet` asks for: the id of each record on a line. */
export type ShownForm = OutputForm | "ids";

/** What the settings of a command say about its output. */
export interface OutputSettings {
  form: OutputForm;
  /** The text of `--fields`. */
  fields: string | null;
  noColour: boolean;
}

/** How records are shown, and what is known of them. */
export interface OutputOptions {
  form: ShownForm;
  /** What `parseFields` read from `--fields`; null shows all. */
  fields: readonly string[] | null;
  /** Every field of a record as a dotted path, in the answer's order. Paths end at arrays. */
  knownFields: readonly string[];
  /** The columns of a table, also what a card begins with; when empty, the scalar fields that have a value. */
  columns: readonly string[];
  /** Columns of a table that are no fields, computed from the record; a field of that name is shown in words. */
  cells?: Cells;
  /** The fields whose records the cells of these names tell. */
  nameFields?: Readonly<Record<string, string>>;
  /** The records within whose fields the cells tell. */
  learns?: (records: readonly JsonObject[]) => Learned;
  /** What a card begins with. */
  card?: Card;
  /** What a card calls the record. */
  toTitle?: (record: JsonRecord) => string;
  /** A card shows every field, as the interface names it. */
  hasAllFields?: boolean;
  /** What is known beside the records; without it times are the wire's. */
  view?: View;
  /** What the note says besides. */
  remark?: string | null;
  /** What words in the table's columns mean. */
  tones?: Tones;
  /** In csv, texts that a spreadsheet would take for a formula are not marked as text. */
  rawCsv?: boolean;
  isTerminal: boolean;
  /** Columns of the terminal. */
  width: number;
  colour: boolean;
}
