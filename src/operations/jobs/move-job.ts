import type * as z from "zod";
import type { Context } from "../../core/context.ts";
import { defineOperation } from "../../core/operation.ts";
import { failure } from "../../errors/errors.ts";
import { id } from "../../models/fields.ts";
import { JobModel } from "../../models/job.ts";
import { MoveJobModel } from "../../models/job-changes.ts";
import { isAhead, jobStateTable, toJobState } from "../../models/job-state.ts";
import type { Job } from "../../store/queries/job-record.ts";
import { found } from "../records.ts";
import { changeJob } from "./change-job.ts";
import { readTruckDay, refuseMisplaced, toPriorities } from "./job-order.ts";
import { getJob } from "./read-jobs.ts";

export const moveJob = defineOperation({
  name: "jobs.move",
  summary: "Move a job among those of its truck and day",
  description:
    "Exactly one of before, first and last says where. The jobs that the truck still has to do on that day are ordered by date and time, then by priority: priorities are set, of this job alone where they leave room, else of all jobs of its date.",
  route: "PATCH /locations/{location_id}/jobs/{job_id}/move",
  params: { job_id: id(), location_id: id().describe("location identifier") },
  body: MoveJobModel,
  output: JobModel,
  // Those that may change the priority of any job (OP-45).
  allow: ["Admin", "Dispatcher", "ThirdPartyDispatcher"],
  changes: { record: getJob, emits: ["Job"] },
  extension: true,
  async run(context, { params, body }) {
    const { job_id: jobId, location_id: locationId } = params;
    const { job } = found(await context.store.jobs.findToChange(locationId, jobId), "job", jobId);
    const place = toPlace(body);
    const others = (await findCompany(context, job)).filter((other) => other.id !== jobId);
    const wanted = insert(job, others, place);
    const priorities = toPriorities(wanted, jobId);
    for (const { id: otherId, priority } of priorities)
      if (otherId !== jobId) await setPriority(context, locationId, otherId, priority);
    const own = priorities.find((changed) => changed.id === jobId);
    return setPriority(context, locationId, jobId, own ? own.priority : job.priority);
  },
});

const model = "MoveJobModel";

type Place = "first" | "last" | { before: number };

function toPlace({ before, first, last }: z.output<typeof MoveJobModel>): Place {
  const places: Place[] = [
    ...(typeof before === "number" ? [{ before }] : []),
    ...(first === true ? (["first"] as const) : []),
    ...(last === true ? (["last"] as const) : []),
  ];
  const [place] = places;
  if (place !== undefined && places.length === 1) return place;
  const code = places.length === 0 ? "missing_value" : "invalid_format";
  throw failure(code, `${model} must have before, or first true, or last true: one of them.`, model);
}

/** The jobs that its truck still has to do on its day, in their order; the job itself is one of them. */
async function findCompany(context: Context, job: Job): Promise<Job[]> {
  const state = toJobState(job);
  if (job.truck_id === null || !isAhead(state)) {
    const why = job.truck_id === null ? "is on no truck" : jobStateTable[state].is;
    throw failure(
      "state_conflict",
      `Job ${job.id} ${why}: only what a truck still has to do has a place in its order.`,
    );
  }
  return readTruckDay(context, { ...job, truck_id: job.truck_id }, { isOpen: true });
}

/** Throws for a place that there is not, or that dates and times leave no room for. */
function insert(job: Job, others: readonly Job[], place: Place): Job[] {
  const at = place === "first" ? 0 : place === "last" ? others.length : findPlace(job, others, place.before);
  const wanted = [...others.slice(0, at), job, ...others.slice(at)];
  const isAboutIt = ({ id }: { id: number }) => id === job.id;
  refuseMisplaced(wanted, (earlier, later) => isAboutIt(earlier) || isAboutIt(later), model);
  return wanted;
}

function findPlace(job: Job, others: readonly Job[], before: number): number {
  const at = others.findIndex((other) => other.id === before);
  if (at >= 0) return at;
  const detail =
    before === job.id
      ? `${model}.before: job ${job.id} cannot be moved before itself.`
      : `${model}.before: job ${before} is not among the ${others.length} others that truck ${job.truck_id} still has to do on that day.`;
  throw failure("unknown_reference", detail, `${model}.before`);
}

function setPriority(context: Context, locationId: number, jobId: number, priority: number | null) {
  return changeJob(context, { asked: [], jobId, locationId, model, sent: { priority } });
}
