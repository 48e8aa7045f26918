import type { Context } from "../../core/context.ts";
import { defineOperation } from "../../core/operation.ts";
import { failure } from "../../errors/errors.ts";
import { id } from "../../models/fields.ts";
import { JobOrderModel, OrderJobsModel } from "../../models/job-changes.ts";
import type { Job } from "../../store/queries/job-record.ts";
import { trucks } from "../trucks.ts";
import { changeJob } from "./change-job.ts";
import { readTruckDay, refuseMisplaced, renumber } from "./job-order.ts";

export const orderTruckJobs = defineOperation({
  name: "trucks.order-jobs",
  summary: "Set the order of a truck's jobs of a day",
  description: "Jobs that you leave out follow in their current order.",
  route: "POST /locations/{location_id}/trucks/{truck_id}/order_jobs",
  params: { location_id: id().describe("location identifier"), truck_id: id() },
  body: OrderJobsModel,
  output: JobOrderModel,
  // These roles may change the priority of any job.
  allow: ["Admin", "Dispatcher", "ThirdPartyDispatcher"],
  changes: { emits: ["Job"] },
  extension: true,
  async run(context, { params, body }) {
    const { location_id: locationId, truck_id: truckId } = params;
    await trucks.find(context, params);
    const present = await readPresent(context, locationId, truckId, body.jobs);
    const presentIds = present.map((job) => job.id);
    if (body.was && String(body.was) !== String(presentIds))
      refuse(`The order of truck ${truckId} was changed since. It is now: ${presentIds.join(", ")}.`);
    const wanted = toWanted(present, body.jobs, truckId);
    refuseMisplaced(wanted, () => true, model);
    const priorities = toPriorities(present, wanted);
    for (const { id: jobId, priority } of priorities)
      await changeJob(context, { asked: [], jobId, locationId, model, sent: { priority } });
    return {
      changed: priorities.map((job) => job.id),
      jobs: wanted.map((job) => job.id),
      truck_id: truckId,
    };
  },
});

const model = "OrderJobsModel";

/** The truck's jobs on the day of the first named job, in current order. */
async function readPresent(
  context: Context,
  locationId: number,
  truckId: number,
  [first = 0]: readonly number[],
): Promise<Job[]> {
  const kept = await context.store.jobs.findToChange(locationId, first);
  if (kept?.job.truck_id !== truckId || kept.job.is_deleted)
    return refuse(`Job ${first} is not on truck ${truckId}, or was deleted.`);
  return readTruckDay(context, { ...kept.job, truck_id: truckId }, { isOpen: false });
}

/** The named jobs, then the others. Throws for a job of another day or truck. */
function toWanted(present: readonly Job[], named: readonly number[], truckId: number): Job[] {
  const byId = new Map(present.map((job) => [job.id, job]));
  const strange = named.filter((jobId) => !byId.has(jobId));
  if (strange.length > 0)
    refuse(`Not among the jobs of truck ${truckId} on that day: ${strange.join(", ")}.`);
  const first = named.flatMap((jobId) => byId.get(jobId) ?? []);
  return [...first, ...present.filter((job) => !named.includes(job.id))];
}

function refuse(detail: string): never {
  throw failure("state_conflict", detail, model);
}

/** Dates whose order stays the same need no change. */
function toPriorities(present: readonly Job[], wanted: readonly Job[]) {
  const dates = [...new Set(present.map((job) => job.schedule_date))];
  return dates.flatMap((date) => {
    const [now, then] = [present, wanted].map((jobs) => jobs.filter((job) => job.schedule_date === date));
    return String(now?.map((job) => job.id)) === String(then?.map((job) => job.id))
      ? []
      : renumber(then ?? []);
  });
}
