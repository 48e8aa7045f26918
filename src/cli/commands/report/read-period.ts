import { usageFailure } from "../../../errors/errors.ts";
import { toMonth as readMonthName } from "../../../local-time/read-date.ts";
import { addDays, type LocalDate, type Zone } from "../../../local-time/zone.ts";
import type { Timestamp } from "../../../runtime/clock.ts";

/** Local days, inclusive; null is open. */
export interface Period {
  from: LocalDate | null;
  to: LocalDate | null;
}

/** A name alone is the last month of that name that has begun. */
export function readMonth(text: string, today: LocalDate): { from: LocalDate; to: LocalDate } {
  const thisMonth = `${today.slice(0, 7)}-01`;
  const word = text.trim().toLowerCase();
  if (word === "this") return toMonth(thisMonth);
  if (word === "last") return toMonth(`${addDays(thisMonth, -1).slice(0, 7)}-01`);
  const [, name = "", namedYear] = /^([a-z]+)\.?(?:\s+(\d{4}))?$/.exec(word) ?? [];
  const named = readMonthName(name);
  if (named !== null) {
    const ofThisYear = toFirst(today.slice(0, 4), named);
    const isAhead = namedYear === undefined && ofThisYear > today;
    return toMonth(toFirst(namedYear ?? String(Number(today.slice(0, 4)) - Number(isAhead)), named));
  }
  const [, year, month = ""] = /^(\d{4})[-/](\d{1,2})$/.exec(word) ?? [];
  if (year === undefined || Number(month) < 1 || Number(month) > 12 || Number(year) < 1)
    throw usageFailure(
      `--month "${text}" is not a month.`,
      "Write it like 2026-11 or november, or write this or last.",
    );
  return toMonth(toFirst(year, Number(month)));
}

const toFirst = (year: string, month: number): LocalDate => `${year}-${String(month).padStart(2, "0")}-01`;

/** 31 days after the first day of a month are in the next month. */
function toMonth(first: LocalDate): { from: LocalDate; to: LocalDate } {
  const next = `${addDays(first, 31).slice(0, 7)}-01`;
  return { from: first, to: addDays(next, -1) };
}

export function toBounds({ from, to }: Period, zones: readonly Zone[]) {
  const startsOf = (date: LocalDate): Timestamp[] => zones.map((zone) => zone.startOf(date)).toSorted();
  const first = from === null ? undefined : startsOf(from)[0];
  const end = to === null ? undefined : startsOf(addDays(to, 1)).at(-1);
  return { ...(first && { completed_gte: first }), ...(end && { completed_lt: end }) };
}
