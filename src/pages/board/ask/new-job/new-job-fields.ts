import type { TypedAt } from "../../../../local-time/read-time.ts";
import { dayOf } from "../../../../local-time/whole-day.ts";
import type { JobChanges } from "../../act/job-calls.ts";
import { type JobField, jobFields } from "../../edit/job-fields.ts";

/** The fields of a new job beside those that say for whom and on which truck, in the order in which they are asked for. */
export const newJobFields: readonly JobField[] = jobFields.filter(({ names: [name] }) =>
  [
    "asset_quantity",
    "asset_type_id",
    "desired_start_time",
    "dispatcher_notes",
    "driver_notes",
    "reference_number",
    "schedule_date",
    "type",
  ].includes(name),
);

/** Reads what was typed for a new job; what cannot be understood stands in `refusals`, by the name of its field. */
export function readNewJob(
  texts: ReadonlyMap<string, string>,
  at: TypedAt,
): { fields: JobChanges; refusals: ReadonlyMap<string, string> } {
  const fields: JobChanges = {};
  const refusals = new Map<string, string>();
  for (const field of newJobFields) {
    const [name] = field.names;
    const text = texts.get(name) ?? "";
    if (text === "") continue;
    const { schedule_date } = fields;
    const read = field.read(text, at, schedule_date ? dayOf(schedule_date, at.zone) : at.zone.dateOf(at.now));
    if ("refusal" in read) refusals.set(name, `"${text}" ${read.refusal}.`);
    else Object.assign(fields, read.changes);
  }
  return { fields, refusals };
}
