import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { jobTextLengths } from "../../../models/job-text-lengths.ts";
import { useBoard } from "../board-context.ts";
import { Dialog } from "../dialogs/dialog.tsx";
import { cannotReasons, type Stop, toCannotReport } from "./driver-steps.ts";

export function CannotDialog({ onClose, stop }: { onClose: () => void; stop: Stop }): JSX.Element {
  const { outbox, session } = useBoard();
  const text = useSignal("");
  const report = (reason: string) => {
    onClose();
    outbox.add(toCannotReport(session, stop, reason));
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (text.value.trim() !== "") report(text.value.trim());
  };
  return (
    <Dialog title={`Why can't you do job ${stop.job.id}?`} onClose={onClose}>
      <ul class="reasons">
        {cannotReasons.map((reason) => (
          <li key={reason}>
            <button type="button" onClick={() => report(reason)}>
              {reason}
            </button>
          </li>
        ))}
      </ul>
      <form onSubmit={submit}>
        <label>
          Another reason
          <input
            value={text.value}
            maxLength={jobTextLengths.fail_reason}
            autocomplete="off"
            onInput={({ currentTarget }) => (text.value = currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={text.value.trim() === ""}>
          Cannot do it
        </button>
      </form>
    </Dialog>
  );
}
