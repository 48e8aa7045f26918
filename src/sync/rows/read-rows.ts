import { failure } from "../../errors/errors.ts";
import type { Pace } from "../pace.ts";
import { cellsOfText, findHeader, type HeaderOptions } from "./find-header.ts";
import {
  type Bytes,
  type OpenBytes,
  type OpenText,
  openBytes,
  openText,
  type TextOptions,
} from "./open-text.ts";
import { malformed, type Row, type RowFile, type RowForm } from "./row-file.ts";

/** How a file of rows is read. */
export interface ReadOptions extends TextOptions, HeaderOptions {
  /** Between the cells of CSV; null finds out. */
  delimiter: string | null;
  /** In CSV, an apostrophe before what a spreadsheet would run is a part of the text. */
  isRaw: boolean;
  pace: Pace;
  /** The sheet of a workbook, by its name or number; null takes the first that holds something. */
  sheet: string | null;
}

/**
 * Reads a file of rows, or standard input for `-`: a workbook, CSV with a header, ndjson, or a JSON list. The file's
 * name decides, else its first bytes. Throws malformed_file for other files.
 */
export async function readRows(file: string, stdin: Bytes, options: ReadOptions): Promise<RowFile> {
  const name = file === "-" ? "Standard input" : file;
  const bytes = await openBytes(file, stdin);
  const begins = bytes.head.toString("latin1", 0, 64);
  if (begins.startsWith("PK\u0003\u0004")) return readWorkbook(bytes, name, options);
  const foreign = foreignForms.find(([pattern]) => pattern.test(begins))?.[1];
  if (foreign)
    throw malformed(name, `it is ${foreign}; open it in a spreadsheet and save it as XLSX or CSV.`);
  if (options.sheet !== null) throw failure("usage", `${name} is not a workbook, so it has no sheets.`);
  const text = await openText(bytes, name, options);
  if (text.head.trim() === "") throw malformed(name, "it is empty.");
  const form = formOf(file, text.head);
  const kept = { name, form, isRaw: options.isRaw, needsMark: text.isConverted };
  if (form === "csv") return { ...kept, ...(await readTable(text, name, options)) };
  const { readJson, readNdjson } = await import("./read-json.ts");
  const read = form === "json" ? readJson : readNdjson;
  const rows = await collect(read(text.chunks, name), options);
  return { ...kept, delimiter: ",", headers: namesOf(rows), notes: [], rows };
}

/** A sheet is read as if it had been saved as CSV, except that its rows need not be equally long. */
async function readWorkbook({ chunks }: OpenBytes, name: string, options: ReadOptions): Promise<RowFile> {
  const { readXlsx } = await import("./read-xlsx.ts");
  const { errorCells, others, rows, sheet } = await readXlsx(chunks, name, options.sheet);
  const { header, notes, rows: below } = await requireHeader(rows, name, options);
  const unread =
    others.length > 0 ? [`Sheet "${sheet}" is read, not ${others.join(", ")}; --sheet names another.`] : [];
  return {
    name,
    form: "csv",
    delimiter: ",",
    headers: header ? cellsOfText(header) : [],
    isRaw: false,
    needsMark: true,
    notes: [...(options.sheet === null ? unread : []), ...notes, ...describeErrors(errorCells)],
    rows: below,
  };
}

function describeErrors(cells: number): string[] {
  if (cells === 0) return [];
  return [`${cells === 1 ? "1 cell holds" : `${cells} cells hold`} the error of a formula, read as empty.`];
}

async function requireHeader(rows: readonly Row[], name: string, options: ReadOptions) {
  const table = await findHeader(rows, options);
  if (table) return table;
  throw failure("usage", `${name} has nothing in line ${options.headerRow}, where its header should be.`);
}

/** What offices also call a spreadsheet, by how it begins; a workbook of Office Open XML is a zip archive. */
const foreignForms: readonly (readonly [RegExp, string])[] = [
  // The first four bytes of a compound file, as Latin-1.
  [/^\xd0\xcf[^ -~]\xe0/, "a workbook with a password, or of the old form .xls"],
  [/^(?:\xef\xbb\xbf)?\s*<(?:!doctype|html|table|meta|\?xml|head)\b/i, "a page of HTML or XML"],
  [/^%PDF-/, "a PDF"],
];

function formOf(file: string, head: string): RowForm {
  const extension = /\.(\w+)$/.exec(file)?.[1]?.toLowerCase();
  if (extension === "json") return "json";
  if (extension === "ndjson" || extension === "jsonl") return "ndjson";
  if (extension === "csv" || extension === "tsv") return "csv";
  const [first] = head.trimStart();
  return first === "[" ? "json" : first === "{" ? "ndjson" : "csv";
}

async function readTable({ chunks, head }: OpenText, name: string, options: ReadOptions) {
  if (head.includes("\0"))
    throw malformed(name, "it holds NUL characters, so it is not text; save it as CSV in UTF-8.");
  const { detectDelimiter, readCsv } = await import("./read-csv.ts");
  const delimiter = options.delimiter ?? detectDelimiter(head);
  const collected = await collect(readCsv(chunks, name, delimiter), options);
  const { header, notes, rows } = await requireHeader(collected, name, options);
  const headers = header ? cellsOfText(header) : [];
  for (const row of rows) row.problem = describeWidth(JSON.parse(row.text) as string[], headers.length);
  return { delimiter, headers, notes, rows };
}

function describeWidth({ length }: readonly string[], width: number): string | null {
  if (length === width) return null;
  return `The row has ${length} ${length === 1 ? "cell" : "cells"}, the header has ${width}.`;
}

async function collect(rows: AsyncIterable<Row>, { pace }: ReadOptions): Promise<Row[]> {
  const collected: Row[] = [];
  for await (const row of rows) {
    collected.push(row);
    await pace.step(() => `read ${collected.length} rows`);
  }
  return collected;
}

function namesOf(rows: readonly Row[]): string[] {
  const names = new Set<string>();
  for (const { text, problem } of rows)
    if (problem === null) for (const name of Object.keys(JSON.parse(text) as object)) names.add(name);
  return [...names];
}
