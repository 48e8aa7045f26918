import { setImmediate } from "node:timers/promises";
import { toEpochMs, toTimestamp } from "../runtime/clock.ts";
import { bringOutFirst, saveAssets } from "./asset-moves.ts";
import type { PlannedDay } from "./calendar.ts";
import { type Slot, workdayStarts } from "./job-times.ts";
import { makeJob } from "./make-job.ts";
import type { Random } from "./random.ts";
import type { Company, Crew, Filling, Yard } from "./yard.ts";

/** Jobs that are made and stored at once: a transaction for each would wait for the disk each time. */
const batchSize = 500;

/**
 * Makes the jobs of the planned days batch by batch, in the same memory whatever their number, and leaves the assets
 * where the jobs bring them. The jobs have no events and no audit rows: they are the past of a store that was not there.
 */
export async function fillJobs(
  filling: Filling,
  companies: readonly Company[],
  days: readonly PlannedDay[],
  onStored: (jobs: number) => void,
): Promise<void> {
  const { nowMs, random, service } = filling;
  const yards = companies.flatMap((company) => company.yards);
  for (const yard of yards) bringOutFirst(yard, days[0]?.dayMs ?? nowMs, random);
  for (const slots of inBatches(toSlots(yards, days, random))) {
    for (const company of companies) await storeJobs(filling, company, slots);
    onStored(slots.length);
    // SQLite answers at once, so without this no timer and no signal would be heard until the end.
    await setImmediate();
  }
  for (const { owner, yards: own } of companies) {
    await service.store.write(owner.scope, async (tenant) => {
      for (const yard of own) await saveAssets(tenant, yard);
    });
  }
}

/** Makes and stores the company's jobs of a batch in one transaction. */
async function storeJobs(
  { nowMs, random, service }: Filling,
  { owner, yards }: Company,
  slots: readonly Slot[],
): Promise<void> {
  await service.store.write(owner.scope, async (tenant) => {
    for (const slot of slots) {
      if (!yards.includes(slot.yard)) continue;
      const { metadata, fields } = makeJob(slot, nowMs, random);
      await tenant.jobs.insert(fields, metadata);
    }
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

/** Deals the jobs of each day out to the crews that are in service, round by round. */
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

/** When work begins on a day, by the clocks of the yard. */
function toOpening({ zone }: Yard, dayMs: number): number {
  const [opens] = zone.momentsOf(toTimestamp(dayMs).slice(0, 10), workdayStarts).moments;
  if (opens === undefined) throw new Error(`${zone.name} has a day without its morning.`);
  return toEpochMs(opens);
}

function isInService({ plan }: Crew, daysAhead: number): boolean {
  return plan.outOfService === undefined || daysAhead < -plan.outOfService.days;
}
