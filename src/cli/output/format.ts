import { markText } from "../../sync/rows/cell-marks.ts";
import type { Tones } from "../presentation/presentation.ts";
import { type Answer, type JsonRecord, type JsonValue, mapRecords, type Page, toRecords } from "./answer.ts";
import { countEmpty, drawCard } from "./card.ts";
import { toCsvHead, toCsvRow } from "./csv.ts";
import { pickFields, toLeafFields } from "./fields.ts";
import { describeEmpty, describeList } from "./notes.ts";
import { openScreen, type Screen } from "./screen.ts";
import { drawTable, fieldsWithValue, layoutTable, type TableLayout } from "./table.ts";
import { isNested, toVisible, toVisibleJson, toVisibleLines } from "./text.ts";

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
  /** Columns of a table that are no fields, computed from the record. */
  cells?: Readonly<Record<string, (record: JsonRecord) => string>>;
  /** What words in the table's columns mean. */
  tones?: Tones;
  /** In csv, texts that a spreadsheet would take for a formula are not marked as text. */
  rawCsv?: boolean;
  isTerminal: boolean;
  /** Columns of the terminal. */
  width: number;
  colour: boolean;
}

/** What goes to stdout, and a line about it that is not data, for stderr. */
export interface Output {
  stdout: string;
  note: string | null;
}

/** Writes the records of one stream: `head` once, then a line for each; all carry their line ends. */
export interface RecordWriter {
  head: string;
  toLine: (record: JsonRecord) => string;
}

/**
 * Turns an answer into what is printed. Off a terminal json is the answer's own text, byte for byte, nothing in
 * a table is cut, and there is no note; on one no character of the data can act on the terminal.
 */
export async function formatAnswer(answer: Answer, options: OutputOptions): Promise<Output> {
  switch (options.form) {
    case "json":
      return { stdout: `${toJson(answer, options)}\n`, note: null };
    case "yaml":
      return { stdout: await toYaml(answer.value, options), note: null };
    case "ids":
    case "ndjson":
    case "csv":
      return { stdout: toLines(answer.value, toRecordWriter(options.form, options)), note: null };
    case "table":
      return drawAnswer(answer, options);
  }
}

/** The writer that shows records one at a time, in constant memory; the same lines as `formatAnswer` makes. */
export function toRecordWriter(
  form: "ids" | "ndjson" | "csv",
  { fields, knownFields, rawCsv = false, isTerminal }: WriterOptions,
): RecordWriter {
  if (form === "ids") return { head: "", toLine: toIdLine };
  if (form === "ndjson") {
    const toJsonLine = (record: JsonRecord) =>
      `${JSON.stringify(fields ? pickFields(record, fields) : record)}\n`;
    return { head: "", toLine: isTerminal ? (record) => toVisibleJson(toJsonLine(record)) : toJsonLine };
  }
  const columns = toLeafFields(fields ?? knownFields, knownFields);
  const guard = rawCsv ? (text: string) => text : markText;
  const clean = isTerminal ? (text: string) => toVisible(guard(text)) : guard;
  return { head: toCsvHead(columns, clean), toLine: (record) => toCsvRow(record, columns, clean) };
}

type WriterOptions = Pick<OutputOptions, "fields" | "knownFields" | "isTerminal" | "rawCsv">;

/** Some records have another name for their id. Where there is none, the first value stands in. */
function toIdLine(record: JsonRecord): string {
  const { id, customer_id, delivery_id } = record;
  return `${toVisible(String(id ?? customer_id ?? delivery_id ?? Object.values(record)[0] ?? ""))}\n`;
}

function toJson({ value, text }: Answer, { fields, isTerminal }: OutputOptions): string {
  if (isTerminal) return toVisibleJson(JSON.stringify(pick(value, fields), null, 2));
  return fields ? JSON.stringify(pick(value, fields)) : text;
}

async function toYaml(value: JsonValue, { fields, isTerminal }: OutputOptions): Promise<string> {
  const { stringify } = await import("yaml");
  // For readers of YAML 1.1 the country NO is false unless it is quoted.
  const text = stringify(pick(value, fields), { compat: "yaml-1.1", lineWidth: 0 });
  return isTerminal ? toVisibleLines(text) : text;
}

function pick(value: JsonValue, fields: readonly string[] | null): JsonValue {
  return fields ? mapRecords(value, (record) => pickFields(record, fields)) : value;
}

function toLines(value: JsonValue, writer: RecordWriter): string {
  const content = toRecords(value);
  const records = content.isList ? content.records : [content.record];
  return writer.head + records.map(writer.toLine).join("");
}

async function drawAnswer({ value, text }: Answer, options: OutputOptions): Promise<Output> {
  const screen = await openScreen(text, options);
  const content = toRecords(value);
  const output = content.isList
    ? await drawList(content.records, content.page, options, screen)
    : await drawRecord(content.record, options, screen);
  return options.isTerminal ? output : { ...output, note: null };
}

async function drawList(
  records: JsonRecord[],
  page: Page | null,
  options: OutputOptions,
  screen: Screen,
): Promise<Output> {
  if (records.length === 0) return { stdout: "", note: describeList(0, page, []) };
  const table = layoutRecords(records, options, screen);
  const note = describeList(records.length, page, table.hidden);
  return { stdout: joinLines(await drawTable(table, screen, options.tones)), note };
}

/** Lays out the table of a list: its columns are those picked, else those that its operation names. */
export function layoutRecords(
  records: readonly JsonRecord[],
  options: OutputOptions,
  screen: Screen,
): TableLayout {
  const columns = chooseColumns(records, options);
  return layoutTable(addCells(records, columns, options), columns, screen);
}

// A column may be of a newer version than the answer.
function chooseColumns(
  records: readonly JsonRecord[],
  { cells = {}, fields, columns, knownFields }: OutputOptions,
): readonly string[] {
  if (fields) return fields;
  const known = columns.filter((column) => knownFields.includes(column) || Object.hasOwn(cells, column));
  return known.length > 0 ? known : fieldsWithValue(records, (value) => !isNested(value));
}

/** The records with the cells that are no fields. */
export function addCells(
  records: readonly JsonRecord[],
  columns: readonly string[],
  { cells = {} }: OutputOptions,
): readonly JsonRecord[] {
  const named = Object.entries(cells).filter(([name]) => columns.includes(name));
  if (named.length === 0) return records;
  return records.map((record) => ({
    ...record,
    ...Object.fromEntries(named.map(([name, toText]) => [name, toText(record)])),
  }));
}

async function drawRecord(record: JsonRecord, options: OutputOptions, screen: Screen): Promise<Output> {
  const lines = await drawCard(record, { picked: options.fields, leading: options.columns }, screen);
  const note = options.fields ? null : describeEmpty(countEmpty(record));
  return { stdout: joinLines(lines), note };
}

/** Lines with their ends. */
export function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
