import type { Random } from "./random.ts";

/** A day with work. */
export interface PlannedDay {
  /** Its midnight, in milliseconds since 1970. */
  dayMs: number;
  /** 0 is today, negative lies behind. */
  daysAhead: number;
  jobs: number;
}

export const dayInMs = 86_400_000;
export const hourInMs = 3_600_000;
export const minuteInMs = 60_000;

/** What 18 trucks get done on a full day. */
const jobsOfFullDay = 100;

/** Workdays of history at most, some four years; beyond them days get fuller instead. */
const workdaysMax = 1250;

/**
 * Spreads jobs over days around today, first to last: a full today, days ahead that fill less and less, and as many full
 * workdays behind as are needed for the rest. Today has work even on a Sunday.
 */
export function planDays(todayMs: number, jobs: number, random: Random): PlannedDay[] {
  const fullDay = Math.max(jobsOfFullDay, Math.ceil(jobs / workdaysMax));
  const today = Math.min(fullDay, Math.ceil(jobs / 4));
  const ahead = Math.min(Math.round(jobs / 5), 15 * fullDay, jobs - today);
  const behind = jobs - today - ahead;
  return [
    ...spread(todayMs, -1, behind, (dayMs) => toUsualJobs(dayMs, fullDay, random)).reverse(),
    ...(today > 0 ? [{ dayMs: todayMs, daysAhead: 0, jobs: today }] : []),
    ...spread(todayMs, 1, ahead, (dayMs, left) =>
      isSunday(dayMs) ? 0 : Math.min(fullDay, Math.ceil(left / 5)),
    ),
  ];
}

/** Walks away from today, day by day, until no job is left. */
function spread(
  todayMs: number,
  direction: 1 | -1,
  jobs: number,
  jobsOn: (dayMs: number, left: number) => number,
): PlannedDay[] {
  const days: PlannedDay[] = [];
  let left = jobs;
  for (let daysAhead = direction; left > 0; daysAhead += direction) {
    const dayMs = todayMs + daysAhead * dayInMs;
    const count = Math.min(left, jobsOn(dayMs, left));
    if (count > 0) days.push({ dayMs, daysAhead, jobs: count });
    left -= count;
  }
  return days;
}

function toUsualJobs(dayMs: number, fullDay: number, random: Random): number {
  if (isSunday(dayMs)) return 0;
  const share = new Date(dayMs).getUTCDay() === 6 ? 0.3 : 1;
  return Math.round((fullDay * share * random.between(85, 115)) / 100);
}

function isSunday(dayMs: number): boolean {
  return new Date(dayMs).getUTCDay() === 0;
}
