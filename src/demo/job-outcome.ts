import type { CreateJobRequestBody } from "../models/create-job.ts";
import { toTimestamp } from "../runtime/clock.ts";
import { hourInMs, minuteInMs } from "./calendar.ts";
import type { DecidedJob } from "./decided-job.ts";
import type { Random } from "./random.ts";
import { driverSentences, failReasons, invoiceSentences, toNote } from "./texts.ts";

type JobBody = Partial<CreateJobRequestBody>;

/** The fields of a job that is on a truck, in the order of its route; null when it is on none. */
export function toDispatch({ course, slot, times }: DecidedJob, random: Random): JobBody | null {
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

/** The fields that say how far a job has come, with the moment of its last change. */
export function toOutcome(job: DecidedJob, random: Random): JobBody {
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
    case "waiting":
      return toAcknowledgement(job, random);
    case "under way": {
      const startedOn = toTimestamp(startMs);
      return { arrived_on: startedOn, is_acknowledged: true, last_updated_on: startedOn };
    }
    case "failed":
      return toFailure(job, random);
    case "done":
      return toCompletion(job, random);
  }
}

function toAcknowledgement({ nowMs, slot, times }: DecidedJob, random: Random): JobBody {
  const isAcknowledged = random.chance(slot.daysAhead === 0 ? 0.6 : 0.15);
  const afterMs = isAcknowledged ? random.between(10, 120) * minuteInMs : 0;
  return {
    is_acknowledged: isAcknowledged,
    last_updated_on: toTimestamp(Math.min(nowMs, times.dispatchedMs + afterMs)),
  };
}

function toFailure({ times }: DecidedJob, random: Random): JobBody {
  const { startMs, endMs } = times;
  return {
    arrived_at_destination_on: midway(startMs, endMs, 0.4),
    arrived_on: toTimestamp(startMs),
    driver_notes: random.chance(0.5) ? toNote(driverSentences, random) : null,
    fail_reason: random.pick(failReasons),
    is_acknowledged: true,
    is_failed: true,
    last_updated_on: midway(startMs, endMs, 0.6),
    times_failed: random.between(1, 2),
  };
}

function toCompletion({ completedBy, task, times }: DecidedJob, random: Random): JobBody {
  const { startMs, endMs } = times;
  const at = (share: number) => midway(startMs, endMs, share);
  return {
    arrived_at_destination_on: at(0.25),
    arrived_on: at(0),
    completed_by: completedBy.id,
    completed_on: at(1),
    departed_on: at(0.5),
    driver_notes: completedBy.isDriver && random.chance(0.3) ? toNote(driverSentences, random) : null,
    invoice_notes: random.chance(0.15) ? toNote(invoiceSentences, random) : null,
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

/** A moment between two others, by its share of the time between them. */
function midway(fromMs: number, toMs: number, share: number) {
  return toTimestamp(fromMs + Math.floor((toMs - fromMs) * share));
}
