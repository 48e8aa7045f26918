import type { JSX } from "preact";
import { mayChange } from "../../models/job-rights.ts";
import { useBoard } from "./board-context.ts";
import { completeSelected, selectedJobs } from "./input/follow-selection.ts";

/** What the user may do with several selected jobs. */
export function SelectedJobs(): JSX.Element | null {
  const parts = useBoard();
  const { dialog, selected, session } = parts;
  const jobs = selectedJobs(parts);
  if (jobs.length === 0) return null;
  return (
    <fieldset class="selected-jobs" aria-label="Selected jobs">
      <span role="status">{jobs.length} selected</span>
      <button type="button" onClick={() => (dialog.value = { jobs, kind: "truck" })}>
        Truck …
      </button>
      <button type="button" onClick={() => (dialog.value = { jobs, kind: "when" })}>
        Day …
      </button>
      {mayChange(session.roles, "is_completed") && (
        <button type="button" onClick={() => void completeSelected(parts, jobs)}>
          Complete
        </button>
      )}
      <button type="button" onClick={() => (selected.value = new Set())}>
        Clear
      </button>
    </fieldset>
  );
}
