import { isTimestamp } from "../../models/timestamps.ts";
import { tellTimeOf } from "../presentation/tell-time.ts";
import type { View } from "../presentation/view.ts";
import { isRecord, type JsonRecord, type JsonValue } from "./answer.ts";
import { valueAt } from "./fields.ts";
import { padText, widestOf, wrapText } from "./fit-text.ts";
import type { Screen } from "./screen.ts";
import { toCellText, toVisible } from "./text.ts";

/** A line for each field, by its API name. null draws all, also of inner records. */
export function drawFields(
  record: JsonRecord,
  fields: readonly string[] | null,
  view: View | null,
  screen: Screen,
): string[] {
  const pairs = fields
    ? fields.map((field): [string, JsonValue] => [field, valueAt(record, field)])
    : toPaths(record, "");
  const lines: Line[] = pairs.map(([path, value]) => ({
    label: path,
    text: toFieldText(path, value, record, view, screen),
    isFaint: value === null || value === false || value === "",
  }));
  const labelColumns = widestOf(lines.map(({ label }) => label));
  return drawLines(lines, labelColumns, screen);
}

/** Dotted paths. Entries of a list count from 1. */
function toPaths(value: JsonValue, path: string): [string, JsonValue][] {
  const join = (name: string) => (path === "" ? name : `${path}.${name}`);
  if (isRecord(value)) return Object.entries(value).flatMap(([name, inner]) => toPaths(inner, join(name)));
  if (Array.isArray(value) && value.some(isRecord))
    return value.flatMap((entry, index) => toPaths(entry, join(String(index + 1))));
  return [[path, value]];
}

function toFieldText(
  path: string,
  value: JsonValue,
  record: JsonRecord,
  view: View | null,
  { isTerminal }: Screen,
): string {
  if (typeof value !== "string") return toCellText(value, "exact");
  if (!isTimestamp(value)) return value === "" ? "–" : value;
  const field = path.slice(path.lastIndexOf(".") + 1);
  if (view) return tellTimeOf(value, field, record, view);
  return toCellText(value, isTerminal ? "second" : "exact");
}

export interface Line {
  label: string;
  text: string;
  isFaint?: boolean;
}

const gap = 2;
const textColumnsMin = 20;

export function drawLines(lines: readonly Line[], labelColumns: number, screen: Screen): string[] {
  return lines.flatMap((line) => drawLine(line, labelColumns, screen));
}

function drawLine({ label, text, isFaint = false }: Line, labelColumns: number, screen: Screen): string[] {
  const { faint } = screen.paint;
  const columns = Math.max(textColumnsMin, screen.columns - labelColumns - gap);
  const lines = text.split(/\r?\n/).flatMap((line) => wrapText(toVisible(line), columns));
  return lines.map((line, index) => {
    const head = padText(index === 0 ? faint(toVisible(label)) : "", labelColumns + gap);
    return `${head}${isFaint ? faint(line) : line}`.trimEnd();
  });
}

export function indentLines(lines: readonly string[], columns: number): string[] {
  return lines.map((line) => " ".repeat(columns) + line);
}
