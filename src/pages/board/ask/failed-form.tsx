import type { JSX } from "preact";
import type { BoardJob } from "../../../board/board.ts";
import { jobTextLengths } from "../../../models/job-text-lengths.ts";
import { useBoard } from "../board-context.ts";

/** Asks why a job failed, which need not be said, and marks it as failed. `onDone` hears of it when that is under way. */
export function FailedForm({
  job,
  onDone,
}: {
  job: BoardJob;
  onDone: (failing: Promise<boolean>) => void;
}): JSX.Element {
  const { doing } = useBoard();
  const submit = (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const reason = String(new FormData(event.currentTarget).get("reason") ?? "").trim();
    const changes = { is_failed: true, ...(reason !== "" && { fail_reason: reason }) };
    onDone(doing.change(job, async () => changes, `Job ${job.id} failed`));
  };
  return (
    <form onSubmit={submit}>
      <label>
        Reason, if it is known
        <input
          name="reason"
          maxLength={jobTextLengths.fail_reason}
          autocomplete="off"
          data-first
          ref={focus}
        />
      </label>
      <button type="submit">It failed</button>
    </form>
  );
}

const focus = (field: HTMLElement | null) => field?.focus();
