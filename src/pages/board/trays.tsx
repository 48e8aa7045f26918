import type { JSX } from "preact";
import type { BoardJob } from "../../board/board.ts";
import { useBoard } from "./board-context.ts";
import { CardList } from "./card-list.tsx";
import { toShownCount, useShownJobs } from "./lanes.tsx";

/** What waits for a truck, for a day, or for anybody at all. */
export function Trays(): JSX.Element {
  const { state } = useBoard();
  const { late, unassigned, unscheduled } = state.trays.value;
  return (
    <aside class="trays" aria-label="Waiting">
      <Tray name="Unassigned" jobs={unassigned} drop="unassigned" />
      <Tray name="Late" jobs={late} hasDay />
      <Tray name="Unscheduled" jobs={unscheduled} />
      {state.isMore.value && <p class="quiet">A tray has more than are shown; choose a location.</p>}
    </aside>
  );
}

function Tray({
  drop,
  hasDay = false,
  jobs,
  name,
}: {
  drop?: string;
  hasDay?: boolean;
  jobs: readonly BoardJob[];
  name: string;
}): JSX.Element {
  const shown = useShownJobs(jobs, "");
  // On a phone the day itself is what people come for.
  const hasRoom = matchMedia("(min-width: 761px)").matches;
  return (
    <details class="tray" open={hasRoom && jobs.length > 0} data-drop={drop} aria-label={name}>
      <summary>
        {name} <span class="count">{toShownCount(shown, jobs)}</span>
      </summary>
      <CardList jobs={shown} label={name} hasDay={hasDay} />
    </details>
  );
}
