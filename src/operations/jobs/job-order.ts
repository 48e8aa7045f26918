import type { Context } from "../../core/context.ts";
import { failure } from "../../errors/errors.ts";
import { dayOf, fromWholeDay } from "../../local-time/whole-day.ts";
import { addDays, type LocalDate, Zone } from "../../local-time/zone.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { Job } from "../../store/queries/job-record.ts";
import { requireLocation } from "../records.ts";

/** What decides the order of jobs (OP-51). */
type Ordered = Pick<Job, "id" | "priority" | "schedule_date">;

/**
 * Finds the priorities that put one job where it stands among the others, which are in order. It alone is changed where
 * there is room between its neighbours; else all jobs of its date are numbered anew, with room for the next ones.
 */
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

/** The priorities that put jobs of one date in the order given, with room for others between them. */
export function renumber(wanted: readonly Ordered[]): { id: number; priority: number | null }[] {
  return wanted
    .map(({ id, priority: old }, index) => ({ id, old, priority: -step * (index + 1) }))
    .filter(({ old, priority: made }) => old !== made);
}

/** Throws state_conflict for neighbours whom dates put the other way round, where they are asked about. */
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
      `Job ${later.id} is planned for an earlier date or time than job ${earlier.id}: times go before the order. Schedule one of them anew, both for the day alone for instance.`,
      model,
    );
  }
}

/** What is left between numbers, for jobs that come between. */
const step = 10;

/** Priorities go from −1, the most urgent, to this; a job without one comes last. */
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

/**
 * The jobs of a truck on the day of one of them at its location, in their order (OP-51): those that it still has to do, or
 * all that are not deleted. The days are those of the location (OP-93); what has no date is a day of its own.
 */
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

/** No truck does more in a day. */
const jobsMax = 1000;

/** What holds the day in every zone, and what was planned for the whole of it. */
function toSpan(day: LocalDate): { from: Timestamp; to: string } {
  // Behind every moment of the day after, which may be the calendar's last one.
  return { from: fromWholeDay(addDays(day, -1)), to: `${addDays(day, 1)}T24` };
}
