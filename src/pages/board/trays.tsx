import type { JSX } from "preact";
import type { BoardJob } from "../../board/board.ts";
import { useBoard } from "./board-context.ts";
import { CardList } from "./card-list.tsx";
import { toShownCount, useShownJobs } from "./lanes.tsx";
import { seesFleet } from "./state/read-day.ts";

/** What waits for a truck, for a day, or for anybody at all. */
export function Trays(): JSX.Element {
  const { session, state } = useBoard();
  const { overdue, unassigned, unscheduled } = state.trays.value;
  return (
    <aside class="trays" aria-label="Waiting">
      {seesFleet(session) && <Tray name="Unassigned" jobs={unassigned} drop="unassigned" />}
      <Tray name="Overdue from earlier days" jobs={overdue} hasDay />
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
  const { state } = useBoard();
  const shown = useShownJobs(jobs, "");
  const isRead = state.isRead.value;
  // On a phone the day itself is what people come for.
  const hasRoom = matchMedia("(min-width: 761px)").matches;
  return (
    <details
      class="tray"
      open={hasRoom && jobs.length > 0}
      data-drop={drop}
      aria-label={name}
      aria-busy={!isRead}
    >
      <summary>
        {name} <span class="count">{isRead ? toShownCount(shown, jobs) : "…"}</span>
      </summary>
      <CardList jobs={shown} label={name} hasDay={hasDay} />
    </details>
  );
}
