import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { BoardJob } from "../../../board/board.ts";
import { toCustomerText } from "../../../board/job-words.ts";
import { useBoard } from "../board-context.ts";
import { createJobForm } from "../forms/job-form.ts";
import { Dialog, focusRefused, useClosing } from "./dialog.tsx";
import { JobButtons } from "./job-buttons.tsx";
import { JobFacts } from "./job-facts.tsx";
import { JobFieldset } from "./job-fieldset.tsx";
import { Conflict, JobHistory, useHistory } from "./job-history.tsx";

export function JobDialog({ job }: { job: BoardJob }): JSX.Element {
  const parts = useBoard();
  const form = useMemo(() => createJobForm(parts, job), [job.id]);
  useEffect(() => form.end, [form]);
  const shown = form.shown.value;
  const history = useHistory(job, form.theirs.value ?? shown);
  const onLeave = () => {
    parts.dialog.value = null;
  };
  const { close, question } = useClosing(form.isUnsaved, onLeave);
  const submit = async (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const { currentTarget } = event;
    if (!(await form.save())) focusRefused(currentTarget);
    // The user may have closed this dialog and opened another.
    else if (currentTarget.isConnected) onLeave();
  };
  return (
    <Dialog jobId={job.id} title={`Job ${job.id}: ${toCustomerText(job)}`} onClose={close}>
      {shown === null ? (
        <p class="quiet">{form.refusals.value.get("") ?? "Reading the job …"}</p>
      ) : (
        <div class="job">
          <JobFacts job={shown} history={history.value ?? []} />
          <JobHistory entries={history.value} locationId={job.location_id} />
          <JobButtons form={form} job={shown} />
          <form onSubmit={(event) => void submit(event)} noValidate>
            <JobFieldset form={form} job={shown} />
            <div class="ending">
              <Conflict form={form} />
              <p role="alert">{form.refusals.value.get("") ?? ""}</p>
              {question ?? (
                <p class="buttons">
                  <button type="submit" disabled={!form.isUnsaved.value || form.isSaving.value}>
                    {form.isSaving.value ? "Saving …" : "Save"}
                  </button>
                </p>
              )}
            </div>
          </form>
        </div>
      )}
    </Dialog>
  );
}
