import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { BoardJob } from "../../../../board/board.ts";
import { toCustomerText } from "../../../../board/job-names.ts";
import { useBoard } from "../../board-context.ts";
import { createJobForm } from "../../edit/create-job-form.ts";
import { focusRefused } from "../focus-refused.ts";
import { useLeaving } from "../use-leaving.tsx";
import { Window } from "../window.tsx";
import { Conflict } from "./conflict.tsx";
import { JobButtons } from "./job-buttons.tsx";
import { JobFacts } from "./job-facts.tsx";
import { JobFieldset } from "./job-fieldset.tsx";
import { JobHistory, useHistory } from "./job-history.tsx";

/** Everything of one job that its day needs, and what may be changed of it. */
export function JobWindow({ job }: { job: BoardJob }): JSX.Element {
  const parts = useBoard();
  const form = useMemo(() => createJobForm(parts, job), [job.id]);
  useEffect(() => form.end, [form]);
  const shown = form.shown.value;
  const history = useHistory(job, form.theirs.value ?? shown);
  const leave = () => {
    parts.asked.value = null;
  };
  const { close, question } = useLeaving(form.isUnsaved, leave);
  const submit = async (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const { currentTarget } = event;
    if (!(await form.save())) focusRefused(currentTarget);
    // Who has left it meanwhile may have another window open.
    else if (currentTarget.isConnected) leave();
  };
  return (
    <Window title={`Job ${job.id}: ${toCustomerText(job)}`} onClose={close}>
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
    </Window>
  );
}
