import type { Actor } from "../auth/actor.ts";
import { toNewJob } from "../operations/jobs/new-job.ts";
import { toTimestamp } from "../runtime/clock.ts";
import type { JobFields } from "../store/queries/job-record.ts";
import type { JobMetadata } from "../store/queries/jobs.ts";
import type { DecidedJob } from "./decided-job.ts";
import { toJobBody } from "./job-body.ts";
import { chooseCourse } from "./job-course.ts";
import { chooseTask, moveAssets } from "./job-task.ts";
import { type Slot, toJobTimes } from "./job-times.ts";
import type { Random } from "./random.ts";

/** A job as it is stored. */
export interface MadeJob {
  metadata: JobMetadata;
  fields: JobFields;
}

/** Makes the job of a slot, and moves the assets that it moved. Slots must come in the order of their days. */
export function makeJob(slot: Slot, nowMs: number, random: Random): MadeJob {
  const times = toJobTimes(slot, nowMs, random);
  const course = chooseCourse(slot, times, nowMs, random);
  const desk = random.pick(slot.yard.dispatchers);
  const job: DecidedJob = {
    completedBy: random.chance(0.78)
      ? { id: slot.crew.driverId, isDriver: true }
      : { id: desk.user.id, isDriver: false },
    course,
    nowMs,
    slot,
    task: chooseTask(slot, course, random),
    times,
  };
  const body = toJobBody(job, random);
  moveAssets(job.task, course, times.endMs);
  const metadata = toMetadata(job, desk, random);
  const creator = chooseCreator(job, desk, random);
  const fields = toNewJob(body, slot.yard.id, creator, toTimestamp(times.createdMs));
  return { fields, metadata: { ...metadata, changed_on: fields.last_updated_on } };
}

/** The desk, or the hauler's own for some of the jobs that its truck gets. */
function chooseCreator({ slot }: DecidedJob, desk: Actor, random: Random): Actor {
  const { haulerDispatcher } = slot.crew;
  return haulerDispatcher && random.chance(0.3) ? haulerDispatcher : desk;
}

/** Some jobs have no truck because they were given back (OP-43). */
function toMetadata(
  { completedBy, course, slot, times }: DecidedJob,
  desk: Actor,
  random: Random,
): JobMetadata {
  const isReturned = course === "open" && random.chance(0.12);
  const returnedByDriver = isReturned && random.chance(0.5);
  const returner = returnedByDriver ? slot.crew.driverId : desk.user.id;
  return {
    completed_by_driver: course === "done" && completedBy.isDriver,
    created_on: toTimestamp(times.createdMs),
    returned_by: isReturned ? returner : null,
    returned_by_driver: returnedByDriver,
  };
}
