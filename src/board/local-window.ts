import { showTimeOfDay, showWindow, type TimeView } from "../local-time/show-time.ts";
import { isWholeDay } from "../local-time/whole-day.ts";
import type { LocalDate } from "../local-time/zone.ts";
import type { BoardJob } from "./board.ts";

/** The day of a board and where it is that day. */
export interface LocalDay {
  date: LocalDate;
  view: TimeView;
}

/** When a job is to be done on its day: `7:30–9:00`, `from 7:30`, `until 9:00`, a moment, or nothing. */
export function toLocalWindow(
  { desired_end_time: end, desired_start_time: start, schedule_date }: BoardJob,
  { date, view }: LocalDay,
): string {
  if (start || end) return showWindow({ start, end }, date, view);
  return schedule_date && !isWholeDay(schedule_date) ? showTimeOfDay(view.zone.toLocal(schedule_date)) : "";
}
