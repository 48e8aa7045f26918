import type { JSX } from "preact";
import type { JobForm } from "../../edit/create-job-form.ts";
import type { Job } from "../../state/read-day.ts";
import { useHistory } from "./job-history.tsx";

/** Says that somebody else has changed the job while something was typed here. */
export function Conflict({ form }: { form: JobForm }): JSX.Element | null {
  const { load, theirs } = form;
  return theirs.value && <Told theirs={theirs.value} load={load} />;
}

function Told({ load, theirs }: { load: () => void; theirs: Job }): JSX.Element {
  const [last] = useHistory(theirs, theirs).value ?? [];
  return (
    <div class="conflict" role="alert">
      <p>
        {last?.username ?? "Somebody else"} has changed this job meanwhile. Nothing of yours is saved; what
        you typed is kept. What is other now stands beside its field.
      </p>
      <button type="button" onClick={load}>
        Go on with the new values
      </button>
    </div>
  );
}
