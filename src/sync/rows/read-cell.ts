import { failure } from "../../errors/errors.ts";
import type { DateOrder } from "../../local-time/date-order.ts";
import { toFieldValue } from "../../local-time/field-time.ts";
import { readTime } from "../../local-time/read-time.ts";
import type { Zone } from "../../local-time/zone.ts";
import { fieldKinds } from "../../models/fields.ts";
import { unwrap } from "../../models/parse.ts";
import { isWrittenTimestamp } from "../../models/timestamps.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import { cleanText } from "./clean-text.ts";
import type { RowField } from "./row-kind.ts";

/** The settings for reading cells as the users of a location write them. */
export interface CellReading {
  zone: Zone;
  now: Timestamp;
  order: DateOrder;
  /** The file has ids, so it is an export, whose texts are kept exactly. */
  isExport: boolean;
  /** The types of jobs by the words of users, in lower case. */
  typeWords: ReadonlyMap<string, string>;
  tally: RowTally;
}

/**
 * Reads a cell of text: typed times, types of jobs in words, yes and no. It also cleans the text by rules, which it
 * counts. Returns text for the parser of the field. Throws a usage error for a damaged value.
 */
export function readCell(field: RowField, cell: string, line: number, reading: CellReading): string {
  const { isExport, tally } = reading;
  const kind = fieldKinds.get(unwrap(field.schema))?.name;
  if (kind === "timestamp") return readMoment(field.inner, cell.trim(), line, reading);
  if (kind === "boolean") return yesNo.get(cell.trim().toLowerCase()) ?? cell;
  if (kind === "integer") return readInteger(cell, line, tally);
  if (field.name === "type" && kind === "choice")
    return reading.typeWords.get(cell.trim().toLowerCase()) ?? cell;
  return isExport
    ? cell
    : cleanText(field, cell, (rule, after) => tally.note(rule, line, () => `${cell} → ${after}`));
}

const yesNo: ReadonlyMap<string, string> = new Map([
  ...["yes", "y", "x", "✓", "t"].map((word) => [word, "true"] as const),
  ...["no", "n", "f", "-"].map((word) => [word, "false"] as const),
]);

/** `1,200` and `3.0` are whole numbers. */
function readInteger(cell: string, line: number, tally: RowTally): string {
  const text = cell.trim();
  const plain = /^-?\d{1,3}(?:,\d{3})+$/.test(text)
    ? text.replaceAll(",", "")
    : text.replace(/^(-?\d+)\.0+$/, "$1");
  if (plain !== text) tally.note("numbers without separators", line, () => `${text} → ${plain}`);
  return plain;
}

/** A day that a workbook stores as a number: days since the end of 1899. */
const serialDay = /^[1-9]\d{4}(?:\.0+)?$/;

function readMoment(
  field: string,
  cell: string,
  line: number,
  { now, order, tally, zone }: CellReading,
): string {
  // Exported values import as equal, whole days included.
  if (isWrittenTimestamp(cell)) return cell;
  const text = serialDay.test(cell) ? toIsoDay(Number(cell)) : cell;
  if (text !== cell) tally.note("numbers of days read as dates", line, () => `${cell} → ${text}`);
  // In `Mon 12/1/2026` the weekday is redundant.
  const understood = readTime(
    text.replace(/^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s+(?=\d|[a-z])/i, ""),
    {
      now,
      order,
      zone,
    },
  );
  if ("refusal" in understood)
    throw failure("invalid_date", `${field} "${cell}" ${understood.refusal}.`, field);
  const { note } = understood;
  if (note !== null) tally.note(`dates read as ${orderWords[order]}`, line, () => note);
  return toFieldValue(understood.time, field, zone);
}

const orderWords: Record<DateOrder, string> = {
  mdy: "month/day/year",
  dmy: "day/month/year",
  ymd: "year/month/day",
};

const toIsoDay = (serial: number) => new Date(Date.UTC(1899, 11, 30 + serial)).toISOString().slice(0, 10);

/** The number of rows of the file to which a rule was applied. */
interface Applied {
  rule: string;
  rows: number;
  /** The first value that the rule changed, and the result. */
  example: string;
  /** The first lines. */
  lines: readonly number[];
}

/** Counts the corrections of the values in rows. A row that is read twice counts once. */
export interface RowTally {
  note(rule: string, line: number, example: () => string): void;
  all(): Applied[];
}

export function createTally(): RowTally {
  const rules = new Map<string, { example: string; lines: Set<number> }>();
  return {
    note(rule, line, example) {
      const known = rules.get(rule);
      if (known) known.lines.add(line);
      else rules.set(rule, { example: example(), lines: new Set([line]) });
    },
    all: () =>
      [...rules].map(([rule, { example, lines }]) => ({
        rule,
        rows: lines.size,
        example,
        lines: [...lines].slice(0, 5),
      })),
  };
}
