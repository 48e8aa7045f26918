import type { JSX } from "preact";
import { type BoardJob, type BoardLocation, jobsAt } from "../../board/board.ts";
import { isReady } from "../../board/truck-words.ts";
import { isAhead } from "../../models/job-state.ts";
import { useBoard } from "./board-context.ts";
import { seesFleet } from "./state/read-day.ts";
import { type Attention, attentions } from "./state/view.ts";

export function NeedsAttention(): JSX.Element | null {
  const { session, state, view } = useBoard();
  const { attention: chosen, truckId } = view.value;
  const locations = state.board.value?.locations ?? [];
  const conflicting = findConflicts(locations);
  const jobs = locations
    .flatMap(jobsAt)
    .filter(({ truck_id }) => truckId === null || truck_id === null || truck_id === truckId);
  const counts = attentions
    .map((attention) => ({
      attention,
      count: jobs.filter((job) => needs(job, attention, conflicting)).length,
    }))
    .filter(({ attention, count }) => count > 0 || attention === chosen);
  if (!seesFleet(session) || !state.isRead.value || counts.length === 0) return null;
  return (
    <fieldset class="attention" aria-label="Needs attention">
      <span class="quiet">Needs attention</span>
      {counts.map(({ attention, count }) => (
        <button
          key={attention}
          type="button"
          aria-pressed={attention === chosen}
          onClick={() => {
            view.value = { ...view.value, attention: attention === chosen ? null : attention };
          }}
        >
          {count} {attention}
        </button>
      ))}
    </fieldset>
  );
}

export function needs(job: BoardJob, attention: Attention, conflicting: ReadonlySet<number>): boolean {
  if (attention === "late") return job.is_late;
  return attention === "conflicting" ? conflicting.has(job.id) : job.state === attention;
}

/** The open jobs on a truck that cannot drive that day, or behind a job that starts after their window. */
export function findConflicts(locations: readonly BoardLocation[]): ReadonlySet<number> {
  const ids = locations.flatMap(({ trucks }) =>
    trucks.flatMap((truck) => {
      const open = truck.jobs.filter(({ state }) => isAhead(state));
      const isBehindLater = ({ desired_end_time: end }: BoardJob, at: number) =>
        end !== null && open.slice(0, at).some((other) => (other.desired_start_time ?? "") > end);
      return open.filter((job, at) => !isReady(truck) || isBehindLater(job, at)).map(({ id }) => id);
    }),
  );
  return new Set(ids);
}
