import type { JSX } from "preact";
import type { UndoQuestion } from "../act/doing.ts";
import { useBoard } from "../board-context.ts";
import { Window } from "./window.tsx";

/** Asks whether a change is to be taken back that was not made here, or whose record would go away. */
export function AskUndo({ question }: { question: UndoQuestion }): JSX.Element {
  const { doing } = useBoard();
  const { isNew, jobId, note } = question.made;
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
      <button type="button" onClick={() => void doing.takeBack(question)}>
        Take it back
      </button>
    </Window>
  );
}
