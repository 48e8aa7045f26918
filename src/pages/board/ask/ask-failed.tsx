import type { JSX } from "preact";
import type { BoardJob } from "../../../board/board.ts";
import { useBoard } from "../board-context.ts";
import { FailedForm } from "./failed-form.tsx";
import { Window } from "./window.tsx";

/** Asks why a job failed, in a window of its own. */
export function AskFailed({ job }: { job: BoardJob }): JSX.Element {
  const { asked } = useBoard();
  const close = () => {
    asked.value = null;
  };
  return (
    <Window title={`Why did job ${job.id} fail?`} onClose={close}>
      <FailedForm job={job} onDone={close} />
    </Window>
  );
}
