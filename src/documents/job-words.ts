import { showDay, showTimeOfDay, showWindow, type TimeView } from "../local-time/show-time.ts";
import { dayOf, toWholeDay } from "../local-time/whole-day.ts";
import { type LetterAddress, toAddressLines } from "../models/address-lines.ts";
import type { JobType } from "../models/job-types.ts";
import { showPhone } from "../models/show-phone.ts";
import type { Timestamp } from "../runtime/clock.ts";

export interface PrintedJob extends PlannedJob {
  asset_dropped_id?: number | null;
  asset_id?: number | null;
  customer_notes?: string | null;
  desired_asset_desc?: string | null;
  dispatcher_notes?: string | null;
  do_confirm?: boolean;
  driver_notes?: string | null;
  flags?: string | null;
  require_image?: boolean;
  require_material?: boolean;
  require_materials?: boolean;
  require_signature?: boolean;
  require_weights?: boolean;
  type: JobType;
}

interface PlannedJob {
  desired_end_time?: Timestamp | null;
  desired_start_time?: Timestamp | null;
  schedule_date?: Timestamp | null;
}

export function toWhen(
  { desired_end_time, desired_start_time, schedule_date }: PlannedJob,
  view: TimeView,
): { day: string | null; time: string | null } {
  const date = schedule_date ? dayOf(schedule_date, view.zone) : null;
  const window = showWindow({ end: textOf(desired_end_time), start: textOf(desired_start_time) }, date, view);
  const isMoment = schedule_date && toWholeDay(schedule_date) === null;
  const moment = isMoment ? showTimeOfDay(view.zone.toLocal(schedule_date), view.zone) : null;
  return { day: date && showDay(date, view), time: window || moment };
}

/** With the country, because paper may be read abroad. An unknown address has no lines. */
export function toPrintedAddress(address: LetterAddress | undefined): string[] {
  return address ? toAddressLines(address, { isAbroad: true }) : [];
}

/** The first contact with a phone number, else the first with a name. */
export function toContact(
  contacts: readonly { name: string | null; number: string | null }[],
): { name: string | null; phone: string | null } | null {
  const best = contacts.find(({ number }) => textOf(number)) ?? contacts.find(({ name }) => textOf(name));
  return best ? { name: textOf(best.name), phone: showPhone(textOf(best.number) ?? "") || null } : null;
}

/** The assets that the truck delivers and takes away. `names` maps asset ids to names. */
export function toAssets(
  job: PrintedJob,
  names: ReadonlyMap<number, string>,
): { assetIn: string | null; assetOut: string | null } {
  const nameOf = (id: number | null | undefined) => (id == null ? null : (names.get(id) ?? null));
  const dropped = nameOf(job.asset_dropped_id);
  const own = nameOf(job.asset_id);
  const desired = textOf(job.desired_asset_desc);
  if (job.type === "D") return { assetIn: dropped ?? own ?? desired, assetOut: null };
  return { assetIn: dropped ?? (job.type === "E" ? desired : null), assetOut: own };
}

export function toRequirements(job: PrintedJob): string[] {
  return toEntries(requirementNames).flatMap(([field, name]) => (job[field] === true ? [name] : []));
}

const requirementNames = {
  do_confirm: "confirm with the customer first",
  require_image: "image",
  require_material: "material",
  require_materials: "additional materials",
  require_signature: "signature",
  require_weights: "weights",
} satisfies Partial<Record<keyof PrintedJob, string>>;

/** Flags first, in bold, then the notes with their authors. */
export function toNotes(job: PrintedJob): PrintedNote[] {
  return toEntries(noteNames).flatMap(([field, label]) => {
    const text = textOf(job[field]);
    return text ? [{ isStrong: field === "flags", label, text }] : [];
  });
}

export interface PrintedNote {
  isStrong?: boolean;
  label: string;
  text: string;
}

const noteNames = {
  flags: "Flags",
  dispatcher_notes: "Dispatcher",
  customer_notes: "Customer",
  driver_notes: "Driver",
} satisfies Partial<Record<keyof PrintedJob, string>>;

export function textOf(value: string | null | undefined): string | null {
  return value === undefined || value === "" ? null : value;
}

function toEntries<Key extends string>(table: Readonly<Record<Key, string>>): [Key, string][] {
  return Object.entries(table) as [Key, string][];
}
