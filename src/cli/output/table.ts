import { isTimestamp } from "../../models/timestamps.ts";
import type { Tones } from "../presentation/presentation.ts";
import type { JsonRecord, JsonValue } from "./answer.ts";
import { valueAt } from "./fields.ts";
import { cutText, packLines, padText, widestOf, widthOf } from "./fit-text.ts";
import type { Screen } from "./screen.ts";
import { isNested, toCellText, toVisible } from "./text.ts";

export interface TableLayout {
  columns: TableColumn[];
  hidden: string[];
  /** Columns with cut texts, off a terminal only. */
  cut: string[];
  words: TableWords;
}

interface TableColumn {
  field: string;
  heading: string;
  align: "left" | "right";
  cells: TableCell[];
  /** The width that shows everything. `floor` is the smallest useful width. */
  natural: number;
  floor: number;
  width: number;
}

interface TableCell {
  text: string;
  isFaint: boolean;
}

export interface TableWords {
  headings?: Readonly<Record<string, string>>;
  /** Columns of names, which may be narrow: a few characters identify a name. */
  names?: readonly string[];
  neverCut?: readonly string[];
  toTime?: (moment: string, column: string, record: JsonRecord) => string;
}

const gap = 2;
/** The smallest width of a text. Numbers and times are never cut; headings wrap. */
const textFloor = 16;
const nameFloor = 12;

/** Off a terminal: a note of 2,000 characters would make every line as long. */
export const pipedTextMax = 100;

const findCut = (columns: readonly TableColumn[], { isTerminal }: Screen) =>
  isTerminal
    ? []
    : columns
        .filter(({ cells, width }) => cells.some(({ text }) => widthOf(text) > width))
        .map(({ heading }) => heading);

/** Long texts share the available width. If even short texts do not fit, the last columns are hidden. */
export function layoutTable(
  records: readonly JsonRecord[],
  fields: readonly string[],
  screen: Screen,
  words: TableWords = {},
): TableLayout {
  const columns = fields.map((field) => toColumn(field, records, screen, words));
  const shown = columns.slice(0, countFitting(columns, screen.columns));
  widenColumns(shown, screen.columns);
  const hidden = columns.slice(shown.length).map(({ heading }) => heading.replace(/ \(.*\)$/, ""));
  return { columns: shown, cut: findCut(shown, screen), hidden, words };
}

export function continueTable(
  { columns, hidden, words }: TableLayout,
  records: readonly JsonRecord[],
  screen: Screen,
): TableLayout {
  const continued = columns.map((column) => {
    const { cells, natural } = toColumn(column.field, records, screen, words);
    return { ...column, cells, width: screen.isTerminal ? column.width : Math.max(column.width, natural) };
  });
  return { columns: continued, cut: findCut(continued, screen), hidden, words };
}

export function drawTable({ columns }: TableLayout, screen: Screen, tones: Tones = {}): string[] {
  if (columns.length === 0) return [];
  const { bold, faint } = screen.paint;
  const rule = "─".repeat(columns.reduce((sum, { width }) => sum + gap + width, -gap));
  const rows = columns[0]?.cells.map((_, index) =>
    toRow(columns.map((column) => drawCell(column, index, screen, tones[column.field]))),
  );
  return [...drawHeading(columns).map(bold), faint(rule), ...(rows ?? [])];
}

/** A wide heading takes several lines. */
function drawHeading(columns: readonly TableColumn[]): string[] {
  const headings = columns.map(({ heading, width }) => packLines(toHeadingParts(heading), "", width));
  const height = Math.max(...headings.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    toRow(
      columns.map(({ align, width }, index) =>
        padText(headings[index]?.at(line - height) ?? "", width, align),
      ),
    ),
  );
}

const toRow = (cells: readonly string[]) => cells.join(" ".repeat(gap)).trimEnd();

/** `id` and `name` first, then the order of the response. */
export function fieldsWithValue(
  records: readonly JsonRecord[],
  accept: (value: JsonValue) => boolean,
): string[] {
  const fields = new Set(["id", "name", ...records.flatMap((record) => Object.keys(record))]);
  return [...fields].filter((field) =>
    records.some((record) => {
      const value = record[field] ?? null;
      return value !== null && accept(value);
    }),
  );
}

function toColumn(
  field: string,
  records: readonly JsonRecord[],
  screen: Screen,
  { headings = {}, names = [], neverCut = [], toTime }: TableWords,
): TableColumn {
  const values = records.map((record) => valueAt(record, field));
  const cells = records.map((record, index) => {
    const value = values[index] ?? null;
    const isTime = toTime !== undefined && typeof value === "string" && isTimestamp(value);
    return toCell(isTime ? toTime(value, field, record) : value, screen);
  });
  const heading = toVisible(headings[field] ?? field);
  const texts = cells.map(({ text }) => text);
  const content = widestOf(texts);
  const contentFloor =
    values.some(isText) && !neverCut.includes(field)
      ? Math.min(content, names.includes(field) ? nameFloor : textFloor)
      : content;
  const floor = Math.max(widestOf(toHeadingParts(heading)), contentFloor);
  const align = holdsNumbers(values) ? "right" : "left";
  const natural = Math.max(widthOf(heading), screen.isTerminal ? content : Math.min(content, pipedTextMax));
  return { field, heading, align, cells, natural, floor, width: floor };
}

function toCell(value: JsonValue, { isTerminal }: Screen): TableCell {
  const text = toCellText(value, isTerminal ? "minute" : "exact");
  return { text, isFaint: value === null || value === false };
}

function toHeadingParts(heading: string): string[] {
  return heading.split(/(?<=[_. ])/);
}

function holdsNumbers(values: readonly JsonValue[]): boolean {
  const present = values.filter((value) => value !== null);
  return present.length > 0 && present.every((value) => typeof value === "number");
}

function isText(value: JsonValue): boolean {
  return isNested(value) || (typeof value === "string" && !isTimestamp(value));
}

function countFitting(columns: readonly TableColumn[], available: number): number {
  let used = -gap;
  let count = 0;
  for (const { floor } of columns) {
    used += gap + floor;
    if (used > available) break;
    count++;
  }
  return Math.max(1, count);
}

// Widens the narrowest cut column first, so that long texts get equal widths.
function widenColumns(columns: readonly TableColumn[], available: number): void {
  let spare = available - columns.reduce((sum, column) => sum + column.width + gap, -gap);
  while (spare > 0) {
    const cut = columns.filter((column) => column.width < column.natural);
    const narrowest = cut.toSorted((a, b) => a.width - b.width)[0];
    if (!narrowest) return;
    narrowest.width++;
    spare--;
  }
}

function drawCell(
  { align, cells, field, width }: TableColumn,
  index: number,
  { paint }: Screen,
  tones: Tones[string] | undefined,
): string {
  const { isFaint, text } = cells[index] ?? { isFaint: false, text: "" };
  const shown = cutText(text, width);
  const tone = tones && Object.hasOwn(tones, text) ? tones[text] : undefined;
  if (tone) return padText(paint[paintOfTone[tone]](shown), width, align);
  if (isFaint) return padText(paint.faint(shown), width, align);
  return padText(field === "id" ? paint.accent(shown) : shown, width, align);
}

const paintOfTone = { good: "good", bad: "alarm", busy: "busy", off: "faint" } as const;
