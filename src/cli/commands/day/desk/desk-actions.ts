import type { BoardJob, BoardTruck } from "../../../../board/board.ts";
import { boardActions, type JobCalls, toNextPlace } from "../../../../board/board-actions.ts";
import type { Done } from "../../../../board/board-undo.ts";
import type { Caller } from "../../../../core/caller.ts";
import { DispatchError, failure } from "../../../../errors/errors.ts";
import { toFieldValue } from "../../../../local-time/field-time.ts";
import { readTime, type TypedAt } from "../../../../local-time/read-time.ts";
import { sayDay, showDayOrMoment } from "../../../../local-time/show-time.ts";
import { newestVersion } from "../../../../models/api-versions.ts";
import { isAhead } from "../../../../models/job-state.ts";
import { type AnswerNamed, createClient, type RequestNamed } from "../../../../operations/client.ts";
import { loadOperation } from "../../../../operations/index.ts";

/**
 * What keys do with a job, in a store and on a server alike. Each throws the refusal of the target, and state_conflict
 * where the job is no longer what the board shows: who presses a key has seen that, and means that.
 */
export function deskActions(caller: Caller) {
  const { change, place, plan } = boardActions(toJobCalls(caller));
  const toDone = ({ id }: BoardJob, note: string): Done => ({ jobId: id, note: `Job ${id} ${note}` });

  return {
    async assign(job: BoardJob, truck: { id: number; name: string } | null): Promise<Done> {
      await plan(job, { truck_id: truck?.id ?? null });
      return toDone(job, truck ? `→ ${truck.name}` : "is on no truck");
    },

    async complete(job: BoardJob): Promise<Done> {
      await change(job, { is_completed: true });
      return toDone(job, "completed");
    },

    async fail(job: BoardJob, reason: string): Promise<Done> {
      await change(job, { is_failed: true, ...(reason !== "" && { fail_reason: reason }) });
      return toDone(job, "failed");
    },

    async reschedule(job: BoardJob, text: string, at: TypedAt): Promise<Done> {
      const read = readTime(text, at);
      if ("refusal" in read) throw failure("usage", `"${text}" ${read.refusal}.`);
      const date = toFieldValue(read.time, "new_schedule_date", at.zone);
      await plan(job, { new_schedule_date: date });
      const view = { zone: at.zone, today: at.zone.dateOf(at.now) };
      const said = "day" in read.time ? sayDay(read.time.day, view) : showDayOrMoment(date, view);
      return toDone(job, `→ ${said}${read.note === null ? "" : ` (${read.note})`}`);
    },

    /** Does the job one place earlier (−1) or later (1); null where it is the first or the last already. */
    async move(job: BoardJob, truck: BoardTruck, by: -1 | 1): Promise<Done | null> {
      if (!truck.jobs.some(({ id, state }) => id === job.id && isAhead(state)))
        throw failure("state_conflict", `Job ${job.id} is nothing that ${truck.name} still has to do.`);
      const next = toNextPlace(job, truck.jobs, by);
      if (next === null) return null;
      await place(job, next);
      return toDone(job, by < 0 ? "is done earlier" : "is done later");
    },
  };
}

/** The calls by a caller of a store or a server. */
function toJobCalls(caller: Caller): JobCalls<JobChanges, AnswerNamed<"jobs.get">> {
  const client = createClient(caller);
  const paramsOf = ({ id, location_id }: Pick<BoardJob, "id" | "location_id">) => ({
    job_id: id,
    location_id,
  });
  const given = (ifMatch: string | undefined) => (ifMatch === undefined ? {} : { ifMatch });
  return {
    async read({ id, location_id }) {
      const answer = await caller.call(await loadOperation("jobs.get"), {
        params: { job_id: String(id), location_id: String(location_id) },
        query: {},
        body: undefined,
        version: newestVersion,
        dryRun: false,
      });
      if (answer.kind !== "json") throw new Error("A job is no file.");
      // A target answers what the operation declares.
      const job = JSON.parse(answer.text) as AnswerNamed<"jobs.get">;
      return { etag: answer.etag ?? undefined, job };
    },
    dispatch: (job, body, ifMatch) =>
      client.call("jobs.dispatch", { params: paramsOf(job), body, ...given(ifMatch) }),
    move: (job, body, ifMatch) =>
      client.call("jobs.move", { params: paramsOf(job), body, ...given(ifMatch) }),
    update: (job, body, ifMatch) =>
      client.call("jobs.update", { params: paramsOf(job), body, ...given(ifMatch) }),
    isRefusal: (error, code) => error instanceof DispatchError && error.code === code,
    toConflict: (detail) => failure("state_conflict", detail),
  };
}

type JobChanges = RequestNamed<"jobs.update">["body"];
