import { type ReadonlySignal, signal } from "@preact/signals";
import type { BoardJob } from "../../../board/board.ts";
import type { BoardActs } from "../act/doing.ts";
import { createJobForm, type JobForm } from "./create-job-form.ts";

/** The cards that are being edited. */
export interface Editing {
  /** By the id of the job, beside the cards: a card that goes to another truck is drawn anew, its form stays the same. */
  forms: ReadonlySignal<ReadonlyMap<number, JobForm>>;
  /** Has a job edited on its card; one that is being edited already stays so. */
  begin(job: BoardJob): void;
  /** Ends that, of this form and not of one that was opened after it. What was typed and not stored is gone. */
  leave(form: JobForm): void;
}

/** Nothing is being edited at first. */
export function createEditing(acts: BoardActs): Editing {
  const forms = signal<ReadonlyMap<number, JobForm>>(new Map());
  // What is done with a card that is being edited, as by dragging it, is nobody else's change.
  acts.doing.said.subscribe(({ isRefusal, jobId }) => {
    const form = !isRefusal && jobId ? forms.peek().get(jobId) : undefined;
    // One that is being saved is about to be left.
    if (form && !form.isSaving.peek()) void form.refresh();
  });
  return {
    forms,
    begin(job) {
      if (!forms.value.has(job.id))
        forms.value = new Map([...forms.value, [job.id, createJobForm(acts, job)]]);
    },
    leave(form) {
      form.end();
      forms.value = new Map([...forms.value].filter(([, open]) => open !== form));
    },
  };
}
