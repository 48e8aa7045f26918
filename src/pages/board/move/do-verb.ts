import { jobActions } from "../../../models/job-life.ts";
import { type JobVerb, type JobVerbName, jobVerbs, toVerbBody } from "../../../models/job-verbs.ts";
import type { BoardActs } from "../act/doing.ts";
import { readServiceTime } from "../act/service-time.ts";
import type { Job } from "../state/read-day.ts";
import { toShownJob } from "../state/show-job.ts";

/** Does with a job what a button says. False where it was refused. */
export async function doVerb(
  { doing, session, state }: BoardActs,
  job: Job,
  name: JobVerbName,
): Promise<boolean> {
  const { action, body, operation, stamps }: JobVerb = jobVerbs[name];
  const shown = toShownJob(state, job);
  const note = `Job ${job.id} ${stamps ? "started" : jobActions[action].done}`;
  if (operation === "jobs.dispatch")
    return doing.move(shown, { plan: { truck_id: body.truck_id ?? null } }, note);
  const toNow = async () => (stamps ? readServiceTime(session, job) : state.now.value);
  return doing.change(shown, async () => toVerbBody(name, await toNow()), note);
}
