import type { JSX } from "preact";
import type { BoardJob } from "../../../board/board.ts";
import { moveJob } from "../act/move-job.ts";
import { useBoard } from "../board-context.ts";
import { Window } from "./window.tsx";

/** Asks which truck is to do a job. `onMove` hears of it when that is under way. */
export function AskTruck({
  job,
  onClose,
  onMove,
}: {
  job: BoardJob;
  onClose: () => void;
  onMove?: ((moving: Promise<boolean>) => void) | undefined;
}): JSX.Element {
  const parts = useBoard();
  const trucks = parts.state.fleetOf(job.location_id)?.trucks ?? [];
  const choose = (truckId: number | null) => {
    onClose();
    const moving = moveJob(parts, job, { truckId });
    onMove?.(moving);
  };
  return (
    <Window title={`Which truck does job ${job.id}?`} onClose={onClose}>
      <ul class="choices">
        {trucks.map(({ id, name, out_of_service }) => (
          <li key={id}>
            <button type="button" aria-pressed={id === job.truck_id} onClick={() => choose(id)}>
              {name}
              {out_of_service && <span class="alarm"> out of service</span>}
            </button>
          </li>
        ))}
        <li>
          <button type="button" aria-pressed={job.truck_id === null} onClick={() => choose(null)}>
            No truck
          </button>
        </li>
      </ul>
    </Window>
  );
}
