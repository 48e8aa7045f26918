import { toFieldValue } from "../../../local-time/field-time.ts";
import { readTime, type TypedAt, timeForms } from "../../../local-time/read-time.ts";
import { readWindow, windowForms } from "../../../local-time/read-window.ts";
import { sayDayOrMoment, showWindow } from "../../../local-time/show-time.ts";
import { dayOf } from "../../../local-time/whole-day.ts";
import type { LocalDate } from "../../../local-time/zone.ts";
import { jobTextLengths } from "../../../models/job-text-lengths.ts";
import type { JobChanges } from "../act/job-calls.ts";
import type { Job } from "../state/read-day.ts";

/** A part of a job that somebody edits as one text. */
export interface JobField {
  /** The fields of the wire that it is made of; the first names it. */
  names: readonly [keyof JobChanges, ...(keyof JobChanges)[]];
  label: string;
  /** A line, several lines, a number, one of some, or yes and no. */
  as: "choice" | "count" | "line" | "lines" | "mark";
  charsMax?: number;
  /** What may be typed. */
  forms?: string;
  show(job: Job, at: TypedAt): string;
  /** What the text means for a job that is to be done on `day`. A refusal is the rest of a sentence that begins with it. */
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
  label: "Window that the customer wants",
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

/** What may be edited of a job, in the order in which it is asked for on the phone. */
export const jobFields: readonly JobField[] = [
  when,
  window,
  { ...toText("reference_number", "Reference number"), as: "line" },
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
  toText("dispatcher_notes", "Dispatcher's notes"),
  toText("driver_notes", "Notes for the driver"),
  toText("customer_notes", "Notes of the customer"),
  toText("invoice_notes", "Notes for the invoice"),
  { ...toText("fail_reason", "Why it failed"), as: "line" },
];

function toText(name: keyof JobChanges & keyof typeof jobTextLengths, label: string): JobField {
  return {
    as: "lines",
    charsMax: jobTextLengths[name],
    label,
    names: [name],
    read: (text) => ({ changes: { [name]: text === "" ? null : text } }),
    show: (job) => job[name] ?? "",
  };
}

/** What is chosen is what the service takes, so that it is never refused here. */
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
