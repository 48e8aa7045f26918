import { sayDayOrMoment, type TimeView } from "../../../../local-time/show-time.ts";
import type { JobRequirementName } from "../../../../models/job-requirements.ts";
import { type JobState, jobReports, jobStateTable, toJobState } from "../../../../models/job-state.ts";
import { toFieldWords } from "../../job-text.ts";
import type { Job } from "../../state/read-day.ts";
import type { HistoryEntry } from "../../state/read-history.ts";

/** The state of a job, since when, and by whom it got there, as far as that is known. */
export function toStateText(job: Job, history: readonly HistoryEntry[], view: TimeView): string {
  const state = toJobState(job);
  const fields = toFields(state);
  const entry = history.find(({ after }) => after && fields.some((field) => Object.hasOwn(after, field)));
  if (entry) return `${state}, since ${sayDayOrMoment(entry.created_on, view)} by ${toWho(entry)}`;
  const moment = {
    completed: job.completed_on,
    dispatched: job.dispatched_on,
    "in progress": job.started_on,
  }[String(state)];
  return moment ? `${state}, since ${sayDayOrMoment(moment, view)}` : state;
}

/** The fields whose change puts a job in a state. */
function toFields(state: JobState): readonly string[] {
  const { mark } = jobStateTable[state];
  if (typeof mark === "string") return [mark];
  if (state === "in progress") return jobReports;
  return state === "dispatched" ? ["dispatched_on", "truck_id"] : ["truck_id"];
}

/** An entry of a job's history: what was done, and with which of its fields. */
export function toEntryText(entry: HistoryEntry, view: TimeView): string {
  const changed = Object.keys(entry.after ?? {}).filter((name) => !silent.has(name));
  const isTold = entry.before !== null && changed.length > 0;
  const what = isTold ? `${entry.action}: ${changed.map(toFieldWords).join(", ")}` : entry.action;
  const undone = entry.undone_on === null ? "" : ", taken back";
  return `${sayDayOrMoment(entry.created_on, view)}: ${what}, by ${toWho(entry)}${undone}`;
}

/** What every change sets. */
const silent: ReadonlySet<string> = new Set(["last_updated_on"]);

const toWho = ({ user_id, username }: HistoryEntry) => username ?? `user ${user_id}`;

/** What a driver has to bring before the job can be completed, and the office before it goes out. */
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
