import type { BoardJob } from "../../../board/board.ts";
import { createJobForm, type JobForm } from "../ask/job/create-job-form.ts";
import type { BoardParts } from "../board-context.ts";

/** Has a job edited on its card; one that is being edited already stays so. */
export function editCard(parts: BoardParts, job: BoardJob): void {
  const { editing } = parts;
  if (!editing.value.has(job.id))
    editing.value = new Map([...editing.value, [job.id, createJobForm(parts, job)]]);
}

/** Ends that, of this form and not of one that was opened after it. What was typed and not stored is gone. */
export function leaveCard({ editing }: Pick<BoardParts, "editing">, form: JobForm): void {
  form.end();
  editing.value = new Map([...editing.value].filter(([, open]) => open !== form));
}
