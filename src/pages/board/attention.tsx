import type { JSX } from "preact";
import { type BoardJob, jobsAt } from "../../board/board.ts";
import { useBoard } from "./board-context.ts";
import { seesFleet } from "./state/read-day.ts";
import { type Attention, attentions } from "./state/view.ts";

export function NeedsAttention(): JSX.Element | null {
  const { session, state, view } = useBoard();
  const { attention: chosen, truckId } = view.value;
  const jobs = (state.board.value?.locations ?? [])
    .flatMap(jobsAt)
    .filter(({ truck_id }) => truckId === null || truck_id === null || truck_id === truckId);
  const counts = attentions
    .map((attention) => ({ attention, count: jobs.filter((job) => needs(job, attention)).length }))
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

export const needs = (job: BoardJob, attention: Attention): boolean =>
  attention === "late" ? job.is_late : job.state === attention;
