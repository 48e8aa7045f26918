import { type CreateJobRequestBody, CreateJobRequestBodyModel } from "../models/create-job.ts";
import { toTimestamp } from "../runtime/clock.ts";
import { dayInMs, hourInMs } from "./calendar.ts";
import type { DecidedJob } from "./decided-job.ts";
import { isOpen } from "./job-course.ts";
import { toDispatch, toOutcome } from "./job-outcome.ts";
import { toTaskFields } from "./job-task.ts";
import type { Random } from "./random.ts";
import * as texts from "./texts.ts";

type JobBody = Partial<CreateJobRequestBody>;

/** Writes a job down as a valid CreateJobRequestBodyModel of the moment `last_updated_on`. */
export function toJobBody(job: DecidedJob, random: Random): CreateJobRequestBody {
  const { slot, task, times } = job;
  return Object.assign(
    { ...unset },
    toTaskFields(task, slot.yard, random),
    toPaperwork(job, random),
    toSchedule(job, random),
    { requested_on: toTimestamp(times.createdMs) },
    toDispatch(job, random),
    toOutcome(job, random),
  );
}

// One shape for all bodies makes filling and copying them cheap: it saves a fifth of the time of 100,000 jobs.
const unset = Object.fromEntries(Object.keys(CreateJobRequestBodyModel.shape).map((name) => [name, null]));

function toPaperwork({ completedBy, course }: DecidedJob, random: Random): JobBody {
  const sometimes = <T>(probability: number, value: () => T) => (random.chance(probability) ? value() : null);
  // A driver could not have completed the job before these were there (OP-46), and the demo has no images or weights.
  const isRequired = (probability: number) =>
    !(course === "done" && completedBy.isDriver) && random.chance(probability);
  return {
    customer_notes: sometimes(0.2, () => texts.toNote(texts.customerSentences, random)),
    dispatch_priority: sometimes(0.6, () => random.weighted({ H: 1, M: 3, L: 2 })),
    dispatcher_notes: sometimes(0.45, () => texts.toDispatcherNote(random)),
    flags: sometimes(0.1, () => random.pick(texts.jobFlags)),
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
