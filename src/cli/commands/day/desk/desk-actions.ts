import type { BoardJob, BoardTruck } from "../../../../board/board.ts";
import type { Caller } from "../../../../core/caller.ts";
import { DispatchError, failure } from "../../../../errors/errors.ts";
import { toFieldValue } from "../../../../local-time/field-time.ts";
import { readTime, type TypedAt } from "../../../../local-time/read-time.ts";
import { sayDay, showDayOrMoment } from "../../../../local-time/show-time.ts";
import { newestVersion } from "../../../../models/api-versions.ts";
import { isAhead, jobStateTable, toJobState } from "../../../../models/job-state.ts";
import { type AnswerNamed, createClient, type RequestNamed } from "../../../../operations/client.ts";
import { loadOperation } from "../../../../operations/index.ts";
import type { Done } from "./desk.ts";

/**
 * What keys do with a job, in a store and on a server alike. Each throws the refusal of the target, and state_conflict
 * where the job is no longer what the board shows: who presses a key has seen that, and means that.
 */
export function deskActions(caller: Caller) {
  const client = createClient(caller);
  const paramsOf = ({ id, location_id }: BoardJob) => ({ job_id: id, location_id });
  const changed = ({ id }: BoardJob) => changedSince(id, "has changed");
  const update = async (job: BoardJob, body: RequestNamed<"jobs.update">["body"]) => {
    const ifMatch = await requireShown(caller, job);
    const request = { params: paramsOf(job), body, ifMatch };
    return client.call("jobs.update", request).catch(rethrow("precondition_failed", changed(job)));
  };
  const dispatch = async (job: BoardJob, body: RequestNamed<"jobs.dispatch">["body"]) => {
    const ifMatch = await requireShown(caller, job);
    const request = { params: paramsOf(job), body, ifMatch };
    return client.call("jobs.dispatch", request).catch(rethrow("precondition_failed", changed(job)));
  };
  const toDone = ({ id }: BoardJob, note: string): Done => ({ jobId: id, note: `Job ${id} ${note}` });

  return {
    async assign(job: BoardJob, truck: { id: number; name: string } | null): Promise<Done> {
      await dispatch(job, { truck_id: truck?.id ?? null });
      return toDone(job, truck ? `→ ${truck.name}` : "is on no truck");
    },

    async complete(job: BoardJob): Promise<Done> {
      await update(job, { is_completed: true });
      return toDone(job, "completed");
    },

    async fail(job: BoardJob, reason: string): Promise<Done> {
      await update(job, { is_failed: true, ...(reason !== "" && { fail_reason: reason }) });
      return toDone(job, "failed");
    },

    async reschedule(job: BoardJob, text: string, at: TypedAt): Promise<Done> {
      const read = readTime(text, at);
      if ("refusal" in read) throw failure("usage", `"${text}" ${read.refusal}.`);
      const date = toFieldValue(read.time, "new_schedule_date", at.zone);
      await dispatch(job, { new_schedule_date: date });
      const view = { zone: at.zone, today: at.zone.dateOf(at.now) };
      const said = "day" in read.time ? sayDay(read.time.day, view) : showDayOrMoment(date, view);
      return toDone(job, `→ ${said}${read.note === null ? "" : ` (${read.note})`}`);
    },

    /** Does the job one place earlier (−1) or later (1); null where it is the first or the last already. */
    async move(job: BoardJob, truck: BoardTruck, by: -1 | 1): Promise<Done | null> {
      const open = truck.jobs.filter(({ state }) => isAhead(state));
      const at = open.findIndex(({ id }) => id === job.id);
      if (at < 0)
        throw failure("state_conflict", `Job ${job.id} is nothing that ${truck.name} still has to do.`);
      if (open[at + by] === undefined) return null;
      const ifMatch = await requireShown(caller, job, { isPlaceMeant: true });
      const next = open[by < 0 ? at - 1 : at + 2];
      const body = next ? { before: next.id } : { last: true };
      const order = changedSince(job.id, "has other neighbours");
      await client
        .call("jobs.move", { params: paramsOf(job), body, ifMatch })
        .catch(rethrow("precondition_failed", changed(job)))
        .catch(rethrow("unknown_reference", order));
      return toDone(job, by < 0 ? "is done earlier" : "is done later");
    },
  };
}

/**
 * Reads a job before it is changed and gives the entity tag that the change is made for. Throws where others have given
 * it another truck, date or state than the board shows, or another place where that is meant.
 */
async function requireShown(
  caller: Caller,
  { id, location_id, priority, schedule_date, state, truck_id }: BoardJob,
  { isPlaceMeant = false } = {},
): Promise<string | undefined> {
  const answer = await caller.call(await loadOperation("jobs.get"), {
    params: { job_id: String(id), location_id: String(location_id) },
    query: {},
    body: undefined,
    version: newestVersion,
    dryRun: false,
  });
  if (answer.kind !== "json") throw new Error("A job is no file.");
  // A target answers what the operation declares.
  const now = JSON.parse(answer.text) as AnswerNamed<"jobs.get">;
  const isNow = toJobState(now);
  if (isNow !== state) throw changedSince(id, jobStateTable[isNow].is);
  if (now.truck_id !== truck_id) throw changedSince(id, "is on another truck");
  if (now.schedule_date !== schedule_date) throw changedSince(id, "has another date");
  if (isPlaceMeant && now.priority !== priority) throw changedSince(id, "has another place");
  return answer.etag ?? undefined;
}

function changedSince(id: number, how: string): DispatchError {
  return failure(
    "state_conflict",
    `Job ${id} ${how} by now: somebody else was faster. Nothing was done; the board shows it as it is.`,
  );
}

/** Says what a refusal of a kind means here. */
function rethrow(code: DispatchError["code"], meaning: DispatchError) {
  return (error: unknown): never => {
    throw error instanceof DispatchError && error.code === code ? meaning : error;
  };
}
