import { failure } from "../../errors/errors.ts";
import { unmarkText } from "./cell-marks.ts";

/** How a file's rows are written. */
export type RowForm = "csv" | "json" | "ndjson";

/** A row of a file, kept as text: a hundred thousand of them fit into memory. */
export interface Row {
  /** The line it begins on; in a JSON list the number of the entry. */
  line: number;
  /** A JSON array of its cells, for CSV; else a JSON object. */
  text: string;
  /** Why it is not a row, or null. `text` then holds its text. */
  problem: string | null;
}

/** A file of rows, read whole. */
export interface RowFile {
  name: string;
  form: RowForm;
  /** The names of its columns; of JSON every name that an object has, in the order they were met. */
  headers: readonly string[];
  rows: Row[];
  /** Between the cells of CSV. */
  delimiter: string;
  /** In CSV, an apostrophe before what a spreadsheet would run is a part of the text. */
  isRaw: boolean;
  /** The file was not plain UTF-8, so output in its form begins with a byte order mark. */
  needsMark: boolean;
  /** What was passed over to find the rows, in sentences. */
  notes: readonly string[];
}

/** The longest row: as long as the longest body that an operation takes. */
export const rowBytesMax = 1024 * 1024;

/** How people find a row: `line 7`, or `entry 7` of a JSON list. */
export function placeOf({ form }: Pick<RowFile, "form">, { line }: Row): string {
  return `${form === "json" ? "entry" : "line"} ${line}`;
}

/** The values of a row by the file's columns; undefined where it has none. CSV has texts only. */
export function cellsOf({ form, headers, isRaw }: RowFile, { text }: Row): unknown[] {
  const value = JSON.parse(text) as unknown;
  if (form === "csv")
    return (value as string[]).map((cell) => (cell === "" ? undefined : isRaw ? cell : unmarkText(cell)));
  const object = value as Readonly<Record<string, unknown>>;
  return headers.map((header) => (Object.hasOwn(object, header) ? object[header] : undefined));
}

/** The error of a file that holds no rows at all. */
export function malformed(name: string, detail: string, cause?: unknown) {
  return failure("malformed_file", `${name}: ${detail}`, null, cause);
}

/** What messages about a file of rows say of the user's choices: the command line has options, others have other words. */
export interface RowWords {
  /** What maps columns to fields. */
  map: string;
  /** A sentence: how to handle unknown columns. */
  onUnknownColumn: string;
  /** A sentence: what to do about a row whose key is empty. */
  onEmptyKey: string;
  /** How to handle a file that is not UTF-8, after "save it as UTF-8, or". */
  onWrongEncoding: string;
}
