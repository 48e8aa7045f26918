import type { TypedAt } from "../../../local-time/read-time.ts";
import { dayOf } from "../../../local-time/whole-day.ts";
import type { JobChanges } from "../act/job-calls.ts";
import type { Job } from "../state/read-day.ts";
import { type JobField, jobFields } from "./job-fields.ts";

/** What was typed, by the first name of its field. */
export type Typed = ReadonlyMap<string, string>;

/** What a form asks for: only what differs from the job; or what of it cannot be understood, by the name of the field. */
export type ReadForm =
  | { changes: JobChanges; refusals: null }
  | { changes: null; refusals: ReadonlyMap<string, string> };

/**
 * Reads what was typed over a job. A job that gets another day takes its window along: a window is read for the day that
 * stands beside it (OP-392).
 */
export function readTyped(job: Job, typed: Typed, at: TypedAt): ReadForm {
  const refusals = new Map<string, string>();
  const changes: JobChanges = {};
  for (const field of jobFields) {
    const [name] = field.names;
    const isMoved = name === "desired_start_time" && Boolean(changes.schedule_date);
    const text = typed.get(name) ?? (isMoved ? field.show(job, at) : undefined);
    if (text === undefined) continue;
    const planned = changes.schedule_date === undefined ? job.schedule_date : changes.schedule_date;
    const read = field.read(text, at, planned ? dayOf(planned, at.zone) : at.zone.dateOf(at.now));
    if ("refusal" in read) refusals.set(name, `"${text}" ${read.refusal}.`);
    else Object.assign(changes, toDifference(job, field, read.changes));
  }
  return refusals.size > 0 ? { changes: null, refusals } : { changes, refusals: null };
}

function toDifference(job: Job, { names }: JobField, changes: JobChanges): JobChanges {
  const differing = names.filter((name) => (changes[name] ?? null) !== (ofJob(job, name) ?? null));
  return Object.fromEntries(differing.map((name) => [name, changes[name]]));
}

/** The fields of changes are fields of the job. */
const ofJob = (job: Job, name: keyof JobChanges) => (job as Partial<Record<keyof JobChanges, unknown>>)[name];
