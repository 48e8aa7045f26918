import type { JsonRecord, JsonValue } from "./answer.ts";
import { valueAt } from "./fields.ts";

/** Changes a text before it is quoted. */
export type CleanText = (text: string) => string;

/** The header row of CSV (RFC 4180), with its line end. */
export function toCsvHead(columns: readonly string[], clean: CleanText): string {
  return toRow(columns.map((column) => quoteText(clean(column))));
}

/**
 * One record as a CSV row (RFC 4180), with its line end: null is empty, an empty text is `""`, arrays and objects
 * are JSON text.
 */
export function toCsvRow(record: JsonRecord, columns: readonly string[], clean: CleanText): string {
  return toRow(columns.map((column) => toCsvField(valueAt(record, column), clean)));
}

// Readers skip a line with nothing on it, and with it the record.
function toRow(fields: readonly string[]): string {
  return `${fields.join(",") || '""'}\r\n`;
}

function toCsvField(value: JsonValue, clean: CleanText): string {
  if (value === null) return "";
  if (typeof value === "string") return quoteText(clean(value));
  if (typeof value === "object") return quoteText(clean(JSON.stringify(value)));
  return String(value);
}

function quoteText(text: string): string {
  return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
