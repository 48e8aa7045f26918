import type { JSX } from "preact";
import type { JobForm } from "./create-job-form.ts";

/** Says that somebody else has changed the job while something was typed here. */
export function Conflict({ form, who }: { form: JobForm; who: string | null }): JSX.Element | null {
  if (form.theirs.value === null) return null;
  return (
    <div class="conflict" role="alert">
      <p>
        {who ?? "Somebody else"} has changed this job meanwhile. Nothing of yours is saved; what you typed is
        kept. What is other now stands beside its field.
      </p>
      <button type="button" onClick={form.load}>
        Go on with the new values
      </button>
    </div>
  );
}
