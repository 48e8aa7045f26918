import { pickFields } from "../../models/chosen-fields.ts";
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
import { toLeafFields, valueAt } from "./fields.ts";
import { addCells, describeCut, describeList, layoutRecords, learnColumns } from "./layout-records.ts";
import type { OutputOptions } from "./options.ts";
import { openScreen, type Screen } from "./screen.ts";
import { drawTable, pipedTextMax } from "./table.ts";
import { joinLines, toVisible, toVisibleJson, toVisibleLines } from "./text.ts";

/** `note` goes to stderr. */
export interface Output {
  stdout: string;
  note: string | null;
}

/** All texts include line breaks. */
export interface RecordWriter {
  head: string;
  toLine: (record: JsonRecord) => string;
}

/** Off a terminal, json is the exact body, and the note lists cut columns. On a terminal, all data is escaped. */
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

/** Loads names for the chosen cells. */
export async function learnFor(records: readonly JsonRecord[], options: OutputOptions): Promise<void> {
  const { cells = {}, fields } = options;
  if (fields?.some((field) => Object.hasOwn(cells, field))) await learnColumns(records, fields, options);
}

/** Writes records one by one in constant memory, with the same lines as `formatAnswer`. */
export function toRecordWriter(form: "ids" | "ndjson" | "csv", options: WriterOptions): RecordWriter {
  const { rawCsv = false, isTerminal } = options;
  if (form === "ids") return { head: "", toLine: toIdLine };
  if (form === "ndjson") {
    const toJsonLine = (record: JsonRecord) => `${JSON.stringify(pickFrom(record, options))}\n`;
    return { head: "", toLine: isTerminal ? (record) => toVisibleJson(toJsonLine(record)) : toJsonLine };
  }
  const { columns, toValues } = toColumns(options);
  const guard = rawCsv ? (text: string) => text : markText;
  const clean = isTerminal ? (text: string) => toVisible(guard(text)) : guard;
  return { head: toCsvHead(columns, clean), toLine: (record) => toCsvRow(toValues(record), columns, clean) };
}

/** The columns of a sheet, and the record with the values of its computed columns. */
export function toColumns(options: WriterOptions): {
  columns: readonly string[];
  toValues(record: JsonRecord): JsonRecord;
} {
  const { fields, knownFields } = options;
  // An inner record becomes columns of its fields, unless a cell shows it, such as the name of the customer.
  const isCell = (field: string) => hasCell(field, options) && !isLeaf(field, knownFields);
  const columns = fields
    ? fields.flatMap((field) => (isCell(field) ? [field] : toLeafFields([field], knownFields)))
    : toLeafFields(knownFields, knownFields);
  const computed = columns.filter(isCell);
  return { columns, toValues: (record) => addCells([record], computed, options)[0] ?? record };
}

type WriterOptions = Pick<
  OutputOptions,
  "cells" | "fields" | "knownFields" | "isTerminal" | "rawCsv" | "view"
>;

const hasCell = (field: string, { cells = {} }: Pick<OutputOptions, "cells">) => Object.hasOwn(cells, field);

const isLeaf = (field: string, knownFields: readonly string[]) =>
  knownFields.includes(field) && !knownFields.some((other) => other.startsWith(`${field}.`));

/** Includes computed cells. */
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

/** Some records have another id field. Last resort: the first value. */
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
  // Quotes NO: YAML 1.1 reads the country NO as false.
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
  if (records.length === 0) return { stdout: "", note: describeList(0, page, [], remark) };
  const table = await layoutRecords(records, options, screen);
  const note = isTerminal
    ? describeList(records.length, page, table.hidden, remark)
    : describeCut(table.cut, pipedTextMax, remark);
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

type CleanText = (text: string) => string;

function toCsvHead(columns: readonly string[], clean: CleanText): string {
  return toRow(columns.map((column) => quoteText(clean(column))));
}

/** RFC 4180. null is empty, an empty text is `""`, arrays and objects are JSON. */
function toCsvRow(record: JsonRecord, columns: readonly string[], clean: CleanText): string {
  return toRow(columns.map((column) => toCsvField(valueAt(record, column), clean)));
}

// An empty row is `""`, because readers of CSV skip empty lines.
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
