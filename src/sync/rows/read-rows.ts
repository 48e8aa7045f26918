import type { Pace } from "../pace.ts";
import { type Bytes, type OpenText, openText, type TextOptions } from "./open-text.ts";
import { malformed, type Row, type RowFile, type RowForm } from "./row-file.ts";

/** How a file of rows is read. */
export interface ReadOptions extends TextOptions {
  /** Between the cells of CSV; null finds out. */
  delimiter: string | null;
  /** In CSV, an apostrophe before what a spreadsheet would run is a part of the text. */
  isRaw: boolean;
  pace: Pace;
}

/**
 * Reads a file of rows, or standard input for `-`: CSV with a header, ndjson, or a JSON list; which of them, the file's
 * name says, else how it begins. Throws malformed_file for what is none of them.
 */
export async function readRows(file: string, stdin: Bytes, options: ReadOptions): Promise<RowFile> {
  const name = file === "-" ? "Standard input" : file;
  const text = await openText(file, stdin, options);
  if (text.head.trim() === "") throw malformed(name, "it is empty.");
  const form = formOf(file, text.head);
  const kept = { name, form, isRaw: options.isRaw, needsMark: text.isConverted };
  if (form === "csv") return { ...kept, ...(await readTable(text, name, options)) };
  const { readJson, readNdjson } = await import("./read-json.ts");
  const read = form === "json" ? readJson : readNdjson;
  const rows = await collect(read(text.chunks, name), options);
  return { ...kept, delimiter: ",", headers: namesOf(rows), rows };
}

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
    throw malformed(name, "it holds NUL characters, so it is no text; save it as CSV in UTF-8.");
  const { detectDelimiter, readCsv } = await import("./read-csv.ts");
  const delimiter = options.delimiter ?? detectDelimiter(head);
  const [header, ...rows] = await collect(readCsv(chunks, name, delimiter), options);
  const headers = header ? (JSON.parse(header.text) as string[]).map((column) => column.trim()) : [];
  return { delimiter, headers, rows };
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
