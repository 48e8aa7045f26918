import type { JSX } from "preact";
import { sayDayOrMoment, showTimeOfDay } from "../../local-time/show-time.ts";
import { useBoard } from "./board-context.ts";
import { isolate } from "./job-text.ts";
import type { DayState } from "./state/day-state.ts";
import type { Change } from "./state/follow-day.ts";

export function StatusLine(): JSX.Element {
  const { actions, following, state } = useBoard();
  const { isKept = false, isRefused, step, text } = actions.outcome.value;
  const [change] = following.changes.value;
  const name = change && state.jobs.value.get(change.jobId)?.customer?.name;
  const failure = state.failure.value;
  return (
    <div class="said">
      <p role="alert" dir="auto">
        {failure !== null ? `Cannot read the day: ${failure}` : isRefused && !isKept ? text : ""}
      </p>
      <p role="status" dir="auto">
        {isRefused ? "" : text}
      </p>
      {step && (
        <button type="button" onClick={() => void actions.undo()}>
          Undo
        </button>
      )}
      <p role="status" class="quiet others">
        {change &&
          `${toTimeText(change, state)} ${isolate(change.user)} changed job ${change.jobId}${name ? `, ${isolate(name)}` : ""}`}
      </p>
      <Unanswered />
    </div>
  );
}

function Unanswered(): JSX.Element | null {
  const { actions } = useBoard();
  const unanswered = actions.unanswered.value;
  if (unanswered.length === 0) return null;
  return (
    <div role="alert" class="failed">
      {unanswered.map((action) => (
        <p key={action.id}>
          <bdi>{action.text}</bdi> <span class="quiet">{action.why}</span>{" "}
          <button type="button" onClick={() => actions.tryAgain([action])}>
            Try again
          </button>
          {/* The next entry moves under the pointer: a double click must not drop it too. */}
          <button type="button" onClick={({ detail }) => detail < 2 && actions.drop([action])}>
            Drop
          </button>
        </p>
      ))}
    </div>
  );
}

/** With the day unless it is today. */
function toTimeText({ at, locationId }: Change, { fleets, today }: DayState): string {
  const zone = fleets.value?.zones.of(locationId);
  if (!zone) return "";
  const local = zone.toLocal(at);
  return local.date === today.value
    ? showTimeOfDay(local, zone)
    : sayDayOrMoment(at, { today: today.value, zone });
}
