import { type CreateJobRequestBody, CreateJobRequestBodyModel } from "../models/create-job.ts";
import type { JobType } from "../models/job-types.ts";
import { toTimestamp } from "../runtime/clock.ts";
import type { AssetKind } from "./data.ts";
import * as data from "./data.ts";
import type { Random } from "./random.ts";
import {
  type Crew,
  dayInMs,
  hourInMs,
  minuteInMs,
  moveAsset,
  type Site,
  takeFromYard,
  takeStanding,
  type Yard,
  type YardAsset,
} from "./yard.ts";

/** A job's position in a crew's day. */
export interface Slot {
  crew: Crew;
  /** The stored day: midnight UTC. */
  dayMs: number;
  /** The start of work on that day at the yard. */
  opensMs: number;
  /** 0 is today; past days are negative. */
  daysAhead: number;
  /** The number of the crew's jobs on that day. */
  ofDay: number;
  /** From 0, in the order of the route. */
  position: number;
  yard: Yard;
}

/** `waiting`: open and on a truck. `open`: without a truck. */
type Course = "deleted" | "declined" | "done" | "failed" | "open" | "under way" | "waiting";

/** Milliseconds since 1970. */
interface JobTimes {
  createdMs: number;
  dispatchedMs: number;
  startMs: number;
  endMs: number;
}

/** The work of a job and its known assets. */
export interface Task {
  /** The asset at the site that the driver takes, empties, or swaps. */
  asset: YardAsset | null;
  /** The asset from the yard that the driver leaves at the site. */
  dropped: YardAsset | null;
  kind: AssetKind;
  site: Site;
  type: JobType;
}

export interface DecidedJob {
  /** The user or driver that completes the job, if it is done. */
  completedBy: { id: number; isDriver: boolean };
  course: Course;
  nowMs: number;
  slot: Slot;
  task: Task;
  times: JobTimes;
}

function isOpen(course: Course): boolean {
  return course === "open" || course === "under way" || course === "waiting";
}

/** Each crew has at least this many open jobs today, at any hour. */
const openTodayMin = 3;

export function chooseCourse(slot: Slot, times: JobTimes, nowMs: number, random: Random): Course {
  const { daysAhead, ofDay, position } = slot;
  // After two days, another driver has completed the declined jobs.
  const declined = daysAhead < -2 ? 0 : 3;
  if (daysAhead < 0) return random.weighted({ done: 91 - declined, failed: 5, declined, deleted: 4 });
  if (daysAhead > 0) {
    // Jobs further ahead are less likely to have a truck.
    const waiting = daysAhead <= 2 ? 65 : daysAhead <= 4 ? 30 : 6;
    return random.weighted({ waiting, open: 98 - waiting, deleted: 2 });
  }
  const jobsAfter = ofDay - 1 - position;
  if (jobsAfter === 0) return "waiting";
  if (jobsAfter >= openTodayMin && times.endMs <= nowMs) return random.weighted({ done: 94, failed: 6 });
  if (times.startMs <= nowMs && nowMs < times.endMs) return "under way";
  return random.weighted({ waiting: 80, open: 12, declined: 4, deleted: 4 });
}

/** The longest time between a job's creation and its day. */
export const leadDaysMax = 10;

const workdayMs = 10 * hourInMs;
const jobMsMax = 2 * hourInMs;

/** Creation and dispatch lie before now, even for a job far ahead. */
export function toJobTimes({ ofDay, opensMs, position }: Slot, nowMs: number, random: Random): JobTimes {
  const bookedMs =
    opensMs - random.between(1, leadDaysMax) * dayInMs + random.between(0, 10 * 60) * minuteInMs;
  const createdMs = Math.min(bookedMs, nowMs - random.between(60, 72 * 60) * minuteInMs);
  const slotMs = Math.floor(workdayMs / ofDay);
  const startMs = opensMs + position * slotMs + random.between(0, Math.floor(slotMs / 10));
  return {
    createdMs,
    // The afternoon before, or now if that is in the future.
    dispatchedMs: Math.max(createdMs, Math.min(opensMs - 15 * hourInMs, nowMs)),
    startMs,
    endMs: startMs + Math.floor((Math.min(slotMs, jobMsMax) * random.between(50, 85)) / 100),
  };
}

/** Names the asset to drop only if the course of the job implies that it is known. */
export function chooseTask({ crew, dayMs, yard }: Slot, course: Course, random: Random): Task {
  const { hauls, jobs } = data.truckTypes[crew.plan.type];
  const type = random.weighted<JobType>(jobs);
  const asset = type === "D" || type === "L" ? null : takeStanding(yard, hauls, dayMs, random);
  const kind = asset?.kind ?? random.weighted<AssetKind>(hauls);
  const namesDropped = (type === "D" || type === "E") && knowsDropped(course, random);
  return {
    asset,
    dropped: namesDropped ? takeFromYard(yard, kind, dayMs, random) : null,
    kind,
    site: asset?.stands.site ?? random.pick(yard.sites),
    type,
  };
}

function knowsDropped(course: Course, random: Random): boolean {
  return course === "done" || (isOpen(course) && course !== "open" && random.chance(0.5));
}

/** A done job moves its assets; an open job reserves them. */
export function moveAssets({ asset, dropped, site, type }: Task, course: Course, atMs: number): void {
  if (course === "done") {
    if (asset && type === "R") asset.lastMovedMs = atMs;
    else if (asset) moveAsset(asset, null, atMs);
    if (dropped) moveAsset(dropped, site, atMs);
  } else if (isOpen(course)) {
    if (asset && type !== "R") asset.isPromised = true;
    if (dropped) dropped.isPromised = true;
  }
}

type JobBody = Partial<CreateJobRequestBody>;

export function toJobBody(job: DecidedJob, random: Random): CreateJobRequestBody {
  return Object.assign(
    { ...unset },
    toTaskFields(job.task, job.slot.yard, random),
    toPaperwork(job, random),
    toSchedule(job, random),
    { requested_on: toTimestamp(job.times.createdMs) },
    toDispatch(job, random),
    toOutcome(job, random),
  );
}

// Bodies of one shape save a fifth of the time of 100,000 jobs.
const unset = Object.fromEntries(Object.keys(CreateJobRequestBodyModel.shape).map((name) => [name, null]));

function toTaskFields(task: Task, yard: Yard, random: Random): JobBody {
  const { asset, dropped, kind, site, type } = task;
  const namesAssetType = "DEL".includes(type);
  const isWished = namesAssetType && !dropped && random.chance(0.6);
  return {
    address_id: site.addressId,
    asset_dropped_id: dropped?.id ?? null,
    asset_id: asset?.id ?? null,
    asset_type_id: namesAssetType ? yard.assetTypeIds[kind] : null,
    customer_id: site.customerId,
    desired_asset_desc: isWished ? `${kind}, ${random.pick(data.assetWishes)}` : null,
    dump_location_id: type === "D" ? null : site.landfillId,
    ends_at_customer: "DR".includes(type),
    final_location_id: type === "P" ? yard.holdingAreaId : null,
    // Some jobs are requested by the head office.
    requested_by: site.headOfficeId !== null && random.chance(0.2) ? site.headOfficeId : site.customerId,
    start_location_id: "DE".includes(type) ? yard.holdingAreaId : null,
    starts_at_customer: "PR".includes(type),
    type,
    ...toRouteFields(kind, type, random),
  };
}

function toRouteFields(kind: AssetKind, type: JobType, random: Random): JobBody {
  if (!data.assetKinds[kind].isServiced) return {};
  const weekday = random.between(1, 5);
  const routeId = 10 + weekday;
  if (type === "R") {
    const recur_active = random.chance(0.9);
    return { asset_quantity: 1, dispatched_by_route: routeId, recur_active, recur_enabled: true };
  }
  if (type !== "D") return {};
  const frequency_weeks = random.chance(0.8) ? 1 : 2;
  return {
    add_to_routes: String(routeId),
    add_to_routes_settings: [{ day_of_week: weekday, frequency_weeks, route_id: routeId }],
  };
}

function toPaperwork({ completedBy, course }: DecidedJob, random: Random): JobBody {
  const sometimes = <T>(probability: number, value: () => T) => (random.chance(probability) ? value() : null);
  // A driver cannot complete a job without required images and weights, which the demo lacks.
  const isRequired = (probability: number) =>
    !(course === "done" && completedBy.isDriver) && random.chance(probability);
  return {
    customer_notes: sometimes(0.2, () => random.note(data.customerSentences)),
    dispatch_priority: sometimes(0.6, () => random.weighted({ H: 1, M: 3, L: 2 })),
    dispatcher_notes: sometimes(0.45, () =>
      random.chance(0.04) ? random.pick(data.siteInstructions) : random.note(data.dispatcherSentences),
    ),
    flags: sometimes(0.1, () => random.pick(data.jobFlags)),
    reference_number: sometimes(0.6, () => toReference(random)),
    require_image: isRequired(0.15),
    require_material: isRequired(0.1),
    require_materials: isRequired(0.04),
    require_signature: isRequired(0.15),
    require_weights: isRequired(0.2),
  };
}

function toReference(random: Random): string {
  const number = random.between(10_000, 99_999);
  return random.pick([`PO-${number}`, `PO ${number}`, `WO/${number}-A`, `Job ${number}`, String(number)]);
}

function toSchedule({ course, slot, task, times }: DecidedJob, random: Random): JobBody {
  const { dayMs, daysAhead } = slot;
  if (course === "open" && daysAhead > 1 && random.chance(0.06)) return {};
  const rolledOverDays = course !== "deleted" && random.chance(0.05) ? random.between(1, 3) : 0;
  const windowMs = Math.floor(times.startMs / hourInMs) * hourInMs;
  const hasWindow = random.chance(0.7);
  const wantsPickup = task.type === "D" && isOpen(course) && random.chance(0.25);
  return {
    desired_end_time: hasWindow ? toTimestamp(windowMs + 2 * hourInMs) : null,
    desired_start_time: hasWindow ? toTimestamp(windowMs) : null,
    original_schedule_date: toTimestamp(dayMs - rolledOverDays * dayInMs),
    pickup_date: wantsPickup ? toTimestamp(dayMs + random.between(5, 14) * dayInMs) : null,
    schedule_date: toTimestamp(dayMs),
    times_rolled_over: rolledOverDays,
  };
}

/** The fields of a dispatched job; null for a job without a truck. */
function toDispatch({ course, slot, times }: DecidedJob, random: Random): JobBody | null {
  if (course === "open" || course === "deleted") return null;
  const { createdMs, dispatchedMs } = times;
  const isConfirmed = random.chance(0.1);
  return {
    confirmed_on: isConfirmed ? midway(createdMs, dispatchedMs, 0.5) : null,
    dispatched_on: toTimestamp(dispatchedMs),
    do_confirm: isConfirmed,
    priority: -1 - slot.position,
    third_party_hauler_id: slot.crew.plan.haulerId ?? null,
    truck_id: slot.crew.truckId,
  };
}

/** The fields of the job's state. */
function toOutcome(job: DecidedJob, random: Random): JobBody {
  const { course, nowMs, times } = job;
  const { createdMs, dispatchedMs, startMs } = times;
  const byNow = (epochMs: number) => toTimestamp(Math.min(nowMs, epochMs));
  switch (course) {
    case "open":
      return { do_confirm: random.chance(0.1), last_updated_on: byNow(createdMs + hourInMs) };
    case "deleted":
      return { is_deleted: true, last_updated_on: byNow(createdMs + 6 * hourInMs) };
    case "declined":
      return { is_declined: true, last_updated_on: byNow(dispatchedMs + 20 * minuteInMs) };
    case "waiting": {
      const is_acknowledged = random.chance(job.slot.daysAhead === 0 ? 0.6 : 0.15);
      const afterMs = is_acknowledged ? random.between(10, 120) * minuteInMs : 0;
      return { is_acknowledged, last_updated_on: byNow(dispatchedMs + afterMs) };
    }
    case "under way": {
      const arrived_on = toTimestamp(startMs);
      return { arrived_on, is_acknowledged: true, last_updated_on: arrived_on };
    }
    case "failed":
      return toFailure(job, random);
    case "done":
      return toCompletion(job, random);
  }
}

function toFailure({ times }: DecidedJob, random: Random): JobBody {
  const { startMs, endMs } = times;
  return {
    arrived_at_destination_on: midway(startMs, endMs, 0.4),
    arrived_on: toTimestamp(startMs),
    driver_notes: random.chance(0.5) ? random.note(data.driverSentences) : null,
    fail_reason: random.pick(data.failReasons),
    is_acknowledged: true,
    is_failed: true,
    last_updated_on: midway(startMs, endMs, 0.6),
    times_failed: random.between(1, 2),
  };
}

function toCompletion({ completedBy, task, times }: DecidedJob, random: Random): JobBody {
  const at = (share: number) => midway(times.startMs, times.endMs, share);
  return {
    arrived_at_destination_on: at(0.25),
    arrived_on: at(0),
    completed_by: completedBy.id,
    completed_on: at(1),
    departed_on: at(0.5),
    driver_notes: completedBy.isDriver && random.chance(0.3) ? random.note(data.driverSentences) : null,
    invoice_notes: random.chance(0.15) ? random.note(data.invoiceSentences) : null,
    is_acknowledged: true,
    is_completed: true,
    is_paid: random.chance(0.6),
    last_updated_on: at(1),
    started_on: at(0.3),
    times_failed: random.chance(0.04) ? 1 : 0,
    ...(task.type !== "D" && {
      dumped_on: at(0.8),
      scale_ticket: `T-${random.between(100_000, 999_999)}`,
      weighed_on: at(0.75),
    }),
  };
}

function midway(fromMs: number, toMs: number, share: number) {
  return toTimestamp(fromMs + Math.floor((toMs - fromMs) * share));
}
