import type { JSX } from "preact";
import type { Made } from "../../../board/board-undo.ts";
import { useBoard } from "../board-context.ts";
import { Window } from "./window.tsx";

/** Asks whether a change is to be taken back that was not made here, or whose record would go away. */
export function AskUndo({ made }: { made: Made }): JSX.Element {
  const { doing } = useBoard();
  const { isNew, jobId, note } = made;
  const close = () => {
    doing.undoing.value = null;
  };
  const what = note ?? (jobId === null ? "your last change" : `your last change of job ${jobId}`);
  return (
    <Window title="Take it back?" onClose={close}>
      <p>
        {what}
        {note === null && ", which was not made on this page"}
        {isNew && "; the record goes away with it"}.
      </p>
      <button type="button" onClick={() => void doing.takeBack(made)}>
        Take it back
      </button>
    </Window>
  );
}
