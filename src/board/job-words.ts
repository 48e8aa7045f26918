import { showTimeOfDay, showWindow, type TimeView } from "../local-time/show-time.ts";
import { isWholeDay } from "../local-time/whole-day.ts";
import type { LocalDate } from "../local-time/zone.ts";
import type { JobState } from "../models/job-state.ts";
import { showPhone } from "../models/show-phone.ts";
import type { BoardAddress, BoardJob } from "./board.ts";

/** The customer's name, or its id if the user does not see the name. May contain invisible characters. */
export function toCustomerText({ customer }: Pick<BoardJob, "customer">): string {
  return customer.name ?? `customer ${customer.id}`;
}

/** Empty if the user does not see the address. */
export function toAddressLine(address: BoardAddress | null): string {
  return address ? `${address.line_1}, ${address.locality}` : "";
}

export interface LocalDay {
  date: LocalDate;
  view: TimeView;
}

/** `7:30–9:00`, `from 7:30`, `until 9:00`, a time of day, or nothing. */
export function toLocalWindow(
  { desired_end_time: end, desired_start_time: start, schedule_date }: BoardJob,
  { date, view }: LocalDay,
): string {
  if (start || end) return showWindow({ start, end }, date, view);
  return schedule_date && !isWholeDay(schedule_date)
    ? showTimeOfDay(view.zone.toLocal(schedule_date), view.zone)
    : "";
}

/** In the order of the legend. The signs distinguish the states without colors. */
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

export const lateSign = "!";

/** `Walter Butler (202) 555-0187`; empty without a contact. */
export function toContactText({ contact }: Pick<BoardJob, "contact">): string {
  return [contact?.name, contact?.number && showPhone(contact.number)].filter(Boolean).join(" ");
}

export function toWords(text: string): string[] {
  return toPlain(text).split(/\s+/).filter(Boolean);
}

/** Without marks and case, as `find` compares: Ñandú becomes nandu. */
export const toPlain = (text: string) =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[æđðłøœßþ]/g, (letter) => plainLetters[letter] ?? letter);

const plainLetters: Readonly<Record<string, string>> = {
  æ: "ae",
  đ: "d",
  ð: "d",
  ł: "l",
  ø: "o",
  œ: "oe",
  ß: "ss",
  þ: "th",
};

/** `further` adds texts to the job's. */
export function hasWords(
  words: readonly string[],
  job: BoardJob,
  further: () => readonly unknown[],
): boolean {
  if (words.length === 0) return true;
  const { address, id, is_late, reference_number, state, type_name } = job;
  const names = [toCustomerText(job), toAddressLine(address), address?.postcode, reference_number];
  names.push(toContactText(job), job.contact?.number);
  const shown = [id, state, is_late ? "late" : "", type_name, ...names, ...further()];
  return hasAllWords(words, shown.join(" "));
}

export function hasAllWords(words: readonly string[], text: string): boolean {
  const plain = toPlain(text);
  return words.every((word) => plain.includes(word));
}
