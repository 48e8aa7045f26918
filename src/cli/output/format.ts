import { markText } from "../../sync/rows/cell-marks.ts";
import { plainView } from "../presentation/view.ts";
import {
  type Answer,
  type JsonRecord,
  type JsonValue,
  mapRecords,
  type Page,
  type Records,
  toRecords,
} from "./answer.ts";
import { drawCard } from "./card.ts";
import { drawFields } from "./draw-fields.ts";
import { pickFields, toLeafFields, valueAt } from "./fields.ts";
import { addCells, layoutRecords, learnColumns, describeCut, describeList } from "./layout-records.ts";
import type { OutputOptions } from "./options.ts";
import { openScreen, type Screen } from "./screen.ts";
import { drawTable, pipedTextMax } from "./table.ts";
import { joinLines, toVisible, toVisibleJson, toVisibleLines } from "./text.ts";

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
 * Turns an answer into what is printed. Off a terminal json is the answer's own text, byte for byte, and the
 * only note tells which texts of a table were cut; on one no character of the data can act on the terminal.
 */
export async function formatAnswer(answer: Answer, options: OutputOptions): Promise<Output> {
  const content = toRecords(answer.value);
  const records = content.isList ? content.records : [content.record];
  if (options.form === "table") return drawAnswer(content, options);
  await learnFor(records, options);
  switch (options.form) {
    case "json":
      return { stdout: `${toJson(answer, options)}\n`, note: null };
    case "yaml":
      return { stdout: await toYaml(answer.value, options), note: null };
    case "ids":
    case "ndjson":
    case "csv":
      return { stdout: toLines(records, toRecordWriter(options.form, options)), note: null };
  }
}

/** Learns what the chosen cells need to know beside the records. */
export async function learnFor(records: readonly JsonRecord[], options: OutputOptions): Promise<void> {
  const { cells = {}, fields } = options;
  if (fields?.some((field) => Object.hasOwn(cells, field))) await learnColumns(records, fields, options);
}

/** The writer that shows records one at a time, in constant memory; the same lines as `formatAnswer` makes. */
export function toRecordWriter(form: "ids" | "ndjson" | "csv", options: WriterOptions): RecordWriter {
  const { fields, knownFields, rawCsv = false, isTerminal } = options;
  if (form === "ids") return { head: "", toLine: toIdLine };
  if (form === "ndjson") {
    const toJsonLine = (record: JsonRecord) => `${JSON.stringify(pickFrom(record, options))}\n`;
    return { head: "", toLine: isTerminal ? (record) => toVisibleJson(toJsonLine(record)) : toJsonLine };
  }
  // A record within is its fields, unless there is a cell for it: the customer's name.
  const isCell = (field: string) => hasCell(field, options) && !isLeaf(field, knownFields);
  const columns = fields
    ? fields.flatMap((field) => (isCell(field) ? [field] : toLeafFields([field], knownFields)))
    : toLeafFields(knownFields, knownFields);
  const toValues = (record: JsonRecord) => addCells([record], columns.filter(isCell), options)[0] ?? record;
  const guard = rawCsv ? (text: string) => text : markText;
  const clean = isTerminal ? (text: string) => toVisible(guard(text)) : guard;
  return { head: toCsvHead(columns, clean), toLine: (record) => toCsvRow(toValues(record), columns, clean) };
}

type WriterOptions = Pick<
  OutputOptions,
  "cells" | "fields" | "knownFields" | "isTerminal" | "rawCsv" | "view"
>;

const hasCell = (field: string, { cells = {} }: Pick<OutputOptions, "cells">) => Object.hasOwn(cells, field);

const isLeaf = (field: string, knownFields: readonly string[]) =>
  knownFields.includes(field) && !knownFields.some((other) => other.startsWith(`${field}.`));

/** A record with the fields that were chosen; cells that are no fields are made of it. */
export function pickFrom(
  record: JsonRecord,
  options: Pick<OutputOptions, "cells" | "fields" | "knownFields" | "view">,
): JsonRecord {
  const { fields, knownFields } = options;
  if (!fields) return record;
  const made = fields.filter(
    (field) => hasCell(field, options) && !knownFields.some((known) => isAtOrIn(known, field)),
  );
  return pickFields(made.length === 0 ? record : (addCells([record], made, options)[0] ?? record), fields);
}

const isAtOrIn = (path: string, field: string) => path === field || path.startsWith(`${field}.`);

/** Some records have another name for their id. Where there is none, the first value stands in. */
function toIdLine(record: JsonRecord): string {
  const { id, customer_id, delivery_id } = record;
  return `${toVisible(String(id ?? customer_id ?? delivery_id ?? Object.values(record)[0] ?? ""))}\n`;
}

function toJson({ value, text }: Answer, options: OutputOptions): string {
  if (options.isTerminal) return toVisibleJson(JSON.stringify(pick(value, options), null, 2));
  return options.fields ? JSON.stringify(pick(value, options)) : text;
}

async function toYaml(value: JsonValue, options: OutputOptions): Promise<string> {
  const { stringify } = await import("yaml");
  // For readers of YAML 1.1 the country NO is false unless it is quoted.
  const text = stringify(pick(value, options), { compat: "yaml-1.1", lineWidth: 0 });
  return options.isTerminal ? toVisibleLines(text) : text;
}

function pick(value: JsonValue, options: OutputOptions): JsonValue {
  return options.fields ? mapRecords(value, (record) => pickFrom(record, options)) : value;
}

function toLines(records: readonly JsonRecord[], writer: RecordWriter): string {
  return writer.head + records.map(writer.toLine).join("");
}

async function drawAnswer(content: Records, options: OutputOptions): Promise<Output> {
  const screen = await openScreen(options);
  if (content.isList) return drawList(content.records, content.page, options, screen);
  const output = await drawRecord(content.record, options, screen);
  return options.isTerminal ? output : { ...output, note: null };
}

async function drawList(
  records: JsonRecord[],
  page: Page | null,
  options: OutputOptions,
  screen: Screen,
): Promise<Output> {
  const { isTerminal, remark = null } = options;
  if (records.length === 0)
    return { stdout: "", note: isTerminal ? describeList(0, page, [], remark) : null };
  const table = await layoutRecords(records, options, screen);
  const note = isTerminal
    ? describeList(records.length, page, table.hidden, remark)
    : describeCut(table.cut, pipedTextMax);
  return { stdout: joinLines(drawTable(table, screen, options.tones)), note };
}

async function drawRecord(record: JsonRecord, options: OutputOptions, screen: Screen): Promise<Output> {
  const { card = null, cells = {}, fields, hasAllFields = false, nameFields = {}, toTitle } = options;
  const { view = plainView } = options;
  const named = Object.values(nameFields).filter((field) => !card?.tells.includes(field));
  await view.learn([record], [...new Set([...named, ...(card?.names ?? [])])]);
  if (fields || hasAllFields) {
    const shown = fields ? (addCells([record], fields, options)[0] ?? record) : record;
    return { stdout: joinLines(drawFields(shown, fields, options.view ?? null, screen)), note: null };
  }
  const title = toTitle?.(record) ?? null;
  const lines = drawCard(record, { card, cells, title, view }, screen);
  return { stdout: joinLines(lines), note: "--all-fields shows every field" };
}

/** Changes a text before it is quoted. */
type CleanText = (text: string) => string;

/** The header row of CSV (RFC 4180), with its line end. */
function toCsvHead(columns: readonly string[], clean: CleanText): string {
  return toRow(columns.map((column) => quoteText(clean(column))));
}

/**
 * One record as a CSV row (RFC 4180), with its line end: null is empty, an empty text is `""`, arrays and objects
 * are JSON text.
 */
function toCsvRow(record: JsonRecord, columns: readonly string[], clean: CleanText): string {
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
