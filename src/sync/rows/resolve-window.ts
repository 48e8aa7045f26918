import type { ErrorCode } from "../../errors/errors.ts";
import { toFieldValue } from "../../local-time/field-time.ts";
import { readTime } from "../../local-time/read-time.ts";
import { dayOf } from "../../local-time/whole-day.ts";
import type { CellReading } from "./read-cell.ts";
import type { Draft } from "./to-draft.ts";

/** Reports why a field of a row cannot be filled. */
export type Fail = (field: string, detail: string, code?: ErrorCode) => void;

/** A window such as `8-10am`, and times without a day, belong to the planned day of the job. */
export function resolveWindow(
  { named }: Draft,
  record: Record<string, unknown>,
  cells: CellReading,
  fail: Fail,
): void {
  const [from, to] = named.time_window ? splitWindow(named.time_window) : [undefined, undefined];
  const said = {
    desired_start_time: named.desired_start_time ?? from,
    desired_end_time: named.desired_end_time ?? to,
  };
  for (const [field, text] of Object.entries(said)) {
    if (text === undefined || record[field] !== undefined) continue;
    const planned = record.schedule_date;
    if (typeof planned !== "string")
      fail(field, `"${text}" is a time, but the row has no date.`, "missing_value");
    else {
      const understood = readTime(`${dayOf(planned, cells.zone)} ${text}`, cells);
      if ("refusal" in understood)
        fail(field, `"${text}" is not a time of day; write 8:00, 8am or 8-10am.`, "invalid_date");
      else record[field] = toFieldValue(understood.time, field, cells.zone);
    }
  }
}

/** `8-10am` is from 8am, `11-1pm` from 11am; a single time is the earliest. */
function splitWindow(text: string): [string | undefined, string | undefined] {
  const [from = "", to] = text
    .toLowerCase()
    .split(/\s*(?:-|–|—|\bto\b|\buntil\b)\s*/)
    .map((part) => part.trim());
  if (to === undefined || to === "") return [toClock(from), undefined];
  const half = /([ap])\.?m?\.?$/.exec(to)?.[1];
  if (half === undefined || /[ap]/.test(from)) return [toClock(from), toClock(to)];
  const isOverNoon = half === "p" && hourOf(from) > hourOf(to) && hourOf(from) !== 12;
  return [`${from}${isOverNoon ? "am" : `${half}m`}`, toClock(to)];
}

const hourOf = (text: string) => Number.parseInt(text, 10) % 12;

/** A plain number is an hour. */
const toClock = (text: string) => (/^\d{1,2}$/.test(text) ? `${text}:00` : text);
