import { failure } from "../../errors/errors.ts";
import type { Job } from "../../store/queries/job-record.ts";

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
