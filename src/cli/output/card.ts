import { isRecord, type JsonRecord, type JsonValue } from "./answer.ts";
import { valueAt } from "./fields.ts";
import { indentScreen, padText, type Screen, wrapText } from "./screen.ts";
import { drawTable, fieldsWithValue, isWhole, layoutTable } from "./table.ts";
import { toCellText, toVisible } from "./text.ts";

/** Which fields of a record a card shows: those that were picked or, when null, all that have a value. */
export interface CardFields {
  picked: readonly string[] | null;
  /** Shown first when none are picked. */
  leading: readonly string[];
}

interface Entry {
  label: string;
  value: JsonValue;
  isFaint: boolean;
}

const gap = 2;
const indent = 2;
/** The fewest columns of a value, however narrow the screen is. */
const valueColumnsMin = 20;
/** From this many on, flags that are off share one line. */
const flagsTogetherMin = 3;

/**
 * Draws one record: a line for each field, then the records within it, indented. Unless fields are picked, those
 * without a value are left out; `countEmpty` tells how many.
 */
export async function drawCard(record: JsonRecord, fields: CardFields, screen: Screen): Promise<string[]> {
  const entries = fields.picked
    ? fields.picked.map((field) => toEntry(field, valueAt(record, field)))
    : bringForward(toEntries(record), fields.leading);
  return [...drawFields(entries, screen), ...(await drawBlocks(entries, screen))];
}

/** How many fields of a record, and of the records within it, have no value. */
export function countEmpty(value: JsonValue): number {
  if (isEmpty(value)) return 1;
  if (!isBlock(value)) return 0;
  return Object.values(value).reduce((sum: number, entry) => sum + countEmpty(entry), 0);
}

/** The fields with a value, with the flags that are off gathered at the end. */
function toEntries(record: JsonRecord): Entry[] {
  const entries = Object.entries(record).map(([field, value]) => toEntry(field, value));
  const filled = entries.filter(({ value }) => !isEmpty(value));
  const off = filled.filter(({ value }) => value === false);
  if (off.length < flagsTogetherMin) return filled;
  const names = off.map(({ label }) => label).join(", ");
  return [...filled.filter(({ value }) => value !== false), { label: "no", value: names, isFaint: true }];
}

function toEntry(field: string, value: JsonValue): Entry {
  return { label: toVisible(field), value, isFaint: isEmpty(value) };
}

function isEmpty(value: JsonValue): boolean {
  return value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

/** Whether a value is drawn below the fields: a record or a list of records. */
function isBlock(value: JsonValue): value is JsonRecord | JsonRecord[] {
  return isRecord(value) || (Array.isArray(value) && value.length > 0 && value.every(isRecord));
}

function bringForward(entries: Entry[], leading: readonly string[]): Entry[] {
  const first = ["id", "name", ...leading];
  const rank = ({ label }: Entry) => (first.includes(label) ? first.indexOf(label) : first.length);
  return entries.toSorted((a, b) => rank(a) - rank(b));
}

function drawFields(entries: Entry[], screen: Screen): string[] {
  const fields = entries.filter(({ value }) => !isBlock(value));
  const labelColumns = Math.max(0, ...fields.map(({ label }) => screen.widthOf(label)));
  return fields.flatMap((field) => drawField(field, labelColumns, screen));
}

function drawField({ label, value, isFaint }: Entry, labelColumns: number, screen: Screen): string[] {
  const { faint } = screen.paint;
  const columns = Math.max(valueColumnsMin, screen.columns - labelColumns - gap);
  const lines = toTextLines(value, screen).flatMap((line) => wrapText(line, columns, screen));
  return lines.map((line, index) => {
    const head = padText(index === 0 ? faint(label) : "", labelColumns + gap, "left", screen);
    return `${head}${isFaint ? faint(line) : line}`.trimEnd();
  });
}

function toTextLines(value: JsonValue, screen: Screen): string[] {
  const lines = typeof value === "string" ? value.split(/\r?\n/) : [value];
  return lines.map((line) => toText(line, screen));
}

function toText(value: JsonValue, screen: Screen): string {
  return toCellText(value, screen.isTerminal ? "second" : "exact");
}

async function drawBlocks(entries: Entry[], screen: Screen): Promise<string[]> {
  const inner = indentScreen(screen, indent);
  const lines: string[] = [];
  for (const { label, value } of entries) {
    if (!isBlock(value)) continue;
    const body = Array.isArray(value) ? await drawRecords(value, inner) : await drawSummary(value, inner);
    lines.push(screen.paint.bold(label), ...indentLines(body));
  }
  return lines;
}

async function drawRecords(records: JsonRecord[], screen: Screen): Promise<string[]> {
  const fields = fieldsWithValue(records, () => true);
  const table = layoutTable(records, fields, screen);
  if (isWhole(table)) return drawTable(table, screen);
  const inner = indentScreen(screen, indent);
  const summaries = await Promise.all(records.map((record) => drawSummary(record, inner)));
  return summaries.flatMap(([first = "", ...rest]) => [`• ${first}`, ...indentLines(rest)]);
}

/** A record within another: its fields in running text, then what it contains. */
async function drawSummary(record: JsonRecord, screen: Screen): Promise<string[]> {
  const entries = bringForward(toEntries(record), []);
  return [...flowFields(entries, screen), ...(await drawBlocks(entries, screen))];
}

/** Fields one after the other; one that is longer than a line has lines of its own. */
function flowFields(entries: Entry[], screen: Screen): string[] {
  const lines: string[] = [];
  let isLineOpen = false;
  for (const entry of entries.filter(({ value }) => !isBlock(value))) {
    const [first = "", ...rest] = drawPair(entry, screen);
    const joined = lines.at(-1) + screen.paint.faint(" · ") + first;
    const fits = isLineOpen && rest.length === 0 && screen.widthOf(joined) <= screen.columns;
    if (fits) lines[lines.length - 1] = joined;
    else lines.push(first, ...indentLines(rest));
    isLineOpen = rest.length === 0;
  }
  return lines;
}

function drawPair({ label, value, isFaint }: Entry, screen: Screen): string[] {
  const { faint } = screen.paint;
  const name = `${label}:`;
  const lines = wrapText(`${name} ${toText(value, screen)}`, screen.columns - indent, screen);
  if (isFaint) return lines.map(faint);
  return lines.map((line) => (line.startsWith(name) ? faint(name) + line.slice(name.length) : line));
}

function indentLines(lines: string[]): string[] {
  return lines.map((line) => " ".repeat(indent) + line);
}
