import { failure } from "../../../../errors/errors.ts";
import { toFieldValue } from "../../../../local-time/field-time.ts";
import { readTime, type TypedAt } from "../../../../local-time/read-time.ts";
import { sayDay, showDayOrMoment } from "../../../../local-time/show-time.ts";
import { isOver } from "../../../../models/job-state.ts";
import type { Client, RequestNamed } from "../../../../operations/client.ts";
import type { BoardJob, BoardTruck } from "../board.ts";
import type { Done } from "./desk.ts";

/** What keys do with a job, in a store and on a server alike. Each throws the refusal of the target. */
export function deskActions(client: Client) {
  const paramsOf = ({ id, location_id }: BoardJob) => ({ job_id: id, location_id });
  const update = (job: BoardJob, body: RequestNamed<"jobs.update">["body"]) =>
    client.call("jobs.update", { params: paramsOf(job), body });
  const dispatch = (job: BoardJob, body: RequestNamed<"jobs.dispatch">["body"]) =>
    client.call("jobs.dispatch", { params: paramsOf(job), body });
  const move = (job: BoardJob, body: RequestNamed<"jobs.move">["body"]) =>
    client.call("jobs.move", { params: paramsOf(job), body });

  /** Takes back what `undo` says, unless the job was changed since. */
  const toDone = (
    job: BoardJob,
    note: string,
    made: { last_updated_on: string | null },
    undo: () => Promise<unknown>,
  ): Done => ({
    jobId: job.id,
    note: `Job ${job.id} ${note}`,
    takeBack: async () => {
      const now = await client.call("jobs.get", { params: paramsOf(job) });
      if (now.last_updated_on === made.last_updated_on) return undo();
      throw failure(
        "state_conflict",
        `Job ${job.id} was changed since; look at \`jobs timeline ${job.id}\`.`,
      );
    },
  });

  return {
    async assign(job: BoardJob, truck: { id: number; name: string } | null): Promise<Done> {
      const made = await dispatch(job, { truck_id: truck?.id ?? null });
      return toDone(job, truck ? `→ ${truck.name}` : "is on no truck", made, () =>
        dispatch(job, { truck_id: job.truck_id }),
      );
    },

    async complete(job: BoardJob): Promise<Done> {
      const made = await update(job, { is_completed: true });
      return toDone(job, "completed", made, () => update(job, { is_completed: false }));
    },

    async fail(job: BoardJob, reason: string): Promise<Done> {
      const made = await update(job, { is_failed: true, ...(reason !== "" && { fail_reason: reason }) });
      return toDone(job, "failed", made, () => update(job, { is_failed: false }));
    },

    async reschedule(job: BoardJob, text: string, at: TypedAt): Promise<Done> {
      const read = readTime(text, at);
      if ("refusal" in read) throw failure("usage", `"${text}" ${read.refusal}.`);
      const date = toFieldValue(read.time, "new_schedule_date", at.zone);
      const made = await dispatch(job, { new_schedule_date: date });
      const view = { zone: at.zone, today: at.zone.dateOf(at.now) };
      const said = "day" in read.time ? sayDay(read.time.day, view) : showDayOrMoment(date, view);
      return toDone(job, `→ ${said}`, made, () => update(job, { schedule_date: job.schedule_date }));
    },

    /** Does the job one place earlier (−1) or later (1); null where it is the first or the last already. */
    async move(job: BoardJob, truck: BoardTruck, by: -1 | 1): Promise<Done | null> {
      const open = truck.jobs.filter(({ state }) => !isOver(state) && state !== "declined");
      const at = open.findIndex(({ id }) => id === job.id);
      if (at < 0)
        throw failure("state_conflict", `Job ${job.id} is nothing that ${truck.name} still has to do.`);
      if (open[at + by] === undefined) return null;
      const toPlace = (next: BoardJob | undefined) => (next ? { before: next.id } : { last: true });
      const made = await move(job, toPlace(open[by < 0 ? at - 1 : at + 2]));
      return toDone(job, by < 0 ? "is done earlier" : "is done later", made, () =>
        move(job, toPlace(open[at + 1])),
      );
    },
  };
}
