import { setImmediate } from "node:timers/promises";
import type { Actor } from "../core/actor.ts";
import { toNewJob } from "../operations/jobs/new-job.ts";
import { toEpochMs, toTimestamp } from "../runtime/clock.ts";
import {
  chooseCourse,
  chooseTask,
  type DecidedJob,
  moveAssets,
  type Slot,
  toJobBody,
  toJobTimes,
} from "./job.ts";
import type { Random } from "./random.ts";
import {
  type Company,
  type Crew,
  dayInMs,
  dropFirstAssets,
  type Filling,
  saveAssets,
  type Yard,
} from "./yard.ts";

export interface PlannedDay {
  /** Midnight, in milliseconds since 1970. */
  dayMs: number;
  /** 0 is today; past days are negative. */
  daysAhead: number;
  jobs: number;
}

/** The jobs of 18 trucks on a full day. */
const jobsOfFullDay = 100;

/** About four years of history. Beyond that, days get fuller instead. */
const workdaysMax = 1250;

/** Days in order: full workdays in the past, a full today (even a Sunday), fewer and fewer jobs on later days. */
export function planDays(todayMs: number, jobs: number, random: Random): PlannedDay[] {
  const fullDay = Math.max(jobsOfFullDay, Math.ceil(jobs / workdaysMax));
  const today = Math.min(fullDay, Math.ceil(jobs / 4));
  const ahead = Math.min(Math.round(jobs / 5), 15 * fullDay, jobs - today);
  const usualJobs = (dayMs: number) => {
    if (isSunday(dayMs)) return 0;
    const share = new Date(dayMs).getUTCDay() === 6 ? 0.3 : 1;
    return Math.round((fullDay * share * random.between(85, 115)) / 100);
  };
  return [
    ...spread(todayMs, -1, jobs - today - ahead, usualJobs).reverse(),
    ...(today > 0 ? [{ dayMs: todayMs, daysAhead: 0, jobs: today }] : []),
    ...spread(todayMs, 1, ahead, (dayMs, left) =>
      isSunday(dayMs) ? 0 : Math.min(fullDay, Math.ceil(left / 5)),
    ),
  ];
}

function spread(
  todayMs: number,
  direction: 1 | -1,
  jobs: number,
  jobsOn: (dayMs: number, left: number) => number,
): PlannedDay[] {
  const days: PlannedDay[] = [];
  let left = jobs;
  for (let daysAhead = direction; left > 0; daysAhead += direction) {
    const dayMs = todayMs + daysAhead * dayInMs;
    const count = Math.min(left, jobsOn(dayMs, left));
    if (count > 0) days.push({ dayMs, daysAhead, jobs: count });
    left -= count;
  }
  return days;
}

const isSunday = (dayMs: number) => new Date(dayMs).getUTCDay() === 0;

/** One transaction for each job would wait for the disk each time. */
const batchSize = 500;

/** Creates jobs in batches, because memory is limited. The jobs have no events and no audit entries. */
export async function makeJobs(
  { nowMs, random, service }: Filling,
  companies: readonly Company[],
  days: readonly PlannedDay[],
  onStored: (jobs: number) => void,
): Promise<void> {
  const yards = companies.flatMap((company) => company.yards);
  for (const yard of yards) dropFirstAssets(yard, days[0]?.dayMs ?? nowMs, random);
  for (const slots of inBatches(toSlots(yards, days, random))) {
    for (const { owner, yards: own } of companies)
      await service.store.write(owner.scope, async (tenant) => {
        for (const slot of slots) {
          if (!own.includes(slot.yard)) continue;
          const { metadata, fields } = toJob(slot, nowMs, random);
          await tenant.jobs.insert(fields, metadata);
        }
      });
    onStored(slots.length);
    // SQLite calls are synchronous: yield, so that timers and signals run.
    await setImmediate();
  }
  for (const { owner, yards: own } of companies)
    await service.store.write(owner.scope, async (tenant) => {
      for (const yard of own) await saveAssets(tenant, yard);
    });
}

function* inBatches(slots: Iterable<Slot>): Generator<Slot[]> {
  let batch: Slot[] = [];
  for (const slot of slots) {
    batch.push(slot);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Deals each day's jobs to the crews in service, round by round. */
function* toSlots(yards: readonly Yard[], days: readonly PlannedDay[], random: Random): Generator<Slot> {
  const crews = yards.flatMap((yard) => yard.crews.map((crew) => ({ crew, yard })));
  for (const { dayMs, daysAhead, jobs } of days) {
    const opens = new Map(yards.map((yard) => [yard, toOpening(yard, dayMs)]));
    const working = random.shuffle(crews.filter(({ crew }) => isInService(crew, daysAhead)));
    for (let job = 0; job < jobs; job++) {
      const turn = working[job % working.length];
      if (!turn) throw new Error("The demo plans no truck that is in service.");
      const position = Math.floor(job / working.length);
      const ofDay = Math.ceil((jobs - (job % working.length)) / working.length);
      const opensMs = opens.get(turn.yard) ?? dayMs;
      yield { ...turn, dayMs, daysAhead, ofDay, opensMs, position };
    }
  }
}

function toOpening({ zone }: Yard, dayMs: number): number {
  const start = { hour: 7, minute: 0, second: 0 };
  const [opens] = zone.momentsOf(toTimestamp(dayMs).slice(0, 10), start).moments;
  if (opens === undefined) throw new Error(`${zone.name} has a day without its morning.`);
  return toEpochMs(opens);
}

function isInService({ plan }: Crew, daysAhead: number): boolean {
  return plan.outOfService === undefined || daysAhead < -plan.outOfService.days;
}

/** Slots must come in the order of their days, because each job moves assets. */
function toJob(slot: Slot, nowMs: number, random: Random) {
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
  const { haulerDispatcher } = slot.crew;
  const creator = haulerDispatcher && random.chance(0.3) ? haulerDispatcher : desk;
  const fields = toNewJob(body, slot.yard.id, creator, toTimestamp(times.createdMs));
  return { fields, metadata: { ...metadata, changed_on: fields.last_updated_on } };
}

/** Some open jobs have no truck because a driver or dispatcher gave them back. */
function toMetadata({ completedBy, course, slot, times }: DecidedJob, desk: Actor, random: Random) {
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
