import type { JSX } from "preact";
import type { BoardJob } from "../../../board/board.ts";
import { jobTextLengths } from "../../../models/job-text-lengths.ts";
import { useBoard } from "../board-context.ts";
import { Window } from "./window.tsx";

/** Asks why a job failed, which need not be said. */
export function AskFailed({ job }: { job: BoardJob }): JSX.Element {
  const { asked, doing } = useBoard();
  const close = () => {
    asked.value = null;
  };
  const submit = (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const reason = String(new FormData(event.currentTarget).get("reason") ?? "").trim();
    close();
    const changes = { is_failed: true, ...(reason !== "" && { fail_reason: reason }) };
    void doing.change(job, changes, `Job ${job.id} failed`);
  };
  return (
    <Window title={`Why did job ${job.id} fail?`} onClose={close}>
      <form onSubmit={submit}>
        <label>
          Reason, if it is known
          <input name="reason" maxLength={jobTextLengths.fail_reason} autocomplete="off" />
        </label>
        <button type="submit">It failed</button>
      </form>
    </Window>
  );
}
