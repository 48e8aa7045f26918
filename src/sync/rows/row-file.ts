import { failure } from "../../errors/errors.ts";
import { unmarkText } from "./cell-marks.ts";

/** The format of a file's rows. */
export type RowForm = "csv" | "json" | "ndjson";

/** A row of a file, stored as text: a hundred thousand of them fit into memory. */
export interface Row {
  /** Its first line; in a JSON list the number of the entry. */
  line: number;
  /** A JSON array of its cells, for CSV; else a JSON object. */
  text: string;
  /** Why it is not a row, or null. `text` then holds the original text. */
  problem: string | null;
}

/** A file of rows, read whole. */
export interface RowFile {
  name: string;
  form: RowForm;
  /** The names of its columns; for JSON every name of any object, in the order of appearance. */
  headers: readonly string[];
  rows: Row[];
  /** The separator of CSV. */
  delimiter: string;
  /** In CSV, an apostrophe before a formula is part of the text. */
  isRaw: boolean;
  /** The file was not plain UTF-8, so output in its format starts with a byte order mark. */
  needsMark: boolean;
  /** The skipped lines, in sentences. */
  notes: readonly string[];
}

/** The longest row, which equals the longest body of an operation. */
export const rowBytesMax = 1024 * 1024;

/** The position of a row in messages: `line 7`, or `entry 7` of a JSON list. */
export function placeOf({ form }: Pick<RowFile, "form">, { line }: Row): string {
  return `${form === "json" ? "entry" : "line"} ${line}`;
}

/** The values of a row by the columns of the file; undefined for missing ones. CSV has texts only. */
export function cellsOf({ form, headers, isRaw }: RowFile, { text }: Row): unknown[] {
  const value = JSON.parse(text) as unknown;
  if (form === "csv")
    return (value as string[]).map((cell) => (cell === "" ? undefined : isRaw ? cell : unmarkText(cell)));
  const object = value as Readonly<Record<string, unknown>>;
  return headers.map((header) => (Object.hasOwn(object, header) ? object[header] : undefined));
}

/** The error of a file without rows. */
export function malformed(name: string, detail: string, cause?: unknown) {
  return failure("malformed_file", `${name}: ${detail}`, null, cause);
}

/** The words for the user's choices in messages: options in the command line, other words elsewhere. */
export interface RowWords {
  /** The words for mapping columns to fields. */
  map: string;
  /** A sentence: how to handle unknown columns. */
  onUnknownColumn: string;
  /** A sentence: how to handle a row with an empty key. */
  onEmptyKey: string;
  /** How to handle a file that is not UTF-8, after "save it as UTF-8, or". */
  onWrongEncoding: string;
}
