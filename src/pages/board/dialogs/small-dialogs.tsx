import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { BoardJob } from "../../../board/board.ts";
import { toLocalWindow } from "../../../board/job-words.ts";
import { dateOrderOf } from "../../../local-time/date-order.ts";
import { readTime } from "../../../local-time/read-time.ts";
import { jobTextLengths } from "../../../models/job-text-lengths.ts";
import type { PlannedUndo } from "../actions/actions.ts";
import type { Target } from "../actions/move-job.ts";
import { toUndoneLines } from "../actions/undone-lines.ts";
import { updateJob } from "../actions/update-job.ts";
import { useBoard } from "../board-context.ts";
import { moveSelected } from "../input/follow-selection.ts";
import { Dialog } from "./dialog.tsx";
import { FieldInput } from "./field-input.tsx";

export function WhenDialog({
  jobs,
  onClose,
}: {
  jobs: readonly BoardJob[];
  onClose: () => void;
}): JSX.Element {
  const parts = useBoard();
  const text = useSignal("");
  const refusal = useSignal("");
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const zone = parts.state.zoneOf(jobs[0]?.location_id ?? null);
    const read = readTime(text.value, { now: parts.state.now.value, order: dateOrderOf(zone), zone });
    if ("refusal" in read) refusal.value = `"${text.value}" ${read.refusal}.`;
    else {
      const { time } = read;
      onClose();
      const target = "day" in time ? { date: time.day } : { date: zone.dateOf(time.moment), ...time };
      void moveSelected(parts, jobs, target);
    }
  };
  return (
    <Dialog title={`Move ${jobs.length} jobs to which day?`} onClose={onClose}>
      <form noValidate onSubmit={submit}>
        <FieldInput
          field={{
            as: "line",
            forms: "tomorrow, fri, 12/1; with a time like fri 8:00, or each keeps its own",
            label: "Day",
          }}
          isFirst
          refusal={refusal.value}
          value={text.value}
          onType={(typed) => {
            text.value = typed;
          }}
        />
        <button type="submit">Move</button>
      </form>
    </Dialog>
  );
}

/** For cards that were dropped at a place that contradicts the time of `job`. */
export function PlaceDialog({
  byTime,
  job,
  jobs,
  onClose,
  other,
  target,
}: {
  byTime: Target;
  job: BoardJob;
  jobs: readonly BoardJob[];
  onClose: () => void;
  other: BoardJob;
  target: Target;
}): JSX.Element {
  const parts = useBoard();
  const { date, today } = parts.state;
  const view = { today: today.value, zone: parts.state.zoneOf(job.location_id) };
  const say = (one: BoardJob) => `job ${one.id} (${toLocalWindow(one, { date: date.value, view })})`;
  const move = (to: Target) => {
    onClose();
    void moveSelected(parts, jobs, to);
  };
  return (
    <Dialog title="This place does not fit the time" onClose={onClose}>
      <p>{`At this place, ${say(other)} keeps ${say(job)} from its time.`}</p>
      <p class="buttons">
        <button type="button" class="primary" data-first onClick={() => move(byTime)}>
          {jobs.length === 1 ? "Put it by its time" : "Put them by their times"}
        </button>
        <button type="button" onClick={() => move(target)}>
          {jobs.length === 1 ? "Put it here" : "Put them here"}
        </button>
      </p>
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
      <button type="button" class="primary" data-first onClick={undo}>
        Undo
      </button>
    </Dialog>
  );
}
