import type { JsonObject } from "../../models/json.ts";
import type { Card, Cells, Learned, Tones } from "../presentation/presentation.ts";
import type { View } from "../presentation/view.ts";
import type { JsonRecord } from "./answer.ts";

export const outputForms = ["table", "json", "ndjson", "csv", "yaml"] as const;
export type OutputForm = (typeof outputForms)[number];

/** `ids` is --quiet: one id per line. */
export type ShownForm = OutputForm | "ids";

export interface OutputSettings {
  form: OutputForm;
  fields: string | null;
  noColor: boolean;
}

export interface OutputOptions {
  form: ShownForm;
  /** null shows all. */
  fields: readonly string[] | null;
  /** Dotted paths in the order of the response. Paths end at arrays. */
  knownFields: readonly string[];
  /** Empty means the scalar fields with a value. */
  columns: readonly string[];
  /** A cell with the name of a field replaces its value. */
  cells?: Cells;
  /** Cell → the field that refers to the named record. */
  nameFields?: Readonly<Record<string, string>>;
  learns?: (records: readonly JsonObject[]) => Learned;
  card?: Card;
  toTitle?: (record: JsonRecord) => string;
  /** --all-fields: a card shows every field by its API name. */
  hasAllFields?: boolean;
  /** Missing: times appear as in the response. */
  view?: View;
  remark?: string | null;
  tones?: Tones;
  /** Do not escape texts in csv that a spreadsheet would run as a formula. */
  rawCsv?: boolean;
  isTerminal: boolean;
  width: number;
  color: boolean;
}
