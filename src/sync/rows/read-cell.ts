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

/** How the users of a location write cells. */
export interface CellReading {
  zone: Zone;
  now: Timestamp;
  order: DateOrder;
  /** A file with ids is an export, whose texts are exact. */
  isExport: boolean;
  /** Users' words for types of jobs, in lower case. */
  typeWords: ReadonlyMap<string, string>;
  tally: RowTally;
}

/** Returns text for the field's parser. Throws a usage error for a damaged value. */
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

/** Accepts `1,200` and `3.0`. */
function readInteger(cell: string, line: number, tally: RowTally): string {
  const text = cell.trim();
  const plain = /^-?\d{1,3}(?:,\d{3})+$/.test(text)
    ? text.replaceAll(",", "")
    : text.replace(/^(-?\d+)\.0+$/, "$1");
  if (plain !== text) tally.note("numbers without separators", line, () => `${text} → ${plain}`);
  return plain;
}

/** A workbook's day: the number of days since the end of 1899. */
const serialDay = /^[1-9]\d{4}(?:\.0+)?$/;

function readMoment(
  field: string,
  cell: string,
  line: number,
  { now, order, tally, zone }: CellReading,
): string {
  // Exported values import unchanged, also whole days.
  if (isWrittenTimestamp(cell)) return cell;
  const text = serialDay.test(cell) ? toIsoDay(Number(cell)) : cell;
  if (text !== cell) tally.note("numbers of days read as dates", line, () => `${cell} → ${text}`);
  // The weekday in `Mon 12/1/2026` is redundant.
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

/** How many rows a rule has changed. */
interface Applied {
  rule: string;
  rows: number;
  example: string;
  lines: readonly number[];
}

/** A row that is read twice counts once. */
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
