import type { JobChanges } from "../../../board/board-actions.ts";
import { DispatchError } from "../../../errors/dispatch-error.ts";
import { toFieldValue } from "../../../local-time/field-time.ts";
import { readTime, type TypedAt, timeForms } from "../../../local-time/read-time.ts";
import { readWindow, windowForms } from "../../../local-time/read-window.ts";
import { sayDayOrMoment, showWindow } from "../../../local-time/show-time.ts";
import { dayOf } from "../../../local-time/whole-day.ts";
import type { LocalDate } from "../../../local-time/zone.ts";
import { jobTextLengths } from "../../../models/job-text-lengths.ts";
import { messageOf } from "../../session/keep-trying.ts";
import type { Job } from "../state/read-day.ts";

export interface JobField {
  /** The first one names this field. */
  names: readonly [keyof JobChanges, ...(keyof JobChanges)[]];
  label: string;
  as: "choice" | "count" | "line" | "lines" | "mark";
  charsMax?: number;
  forms?: string;
  show(job: Job, at: TypedAt): string;
  /** A refusal completes a sentence that starts with the text. */
  read(text: string, at: TypedAt, day: LocalDate): { changes: JobChanges } | { refusal: string };
}

const when: JobField = {
  as: "line",
  forms: timeForms,
  label: "When",
  names: ["schedule_date"],
  read(text, at) {
    if (text.trim() === "") return { changes: { schedule_date: null } };
    const read = readTime(text, at);
    if ("refusal" in read) return read;
    return { changes: { schedule_date: toFieldValue(read.time, "schedule_date", at.zone) } };
  },
  show: ({ schedule_date }, at) => (schedule_date === null ? "" : sayDayOrMoment(schedule_date, toView(at))),
};

const window: JobField = {
  as: "line",
  forms: windowForms,
  label: "Time window that the customer asked for",
  names: ["desired_start_time", "desired_end_time"],
  read(text, at, day) {
    const read = readWindow(text, day, at);
    if ("refusal" in read) return read;
    const { end, start } = read.window;
    return { changes: { desired_end_time: end, desired_start_time: start } };
  },
  show({ desired_end_time: end, desired_start_time: start, schedule_date }, at) {
    const day = schedule_date === null ? null : dayOf(schedule_date, at.zone);
    return showWindow({ end, start }, day, toView(at));
  },
};

/** In the order in which a dispatcher asks for them on the phone. */
export const jobFields: readonly JobField[] = [
  when,
  window,
  { ...toTextField("reference_number", "Reference number"), as: "line" },
  toChoice("type", "Type", (text) => ({ type: text as Job["type"] })),
  toChoice("asset_type_id", "Asset type", (text) => ({ asset_type_id: toNumber(text) })),
  { ...toChoice("asset_quantity", "How many", (text) => ({ asset_quantity: toNumber(text) })), as: "count" },
  toChoice("dispatch_priority", "Priority", (text) => ({
    dispatch_priority: text === "" ? null : (text as "H" | "L" | "M"),
  })),
  {
    ...toChoice("do_confirm", "Call the customer before it is dispatched", (text) => ({
      do_confirm: text === "true",
    })),
    as: "mark",
  },
  toTextField("dispatcher_notes", "Dispatcher's notes"),
  toTextField("driver_notes", "Notes for the driver"),
  toTextField("customer_notes", "Customer's notes"),
  toTextField("invoice_notes", "Notes for the invoice"),
  { ...toTextField("fail_reason", "Why it failed"), as: "line" },
];

function toTextField(name: keyof JobChanges & keyof typeof jobTextLengths, label: string): JobField {
  return {
    as: "lines",
    charsMax: jobTextLengths[name],
    label,
    names: [name],
    read: (text) => ({ changes: { [name]: text === "" ? null : text } }),
    show: (job) => job[name] ?? "",
  };
}

function toChoice(
  name: keyof JobChanges & keyof Job,
  label: string,
  toChanges: (text: string) => JobChanges,
): JobField {
  return {
    as: "choice",
    label,
    names: [name],
    read: (text) => ({ changes: toChanges(text) }),
    show: (job) => String(job[name] ?? ""),
  };
}

const toNumber = (text: string) => (text === "" ? null : Number(text));

const toView = ({ now, zone }: TypedAt) => ({ today: zone.dateOf(now), zone });

/** Typed texts by the first name of their fields. */
export type Typed = ReadonlyMap<string, string>;

type ReadForm =
  | { changes: JobChanges; refusals: null }
  | { changes: null; refusals: ReadonlyMap<string, string> };

/** A time window moves with the job to another day in the same form. */
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

const ofJob = (job: Job, name: keyof JobChanges) => (job as Partial<Record<keyof JobChanges, unknown>>)[name];

/** By the first name of the shown field; "" for other errors. `fields` lists the wire names of each shown field. */
export function toFieldRefusals(
  error: unknown,
  fields: readonly (readonly string[])[],
): ReadonlyMap<string, string> {
  if (!(error instanceof DispatchError)) return new Map([["", messageOf(error)]]);
  const refusals = new Map<string, string>();
  for (const { detail, field } of error.violations) {
    const name = (field ?? "").replace(/^\w+\./, "");
    const [shown = ""] = fields.find((names) => names.includes(name)) ?? [];
    const before = refusals.get(shown);
    refusals.set(shown, before === undefined ? detail : `${before} ${detail}`);
  }
  return refusals;
}
