import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { BoardJob } from "../../../board/board.ts";
import { type JobVerb, type JobVerbName, jobVerbs, offeredVerbs } from "../../../models/job-verbs.ts";
import type { Outcome } from "../actions/action-state.ts";
import { mayMove } from "../actions/move-job.ts";
import { doVerb } from "../actions/update-job.ts";
import { useBoard } from "../board-context.ts";
import { findShownLack } from "../forms/completion.ts";
import type { JobForm } from "../forms/job-form.ts";
import type { Job } from "../state/read-day.ts";
import { toShownJob } from "../state/show-job.ts";
import { CompleteDialog } from "./complete-dialog.tsx";
import { FailedForm } from "./small-dialogs.tsx";
import { TruckDialog } from "./truck-dialog.tsx";

export function JobButtons({ form, job }: { form: JobForm; job: Job }): JSX.Element {
  const parts = useBoard();
  const { actions, session, state } = parts;
  const chosen = useSignal<JobVerbName | null>(null);
  const shown = toShownJob(state, job);
  const offered = offeredVerbs(job, session.roles);
  const { finish, isBusy, outcome } = useFinishing(form, chosen);
  const choose = (name: JobVerbName) => {
    const { isSevere }: JobVerb = jobVerbs[name];
    const isAsked = isSevere || name === "fail" || (name === "complete" && findShownLack(job).length > 0);
    if (isAsked) chosen.value = name;
    else void finish(doVerb(parts, job, name));
  };
  const asked = chosen.value !== null && offered.includes(chosen.value) ? chosen.value : null;
  const onCompleted = () => {
    outcome.value = actions.outcome.value;
    void finish(Promise.resolve(true));
  };
  if (asked === "fail") return <FailedForm job={shown} onDone={(failing) => void finish(failing)} />;
  if (asked && asked !== "complete")
    return (
      <Confirmation
        label={`${jobVerbs[asked].label} job ${job.id}?`}
        name={jobVerbs[asked].label}
        onNo={() => (chosen.value = null)}
        onYes={() => void finish(doVerb(parts, job, asked))}
      />
    );
  return (
    <>
      {offered.length > 0 && (
        <fieldset class="buttons" aria-label="Actions">
          {mayMove(parts, shown) && <TruckButton job={shown} onMove={(moving) => void finish(moving)} />}
          {offered.map((name) => (
            <button
              key={name}
              type="button"
              disabled={isBusy.value || actions.busyJobs.value.has(job.id)}
              onClick={() => choose(name)}
            >
              {jobVerbs[name].label}
            </button>
          ))}
        </fieldset>
      )}
      {chosen.value === "complete" && (
        <CompleteDialog job={shown} onClose={() => (chosen.value = null)} onDone={onCompleted} />
      )}
      {outcome.value && <p role={outcome.value.isRefused ? "alert" : "status"}>{outcome.value.text}</p>}
    </>
  );
}

function useFinishing(form: JobForm, chosen: Signal<JobVerbName | null>) {
  const { actions } = useBoard();
  const outcome = useSignal<Outcome | null>(null);
  // Until the form shows the new job, an action would start from the old one.
  const isBusy = useSignal(false);
  const finish = async (done: Promise<boolean>) => {
    const before = actions.outcome.value;
    chosen.value = null;
    isBusy.value = true;
    const isDone = await done;
    if (actions.outcome.value !== before) outcome.value = actions.outcome.value;
    await (isDone ? form.refresh() : form.look());
    isBusy.value = false;
  };
  return { finish, isBusy, outcome };
}

function Confirmation({
  label,
  name,
  onNo,
  onYes,
}: {
  label: string;
  name: string;
  onNo: () => void;
  onYes: () => void;
}): JSX.Element {
  return (
    <fieldset class="buttons">
      <legend>{label}</legend>
      <button type="button" class="alarm" onClick={onYes}>
        {name}
      </button>
      <button type="button" onClick={onNo} ref={focus}>
        No
      </button>
    </fieldset>
  );
}

function TruckButton({
  job,
  onMove,
}: {
  job: BoardJob;
  onMove: (moving: Promise<boolean>) => void;
}): JSX.Element {
  const isAsked = useSignal(false);
  return (
    <>
      <button type="button" onClick={() => (isAsked.value = true)}>
        Truck …
      </button>
      {isAsked.value && <TruckDialog jobs={[job]} onClose={() => (isAsked.value = false)} onMove={onMove} />}
    </>
  );
}

const focus = (button: HTMLElement | null) => button?.focus();
