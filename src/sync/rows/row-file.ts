import { failure } from "../../errors/errors.ts";
import { unmarkText } from "./cell-marks.ts";

export type RowForm = "csv" | "json" | "ndjson";

export interface Row {
  /** The first line; in a JSON list the number of the entry. */
  line: number;
  /** For CSV a JSON array of the cells, else a JSON object. */
  text: string;
  /** Why the row is invalid; `text` then has the original. */
  problem: string | null;
}

export interface RowFile {
  name: string;
  form: RowForm;
  /** For JSON, all names of all objects in the order of appearance. */
  headers: readonly string[];
  rows: Row[];
  delimiter: string;
  isRaw: boolean;
  /** Files in the format of a file that was not plain UTF-8 get a byte order mark. */
  needsMark: boolean;
  /** The skipped lines, in sentences. */
  notes: readonly string[];
}

export const rowBytesMax = 1024 * 1024;

export function placeOf({ form }: Pick<RowFile, "form">, { line }: Row): string {
  return `${form === "json" ? "entry" : "line"} ${line}`;
}

/** undefined for missing values. CSV has texts only. */
export function cellsOf({ form, headers, isRaw }: RowFile, { text }: Row): unknown[] {
  const value = JSON.parse(text) as unknown;
  if (form === "csv")
    return (value as string[]).map((cell) => (cell === "" ? undefined : isRaw ? cell : unmarkText(cell)));
  const object = value as Readonly<Record<string, unknown>>;
  return headers.map((header) => (Object.hasOwn(object, header) ? object[header] : undefined));
}

export function malformed(name: string, detail: string, cause?: unknown) {
  return failure("malformed_file", `${name}: ${detail}`, null, cause);
}
