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
  summary: "Move a job among the jobs of its truck and day",
  description:
    "Give exactly one of before, first, and last. Open jobs of the truck's day are ordered by date and time, then by priority. The move sets the priority of this job where its neighbors leave room, else the priorities of all jobs of its date.",
  route: "PATCH /locations/{location_id}/jobs/{job_id}/move",
  params: { job_id: id(), location_id: id().describe("location identifier") },
  body: MoveJobModel,
  output: JobModel,
  // These roles may change the priority of any job.
  allow: ["Admin", "Dispatcher", "ThirdPartyDispatcher"],
  changes: { record: getJob, emits: ["Job"] },
  extension: true,
  async run(context, { params, body }) {
    const { job_id: jobId, location_id: locationId } = params;
    const { job } = found(await context.store.jobs.findToChange(locationId, jobId), "job", jobId);
    const position = toPosition(body);
    const others = (await findCompany(context, job)).filter((other) => other.id !== jobId);
    const wanted = insert(job, others, position);
    const priorities = toPriorities(wanted, jobId);
    for (const { id: otherId, priority } of priorities)
      if (otherId !== jobId) await setPriority(context, locationId, otherId, priority);
    const own = priorities.find((changed) => changed.id === jobId);
    return setPriority(context, locationId, jobId, own ? own.priority : job.priority);
  },
});

const model = "MoveJobModel";

type Position = "first" | "last" | { before: number };

function toPosition({ before, first, last }: z.output<typeof MoveJobModel>): Position {
  const positions: Position[] = [
    ...(typeof before === "number" ? [{ before }] : []),
    ...(first === true ? (["first"] as const) : []),
    ...(last === true ? (["last"] as const) : []),
  ];
  const [position] = positions;
  if (position !== undefined && positions.length === 1) return position;
  const code = positions.length === 0 ? "missing_value" : "invalid_format";
  throw failure(code, `${model} must have before, or first true, or last true: one of them.`, model);
}

/** The open jobs of the same truck and day in order, including the job. */
async function findCompany(context: Context, job: Job): Promise<Job[]> {
  const state = toJobState(job);
  if (job.truck_id === null || !isAhead(state)) {
    const why = job.truck_id === null ? "is on no truck" : jobStateTable[state].is;
    throw failure(
      "state_conflict",
      `Job ${job.id} ${why}: only an open job on a truck has a position in its order.`,
    );
  }
  return readTruckDay(context, { ...job, truck_id: job.truck_id }, { isOpen: true });
}

/** Throws for a position that does not exist, or that dates and times forbid. */
function insert(job: Job, others: readonly Job[], position: Position): Job[] {
  const at =
    position === "first" ? 0 : position === "last" ? others.length : findIndex(job, others, position.before);
  const wanted = [...others.slice(0, at), job, ...others.slice(at)];
  const isAboutIt = ({ id }: { id: number }) => id === job.id;
  refuseMisplaced(wanted, (earlier, later) => isAboutIt(earlier) || isAboutIt(later), model);
  return wanted;
}

function findIndex(job: Job, others: readonly Job[], before: number): number {
  const at = others.findIndex((other) => other.id === before);
  if (at >= 0) return at;
  const detail =
    before === job.id
      ? `${model}.before: job ${job.id} cannot be moved before itself.`
      : `${model}.before: job ${before} is not one of the ${others.length} other open jobs of truck ${job.truck_id} on that day.`;
  throw failure("unknown_reference", detail, `${model}.before`);
}

function setPriority(context: Context, locationId: number, jobId: number, priority: number | null) {
  return changeJob(context, { asked: [], jobId, locationId, model, sent: { priority } });
}
