import type { JSX } from "preact";
import type { Made } from "../../../board/board-undo.ts";
import type { Undone } from "../act/job-calls.ts";
import { toUndoneLines } from "../act/undone-lines.ts";
import { useBoard } from "../board-context.ts";
import { Window } from "./window.tsx";

/** Names a change and the effects of taking it back, and asks for confirmation. */
export function AskUndo({ made, planned }: { made: Made; planned: Undone }): JSX.Element {
  const { doing, state } = useBoard();
  const { earlierIds, isNew, jobId, note } = made;
  const close = () => {
    doing.undoing.value = null;
  };
  const customer = state.jobs.value.get(jobId)?.customer?.name;
  return (
    <Window title="Take it back?" onClose={close}>
      <p>
        <bdi>{note ?? `your last change of job ${jobId}, which was not made on this page`}</bdi>
        {customer && (
          <>
            {" · "}
            <bdi>{customer}</bdi>
          </>
        )}
        {isNew && "; this deletes the job"}.
      </p>
      <ul>
        {toUndoneLines([planned], state).map((line) => (
          <li key={line} dir="auto">
            {line}
          </li>
        ))}
        {earlierIds.length > 0 && <li>and what the same act changed just before</li>}
      </ul>
      <button type="button" data-first onClick={() => void doing.takeBack(made)}>
        Take it back
      </button>
    </Window>
  );
}
