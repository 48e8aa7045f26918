import type { Context } from "../../core/context.ts";
import { failure } from "../../errors/errors.ts";
import { dayOf, fromWholeDay } from "../../local-time/whole-day.ts";
import { addDays, type LocalDate, Zone } from "../../local-time/zone.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { Job } from "../../store/queries/job-record.ts";
import { requireLocation } from "../records.ts";

type Ordered = Pick<Job, "id" | "priority" | "schedule_date">;

/** `wanted` is in order except for the moved job. Other priorities change only if they leave no room. */
export function toPriorities(
  wanted: readonly Ordered[],
  movedId: number,
): { id: number; priority: number | null }[] {
  const moved = wanted.find(({ id }) => id === movedId);
  const peers = wanted.filter(({ schedule_date }) => schedule_date === moved?.schedule_date);
  const at = peers.findIndex(({ id }) => id === movedId);
  const [before, after] = [peers[at - 1], peers[at + 1]];
  const isThere = (job: Ordered) => (!before || isBefore(before, job)) && (!after || isBefore(job, after));
  if (moved && isThere(moved)) return [];
  const priority = toBetween(before, after);
  if (moved && isThere({ ...moved, priority })) return [{ id: movedId, priority }];
  return renumber(peers);
}

/** Leaves room between the priorities. */
export function renumber(wanted: readonly Ordered[]): { id: number; priority: number | null }[] {
  return wanted
    .map(({ id, priority: old }, index) => ({ id, old, priority: -step * (index + 1) }))
    .filter(({ old, priority: made }) => old !== made);
}

/** Throws state_conflict for neighbors whose dates contradict the order; `isAsked` selects neighbors. */
export function refuseMisplaced(
  wanted: readonly Ordered[],
  isAsked: (earlier: Ordered, later: Ordered) => boolean,
  model: string,
): void {
  for (const [index, earlier] of wanted.entries()) {
    const later = wanted[index + 1];
    if (!later || !isAsked(earlier, later) || dateKeyOf(earlier) <= dateKeyOf(later)) continue;
    throw failure(
      "state_conflict",
      `Job ${later.id} is scheduled earlier than job ${earlier.id}, and times come before the order. Reschedule one of them, or schedule both for the whole day.`,
      model,
    );
  }
}

/** The room between priorities. */
const step = 10;

/** From −1, the most urgent, to this. A job without a priority comes last. */
const leastPriority = -999_999;

function toBetween(before: Ordered | undefined, after: Ordered | undefined): number {
  const above = before ? (before.priority ?? leastPriority) : 0;
  const below = after?.priority ?? leastPriority;
  return Math.min(-1, Math.max(above - step, Math.ceil((above + below) / 2)));
}

function isBefore(one: Ordered, other: Ordered): boolean {
  return urgencyOf(one) < urgencyOf(other) || (urgencyOf(one) === urgencyOf(other) && one.id < other.id);
}

const urgencyOf = ({ priority }: Ordered) => (priority === null ? Number.POSITIVE_INFINITY : -priority);

/** Jobs without a date come last. */
const dateKeyOf = ({ schedule_date }: Ordered) => schedule_date ?? "~";

/** In order: open jobs, or all that are not deleted. Days are local; jobs without a date are a day of their own. */
export async function readTruckDay(
  context: Context,
  { location_id, schedule_date, truck_id }: Job & { truck_id: number },
  { isOpen }: { isOpen: boolean },
): Promise<Job[]> {
  const { jobs, tenant } = context.store;
  const which = { isOpen, limit: jobsMax };
  if (schedule_date === null) return jobs.ofTruckAt(truck_id, null, which);
  const location = await requireLocation(context, location_id);
  const zone = new Zone(location.time_zone ?? (await tenant.get()).time_zone);
  const day = dayOf(schedule_date, zone);
  const found = await jobs.ofTruckAt(truck_id, toSpan(day), which);
  return found.filter((job) => job.schedule_date !== null && dayOf(job.schedule_date, zone) === day);
}

/** More jobs than a truck can do in a day. */
const jobsMax = 1000;

/** Covers the day in every zone, and jobs planned for the whole day. */
function toSpan(day: LocalDate): { from: Timestamp; to: string } {
  // After every moment of the next day, which may be the last one of the calendar.
  return { from: fromWholeDay(addDays(day, -1)), to: `${addDays(day, 1)}T24` };
}
