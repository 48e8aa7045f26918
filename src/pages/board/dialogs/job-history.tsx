import { type ReadonlySignal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { sayDayOrMoment, type TimeView } from "../../../local-time/show-time.ts";
import type { JobRequirementName } from "../../../models/job-requirements.ts";
import { type JobState, jobReports, jobStateTable, toJobState } from "../../../models/job-state.ts";
import { useBoard } from "../board-context.ts";
import type { JobForm } from "../forms/job-form.ts";
import { toFieldWords } from "../job-text.ts";
import type { Job } from "../state/read-day.ts";
import { type HistoryEntry, readHistory } from "../state/read-history.ts";

/** Read again for each new `known`; null until then. */
export function useHistory(
  { id, location_id }: { id: number; location_id: number },
  known: Job | null,
): ReadonlySignal<readonly HistoryEntry[] | null> {
  const { session } = useBoard();
  const entries = useSignal<readonly HistoryEntry[] | null>(null);
  useEffect(() => {
    let isWanted = true;
    readHistory(session, { id, location_id })
      .then((read) => {
        if (isWanted) entries.value = read;
      })
      // The read of the job reports the error.
      .catch(() => undefined);
    return () => {
      isWanted = false;
    };
  }, [id, location_id, known]);
  return entries;
}

/** Takes its place before the entries arrive, so that nothing below it moves. */
export function JobHistory({
  entries,
  locationId,
}: {
  entries: readonly HistoryEntry[] | null;
  locationId: number;
}): JSX.Element | null {
  const { session, state } = useBoard();
  const view = { today: state.today.value, zone: state.zoneOf(locationId) };
  if (!session.mayCall("jobs.timeline")) return null;
  return (
    <details class="history">
      <summary>History</summary>
      {entries?.length === 0 && <p class="quiet">No entries.</p>}
      <ol>
        {entries?.map((entry) => (
          <li key={entry.id}>{toEntryText(entry, view)}</li>
        ))}
      </ol>
    </details>
  );
}

export function Conflict({ form }: { form: JobForm }): JSX.Element | null {
  const { load, theirs } = form;
  return theirs.value && <ConflictNote theirs={theirs.value} load={load} />;
}

function ConflictNote({ load, theirs }: { load: () => void; theirs: Job }): JSX.Element {
  const [last] = useHistory(theirs, theirs).value ?? [];
  return (
    <div class="conflict" role="alert">
      <p>
        {last?.username ?? "Someone else"} changed this job. Your changes are not saved, but your text is
        kept. Each new value is next to its field.
      </p>
      <button type="button" onClick={load}>
        Continue with the new values
      </button>
    </div>
  );
}

/** `completed, since 10:05 by kim`, as far as the page knows. */
export function toStateText(job: Job, history: readonly HistoryEntry[], view: TimeView): string {
  const state = toJobState(job);
  const fields = toFields(state);
  const entry = history.find(({ after }) => after && fields.some((field) => Object.hasOwn(after, field)));
  if (entry) return `${state}, since ${sayDayOrMoment(entry.created_on, view)} by ${toUser(entry)}`;
  const moment = {
    completed: job.completed_on,
    dispatched: job.dispatched_on,
    "in progress": job.started_on,
  }[String(state)];
  return moment ? `${state}, since ${sayDayOrMoment(moment, view)}` : state;
}

function toFields(state: JobState): readonly string[] {
  const { mark } = jobStateTable[state];
  if (typeof mark === "string") return [mark];
  if (state === "in progress") return jobReports;
  return state === "dispatched" ? ["dispatched_on", "truck_id"] : ["truck_id"];
}

function toEntryText(entry: HistoryEntry, view: TimeView): string {
  const changed = Object.keys(entry.after ?? {}).filter((name) => !silent.has(name));
  const hasFields = entry.before !== null && changed.length > 0;
  const what = hasFields ? `${entry.action}: ${changed.map(toFieldWords).join(", ")}` : entry.action;
  const undone = entry.undone_on === null ? "" : ", undone";
  return `${sayDayOrMoment(entry.created_on, view)}: ${what}, by ${toUser(entry)}${undone}`;
}

const silent: ReadonlySet<string> = new Set(["last_updated_on"]);

const toUser = ({ user_id, username }: HistoryEntry) => username ?? `user ${user_id}`;

export function toRequirements(job: Job): string[] {
  return Object.entries(requirements).flatMap(([name, text]) =>
    job[name as keyof typeof requirements] ? [text] : [],
  );
}

const requirements = {
  require_image: "a picture",
  require_material: "the material",
  require_materials: "the weights of additional materials",
  require_signature: "a signature",
  require_weights: "weights",
} as const satisfies Record<JobRequirementName, string>;
