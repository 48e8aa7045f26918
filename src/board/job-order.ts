import type { DayJob } from "./to-board.ts";

type Placed = Pick<DayJob, "id" | "priority" | "schedule_date">;

/** The order in which jobs are to be done, as lists of jobs have it: those without a date or a priority come last. */
export function compareJobs(one: Placed, other: Placed): number {
  return (
    compareTexts(one.schedule_date ?? last, other.schedule_date ?? last) ||
    toUrgency(one) - toUrgency(other) ||
    one.id - other.id
  );
}

/** Behind every timestamp. */
const last = "unscheduled";

const compareTexts = (one: string, other: string) => (one < other ? -1 : Number(one > other));

/** Priorities go down to -999,999. */
const toUrgency = ({ priority }: Placed) => (priority === null ? 1_000_000 : -priority);
