import { DispatchError, failure } from "../../errors/errors.ts";
import { parseJsonBody } from "../../models/json-body.ts";
import type { Pace } from "../target.ts";
import { cellsOfText, findHeader, type HeaderOptions } from "./find-header.ts";
import { type Bytes, type Encoding, linesOf, readBytes, toUtf8 } from "./read-bytes.ts";
import { cellsOf, malformed, type Row, type RowFile, type RowForm, rowBytesMax } from "./row-file.ts";

export interface ReadOptions extends HeaderOptions {
  delimiter: string | null;
  encoding: Encoding;
  isRaw: boolean;
  pace: Pace;
  /** A name or number; null means the first sheet with rows. */
  sheet: string | null;
}

/** `-` is standard input. Accepts a workbook, CSV with a header, ndjson, and a JSON list. Throws malformed_file. */
export async function readRows(file: string, stdin: Bytes, options: ReadOptions): Promise<RowFile> {
  const name = file === "-" ? "Standard input" : file;
  const read = await readBytes(file, stdin);
  const begins = read.toString("latin1", 0, 64);
  if (begins.startsWith("PK\u0003\u0004")) return readWorkbook(read, name, options);
  const foreign = foreignForms.find(([pattern]) => pattern.test(begins))?.[1];
  if (foreign)
    throw malformed(name, `it is ${foreign}; open it in a spreadsheet and save it as XLSX or CSV.`);
  if (options.sheet !== null) throw failure("usage", `${name} is not a workbook, so it has no sheets.`);
  const { bytes, isConverted } = toUtf8(read, name, options.encoding);
  const head = bytes.toString("utf8", 0, headBytes);
  if (head.trim() === "") throw malformed(name, "it is empty.");
  const form = formOf(file, head);
  const kept = { name, form, isRaw: options.isRaw, needsMark: isConverted };
  if (form === "csv") return { ...kept, ...(await readTable(bytes, head, name, options)) };
  const rows = await collect(form === "json" ? readJson(bytes, name) : readNdjson(bytes, name), options);
  return { ...kept, delimiter: ",", headers: namesOf(rows), notes: [], rows };
}

/** The start of a file, which shows its format. */
const headBytes = 64 * 1024;

/** Like CSV, except that rows may differ in length. */
async function readWorkbook(bytes: Buffer, name: string, options: ReadOptions): Promise<RowFile> {
  const { readXlsx } = await import("./read-xlsx.ts");
  const { errorCells, others, rows, sheet } = await readXlsx(bytes, name, options.sheet);
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
  return [
    `${cells === 1 ? "1 cell holds" : `${cells} cells hold`} the error of a formula, treated as empty.`,
  ];
}

async function requireHeader(rows: readonly Row[], name: string, options: ReadOptions) {
  const table = await findHeader(rows, options);
  if (table) return table;
  throw failure("usage", `${name} has nothing in line ${options.headerRow}, where its header should be.`);
}

/** Recognizes other files by their first bytes. An Office Open XML workbook is a zip archive. */
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

async function readTable(bytes: Buffer, head: string, name: string, options: ReadOptions) {
  if (head.includes("\0"))
    throw malformed(name, "it holds NUL characters, so it is not text; save it as CSV in UTF-8.");
  const { detectDelimiter, readCsv } = await import("./read-csv.ts");
  const delimiter = options.delimiter ?? detectDelimiter(head);
  const collected = await collect(readCsv(bytes, name, delimiter), options);
  const { header, notes, rows } = await requireHeader(collected, name, options);
  const headers = header ? cellsOfText(header) : [];
  for (const row of rows) row.problem = describeWidth(JSON.parse(row.text) as string[], headers.length);
  return { delimiter, headers, notes, rows };
}

function describeWidth({ length }: readonly string[], width: number): string | null {
  if (length === width) return null;
  return `The row has ${length} ${length === 1 ? "cell" : "cells"}, the header has ${width}.`;
}

async function collect(rows: AsyncIterable<Row> | Iterable<Row>, { pace }: ReadOptions): Promise<Row[]> {
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

/** Rows without a key may be separate records. */
export function leaveOutRepeats(file: RowFile, keyIndex: number): RowFile {
  if (keyIndex === -1 || file.form !== "csv") return file;
  const seen = new Set<string>();
  const repeated: number[] = [];
  const rows = file.rows.filter((row) => {
    if (row.problem !== null || cellsOf(file, row)[keyIndex] === undefined) return true;
    if (!seen.has(row.text)) return seen.add(row.text);
    repeated.push(row.line);
    return false;
  });
  if (repeated.length === 0) return file;
  const shown = `${repeated.slice(0, linesShown).join(", ")}${repeated.length > linesShown ? " …" : ""}`;
  const note =
    repeated.length === 1
      ? `Line ${shown} is left out: it equals a row above.`
      : `${repeated.length} rows are left out: they equal rows above (lines ${shown}).`;
  return { ...file, notes: [...file.notes, note], rows };
}

const linesShown = 5;

/** Reads ndjson, one JSON object a line. Any other line becomes a row with a problem. */
function* readNdjson(bytes: Buffer, name: string): Generator<Row> {
  let line = 0;
  for (const piece of linesOf(bytes)) {
    line++;
    if (piece.length > rowBytesMax) throw malformed(name, `line ${line} is longer than 1 MiB.`);
    const text = piece.toString("utf8");
    if (text.trim() !== "") yield toRow(line, text);
  }
}

/** The rows of a JSON list of objects. */
function* readJson(bytes: Buffer, name: string): Generator<Row> {
  const list = parseList(bytes, name);
  for (const [index, entry] of list.entries()) yield toRow(index + 1, JSON.stringify(entry));
}

function parseList(bytes: Buffer, name: string): unknown[] {
  const hint = "If it has one object a line, call it .ndjson.";
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    const list = isListAnswer(value) ? value.results : value;
    if (Array.isArray(list)) return list;
  } catch (error) {
    throw malformed(name, `it is not valid JSON: ${reasonOf(error)}. ${hint}`, error);
  }
  throw malformed(name, `it is JSON, but not a list of objects, [{…}, {…}]. ${hint}`);
}

/** Responses of lists, and JSON of `export`. */
const isListAnswer = (value: unknown): value is { results: unknown } =>
  typeof value === "object" && value !== null && "results" in value && "total_count" in value;

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : "");

function toRow(line: number, text: string): Row {
  try {
    const value = parseJsonBody(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return { line, text, problem: null };
    return { line, text, problem: "The row is not a JSON object." };
  } catch (error) {
    if (!(error instanceof DispatchError)) throw error;
    return { line, text, problem: error.message.replace("The body", "The row") };
  }
}
