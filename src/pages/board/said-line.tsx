import type { JSX } from "preact";
import { sayDayOrMoment, showTimeOfDay } from "../../local-time/show-time.ts";
import { useBoard } from "./board-context.ts";
import type { DayState } from "./state/day-state.ts";
import type { Change } from "./state/follow-day.ts";

/** What came of the last thing that was done here, and what somebody else has just done. */
export function SaidLine(): JSX.Element {
  const { doing, following, state } = useBoard();
  const { isDone, isRefusal, text } = doing.said.value;
  const [change] = following.changes.value;
  const name = change && state.jobs.value.get(change.jobId)?.customer?.name;
  const failure = state.failure.value;
  return (
    <div class="said">
      <p role="alert">{failure !== null ? `The day could not be read: ${failure}` : isRefusal ? text : ""}</p>
      <p role="status">{isRefusal ? "" : text}</p>
      {isDone && (
        <button type="button" onClick={() => void doing.undo()}>
          Undo
        </button>
      )}
      <p role="status" class="quiet others">
        {change &&
          `${toTimeText(change, state)} ${change.user} changed job ${change.jobId}${name ? `, ${name}` : ""}`}
      </p>
    </div>
  );
}

/** When it was by the clocks of its location, and on which day where that is not today. */
function toTimeText({ at, locationId }: Change, { fleets, today }: DayState): string {
  const zone = fleets.value?.zones.of(locationId);
  if (!zone) return "";
  const local = zone.toLocal(at);
  return local.date === today.value ? showTimeOfDay(local) : sayDayOrMoment(at, { today: today.value, zone });
}
