import { showTimeOfDay, showWindow, type TimeView } from "../local-time/show-time.ts";
import { isWholeDay } from "../local-time/whole-day.ts";
import type { LocalDate } from "../local-time/zone.ts";
import type { JobState } from "../models/job-state.ts";
import type { BoardAddress, BoardJob } from "./board.ts";

/** The customer's name, or its id where the name cannot be seen. It may hold characters that nobody sees. */
export function toCustomerText({ customer }: Pick<BoardJob, "customer">): string {
  return customer.name ?? `customer ${customer.id}`;
}

/** An address as a driver knows it: street and town; empty where it cannot be seen. */
export function toAddressLine(address: BoardAddress | null): string {
  return address ? `${address.line_1}, ${address.locality}` : "";
}

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

/** A sign for each state, so that no colour is needed to tell them apart; in the order of the legend. */
export const stateSigns: Readonly<Record<JobState, string>> = {
  unassigned: "○",
  dispatched: "→",
  acknowledged: "●",
  "in progress": "▶",
  completed: "✓",
  failed: "✗",
  declined: "⊘",
  deleted: "×",
};

/** Stands before what is not done though its time is over. */
export const lateSign = "!";

/** The words that somebody filters a board by. */
export function toWords(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

/** Whether a job has all the words in what a board says of it, or in what `further` says: its truck, whom to call. */
export function hasWords(
  words: readonly string[],
  job: BoardJob,
  further: () => readonly unknown[],
): boolean {
  if (words.length === 0) return true;
  const { address, id, is_late, reference_number, state, type_name } = job;
  const names = [toCustomerText(job), toAddressLine(address), address?.postcode, reference_number];
  const said = [id, state, is_late ? "late" : "", type_name, ...names, ...further()].join(" ").toLowerCase();
  return words.every((word) => said.includes(word));
}
