import type { ErrorCode } from "../../errors/errors.ts";
import { toFieldValue } from "../../local-time/field-time.ts";
import { readTime } from "../../local-time/read-time.ts";
import { readHours } from "../../local-time/read-window.ts";
import { dayOf } from "../../local-time/whole-day.ts";
import type { CellReading } from "./read-cell.ts";
import type { Draft } from "./to-draft.ts";

export type Fail = (field: string, detail: string, code?: ErrorCode) => void;

/** `8-10am` and times without a day belong to the job's planned day. */
export function resolveWindow(
  { named }: Draft,
  record: Record<string, unknown>,
  cells: CellReading,
  fail: Fail,
): void {
  const window = named.time_window
    ? readCellWindow(named.time_window, cells)
    : { from: undefined, to: undefined };
  if ("refusal" in window) {
    fail("desired_start_time", `"${named.time_window}" ${window.refusal}.`, "invalid_date");
    return;
  }
  const { from, to } = window;
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

/** A single time is the earliest, and a plain number an hour. */
function readCellWindow(text: string, { zone }: CellReading) {
  const [from = "", to] = text.trim().split(/\s*(?:-|–|—|\bto\b|\buntil\b)\s*/i);
  const hours = to ? readHours(`${from}-${to}`, zone.clock) : null;
  return hours ?? { from: toClock(from), to: to ? toClock(to) : undefined };
}

const toClock = (text: string) => (/^\d{1,2}$/.test(text) ? `${text}:00` : text);
