import type { BoardJob, BoardTruck } from "../../../../board/board.ts";
import { boardActions, type JobPlan, toNextPlace } from "../../../../board/board-actions.ts";
import type { DoneAction } from "../../../../board/board-undo.ts";
import type { Client } from "../../../../client/client.ts";
import { failure } from "../../../../errors/errors.ts";
import { toFieldValue } from "../../../../local-time/field-time.ts";
import { readTime, type TypedAt } from "../../../../local-time/read-time.ts";
import { sayDay, showDayOrMoment } from "../../../../local-time/show-time.ts";
import { isAhead } from "../../../../models/job-state.ts";

/** Throw the service's error, and state_conflict if the job differs from the board. */
export function deskActions(client: Client) {
  const { dispatch, dispatchAll, move, update } = boardActions(client);
  const toDone = ({ id }: BoardJob, what: string): DoneAction => ({ jobId: id, label: `Job ${id} ${what}` });

  const dispatchThem = async (jobs: readonly BoardJob[], plan: JobPlan) => {
    const [first, ...others] = jobs;
    if (first && others.length === 0) await dispatch(first, plan);
    else await dispatchAll(jobs, plan);
  };
  const toDoneAll = (jobs: readonly BoardJob[], what: string): DoneAction => {
    const jobIds = jobs.map(({ id }) => id);
    const name = jobIds.length === 1 ? `Job ${jobIds[0]}` : `${jobIds.length} jobs`;
    return { jobId: jobIds.at(-1) ?? 0, jobIds, label: `${name} ${what}` };
  };

  return {
    async assign(jobs: readonly BoardJob[], truck: { id: number; name: string } | null): Promise<DoneAction> {
      await dispatchThem(jobs, { truck_id: truck?.id ?? null });
      return toDoneAll(jobs, truck ? `→ ${truck.name}` : `${jobs.length === 1 ? "is" : "are"} on no truck`);
    },

    async complete(job: BoardJob): Promise<DoneAction> {
      await update(job, { is_completed: true });
      return toDone(job, "completed");
    },

    async fail(job: BoardJob, reason: string): Promise<DoneAction> {
      await update(job, { is_failed: true, ...(reason !== "" && { fail_reason: reason }) });
      return toDone(job, "failed");
    },

    async reschedule(jobs: readonly BoardJob[], text: string, at: TypedAt): Promise<DoneAction> {
      const read = readTime(text, at);
      if ("refusal" in read) throw failure("usage", `"${text}" ${read.refusal}.`);
      const date = toFieldValue(read.time, "new_schedule_date", at.zone);
      await dispatchThem(jobs, { new_schedule_date: date });
      const view = { zone: at.zone, today: at.zone.dateOf(at.now) };
      const said = "day" in read.time ? sayDay(read.time.day, view) : showDayOrMoment(date, view);
      return toDoneAll(jobs, `→ ${said}${read.note === null ? "" : ` (${read.note})`}`);
    },

    async move(job: BoardJob, truck: BoardTruck, by: -1 | 1): Promise<DoneAction | null> {
      if (!truck.jobs.some(({ id, state }) => id === job.id && isAhead(state)))
        throw failure("state_conflict", `Job ${job.id} is not an open job of ${truck.name}.`);
      const next = toNextPlace(job, truck.jobs, by);
      if (next === null) return null;
      await move(job, next);
      return toDone(job, by < 0 ? "is done earlier" : "is done later");
    },
  };
}
