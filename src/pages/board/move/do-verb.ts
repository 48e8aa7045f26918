import { jobActions } from "../../../models/job-life.ts";
import { type JobVerb, type JobVerbName, jobVerbs, toVerbBody } from "../../../models/job-verbs.ts";
import { readServiceTime } from "../act/service-time.ts";
import type { BoardParts } from "../board-context.ts";
import type { Job } from "../state/read-day.ts";
import { toShownJob } from "../state/show-job.ts";

/** Does with a job what a button says. False where it was refused. */
export async function doVerb(
  { doing, session, state }: Pick<BoardParts, "doing" | "session" | "state">,
  job: Job,
  name: JobVerbName,
): Promise<boolean> {
  const { action, operation, stamps }: JobVerb = jobVerbs[name];
  // Who does not answer is told of by the change itself.
  const now = stamps ? await readServiceTime(session, job).catch(() => state.now.value) : state.now.value;
  const body = toVerbBody(name, now);
  const shown = toShownJob(state, job);
  const note = `Job ${job.id} ${stamps ? "started" : jobActions[action].done}`;
  if (operation === "jobs.dispatch")
    return doing.move(shown, { truck_id: body.truck_id ?? null }, null, note);
  return doing.change(shown, body, note);
}
