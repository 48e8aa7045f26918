import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { type JobVerb, type JobVerbName, jobVerbs, offeredVerbs } from "../../../../models/job-verbs.ts";
import type { Said } from "../../act/doing.ts";
import { mayMove } from "../../act/move-job.ts";
import { useBoard } from "../../board-context.ts";
import { findShownLack } from "../../edit/create-completion.ts";
import type { JobForm } from "../../edit/create-job-form.ts";
import { doVerb } from "../../move/do-verb.ts";
import type { Job } from "../../state/read-day.ts";
import { toShownJob } from "../../state/show-job.ts";
import { AskTruck } from "../ask-truck.tsx";
import { FailedForm } from "../failed-form.tsx";
import { AskComplete } from "./ask-complete.tsx";

/** What can be done with a job now by whoever looks at it; what is severe is asked twice, and what failed is asked why. */
export function JobButtons({ form, job }: { form: JobForm; job: Job }): JSX.Element {
  const parts = useBoard();
  const { doing, session, state } = parts;
  const chosen = useSignal<JobVerbName | null>(null);
  const shown = toShownJob(state, job);
  const offered = offeredVerbs(job, session.roles);
  const { finish, isBusy, said } = useFinishing(form, chosen);
  const choose = (name: JobVerbName) => {
    const { isSevere }: JobVerb = jobVerbs[name];
    const isAsked = isSevere || name === "fail" || (name === "complete" && findShownLack(job).length > 0);
    if (isAsked) chosen.value = name;
    else void finish(doVerb(parts, job, name));
  };
  const asked = chosen.value !== null && offered.includes(chosen.value) ? chosen.value : null;
  const tellCompleted = () => {
    said.value = doing.said.value;
    void finish(Promise.resolve(true));
  };
  if (asked === "fail") return <FailedForm job={shown} onDone={(failing) => void finish(failing)} />;
  if (asked && asked !== "complete")
    return (
      <Sure
        label={`${jobVerbs[asked].label} job ${job.id}?`}
        name={jobVerbs[asked].label}
        onNo={() => (chosen.value = null)}
        onYes={() => void finish(doVerb(parts, job, asked))}
      />
    );
  return (
    <>
      {offered.length > 0 && (
        <fieldset class="buttons" aria-label="What is done with the job">
          {mayMove(parts, shown) && <TruckButton job={shown} onMove={(moving) => void finish(moving)} />}
          {offered.map((name) => (
            <button
              key={name}
              type="button"
              disabled={isBusy.value || doing.busy.value.has(job.id)}
              onClick={() => choose(name)}
            >
              {jobVerbs[name].label}
            </button>
          ))}
        </fieldset>
      )}
      {chosen.value === "complete" && (
        <AskComplete job={shown} onClose={() => (chosen.value = null)} onDone={tellCompleted} />
      )}
      {said.value && <p role={said.value.isRefusal ? "alert" : "status"}>{said.value.text}</p>}
    </>
  );
}

/** Waits for what is done with a job, and shows the job as it is then. */
function useFinishing(form: JobForm, chosen: Signal<JobVerbName | null>) {
  const { doing } = useBoard();
  const said = useSignal<Said | null>(null);
  // Until the job is shown as it is then, what would be done next would be done with what it was.
  const isBusy = useSignal(false);
  const finish = async (done: Promise<boolean>) => {
    const before = doing.said.value;
    chosen.value = null;
    isBusy.value = true;
    const isDone = await done;
    if (doing.said.value !== before) said.value = doing.said.value;
    await (isDone ? form.refresh() : form.look());
    isBusy.value = false;
  };
  return { finish, isBusy, said };
}

/** Asks once more before a severe act. */
function Sure({
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

function TruckButton({ job, onMove }: Pick<Parameters<typeof AskTruck>[0], "job" | "onMove">): JSX.Element {
  const isAsked = useSignal(false);
  return (
    <>
      <button type="button" onClick={() => (isAsked.value = true)}>
        Truck …
      </button>
      {isAsked.value && <AskTruck job={job} onClose={() => (isAsked.value = false)} onMove={onMove} />}
    </>
  );
}

const focus = (button: HTMLElement | null) => button?.focus();
