import { Fragment, type JSX } from "preact";
import type { BoardJob } from "../../../board/board.ts";
import { jobTextLengths } from "../../../models/job-text-lengths.ts";
import type { PlannedUndo } from "../actions/actions.ts";
import { moveJob } from "../actions/move-job.ts";
import { toUndoneLines } from "../actions/undone-lines.ts";
import { updateJob } from "../actions/update-job.ts";
import { useBoard } from "../board-context.ts";
import { offeredKeys } from "../input/follow-keys.ts";
import { Dialog } from "./dialog.tsx";

export function TruckDialog({
  job,
  onClose,
  onMove,
}: {
  job: BoardJob;
  onClose: () => void;
  onMove?: ((moving: Promise<boolean>) => void) | undefined;
}): JSX.Element {
  const parts = useBoard();
  const trucks = parts.state.fleetOf(job.location_id)?.trucks ?? [];
  const choose = (truckId: number | null) => {
    onClose();
    const moving = moveJob(parts, job, { truckId });
    onMove?.(moving);
  };
  return (
    <Dialog title={`Put job ${job.id} on which truck?`} onClose={onClose}>
      <ul class="choices">
        {trucks.map(({ id, name, out_of_service }) => (
          <li key={id}>
            <button type="button" aria-pressed={id === job.truck_id} onClick={() => choose(id)}>
              {name}
              {out_of_service && <span class="alarm"> out of service</span>}
            </button>
          </li>
        ))}
        <li>
          <button type="button" aria-pressed={job.truck_id === null} onClick={() => choose(null)}>
            No truck
          </button>
        </li>
      </ul>
    </Dialog>
  );
}

export function FailedDialog({ job, onClose }: { job: BoardJob; onClose: () => void }): JSX.Element {
  return (
    <Dialog title={`Why did job ${job.id} fail?`} onClose={onClose}>
      <FailedForm job={job} onDone={onClose} />
    </Dialog>
  );
}

/** `onDone` gets the running action. */
export function FailedForm({
  job,
  onDone,
}: {
  job: BoardJob;
  onDone: (failing: Promise<boolean>) => void;
}): JSX.Element {
  const parts = useBoard();
  const submit = (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const reason = String(new FormData(event.currentTarget).get("reason") ?? "").trim();
    const changes = { is_failed: true, ...(reason !== "" && { fail_reason: reason }) };
    onDone(updateJob(parts, job, async () => changes, `Job ${job.id} failed`));
  };
  return (
    <form onSubmit={submit}>
      <label>
        Reason (optional)
        <input
          name="reason"
          maxLength={jobTextLengths.fail_reason}
          autocomplete="off"
          data-first
          ref={(field) => field?.focus()}
        />
      </label>
      <button type="submit">Mark as failed</button>
    </form>
  );
}

export function UndoDialog({ planned, step }: PlannedUndo): JSX.Element {
  const { actions, dialog, state } = useBoard();
  const { earlierIds, isNew, jobId, label } = step;
  const close = () => {
    dialog.value = null;
  };
  const undo = () => {
    close();
    void actions.undoStep(step);
  };
  const customer = state.jobs.value.get(jobId)?.customer?.name;
  return (
    <Dialog title="Undo this change?" onClose={close}>
      <p>
        <bdi>{label ?? `Your last change of job ${jobId}, made outside this page`}</bdi>
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
        {earlierIds.length > 0 && <li>and the earlier changes of the same action</li>}
      </ul>
      <button type="button" data-first onClick={undo}>
        Undo
      </button>
    </Dialog>
  );
}

export function KeysDialog({ onClose }: { onClose: () => void }): JSX.Element {
  const { session } = useBoard();
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl class="keys">
        <dt>arrows</dt>
        <dd>choose another job; Home and End go to the first and last</dd>
        <dt>Enter</dt>
        <dd>open the job</dd>
        <dt>r</dt>
        <dd>try unanswered actions again</dd>
        {offeredKeys(session).map(({ does, shown: key }) => (
          <Fragment key={key}>
            <dt>{key}</dt>
            <dd>{does}</dd>
          </Fragment>
        ))}
      </dl>
    </Dialog>
  );
}
