import type { JSX } from "preact";
import { useBoard } from "./board-context.ts";

/** What came of the last thing that was done here, and what somebody else has just done. */
export function SaidLine(): JSX.Element {
  const { doing, following, state } = useBoard();
  const { isDone, isRefusal, text } = doing.said.value;
  const change = following.lastChange.value;
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
        {change && `${change.user} changed job ${change.jobId}${name ? `, ${name}` : ""}`}
      </p>
    </div>
  );
}
