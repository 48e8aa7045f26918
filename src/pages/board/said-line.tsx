import type { JSX } from "preact";
import { sayDayOrMoment, showTimeOfDay } from "../../local-time/show-time.ts";
import { useBoard } from "./board-context.ts";
import { isolate } from "./isolate.ts";
import type { DayState } from "./state/day-state.ts";
import type { Change } from "./state/follow-day.ts";

/** The outcome of the last act on this page, failed acts, and the last change of another user. */
export function SaidLine(): JSX.Element {
  const { doing, following, state } = useBoard();
  const { isKept = false, isRefusal, made, text } = doing.said.value;
  const [change] = following.changes.value;
  const name = change && state.jobs.value.get(change.jobId)?.customer?.name;
  const failure = state.failure.value;
  return (
    <div class="said">
      <p role="alert" dir="auto">
        {failure !== null ? `The day could not be read: ${failure}` : isRefusal && !isKept ? text : ""}
      </p>
      <p role="status" dir="auto">
        {isRefusal ? "" : text}
      </p>
      {made && (
        <button type="button" onClick={() => void doing.undo()}>
          Undo
        </button>
      )}
      <p role="status" class="quiet others">
        {change &&
          `${toTimeText(change, state)} ${isolate(change.user)} changed job ${change.jobId}${name ? `, ${isolate(name)}` : ""}`}
      </p>
      <Failed />
    </div>
  );
}

/** Acts without an answer, and refused retries, stay until the dispatcher tries them again or drops them. */
function Failed(): JSX.Element | null {
  const { doing } = useBoard();
  const failed = doing.failed.value;
  if (failed.length === 0) return null;
  return (
    <div role="alert" class="failed">
      {failed.map((act) => (
        <p key={act.id}>
          <bdi>{act.text}</bdi> <span class="quiet">{act.why}</span>{" "}
          <button type="button" onClick={() => doing.settle([act], true)}>
            Try again
          </button>
          {/* The next act moves below the pointer: the second click of a double click is not meant for it. */}
          <button type="button" onClick={({ detail }) => detail < 2 && doing.settle([act], false)}>
            Drop
          </button>
        </p>
      ))}
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
