import type { BoardJob } from "../../../board/board.ts";
import { boardActions, type JobChanges } from "../../../board/board-actions.ts";
import { jobActions } from "../../../models/job-life.ts";
import { type JobVerb, type JobVerbName, jobVerbs, toVerbBody } from "../../../models/job-verbs.ts";
import { clockOffsetHeader, type Timestamp, toTimestamp } from "../../../runtime/clock.ts";
import type { Session } from "../../session/session.ts";
import type { Job } from "../state/read-day.ts";
import { toShownJob } from "../state/show-job.ts";
import type { ActionParts } from "./actions.ts";
import { readJob, sendMove } from "./move-job.ts";

export async function doVerb(parts: ActionParts, job: Job, name: JobVerbName): Promise<boolean> {
  const { session, state } = parts;
  const { action, body, operation, stamps }: JobVerb = jobVerbs[name];
  const shown = toShownJob(state, job);
  const label = `Job ${job.id} ${stamps ? "started" : jobActions[action].done}`;
  if (operation === "jobs.dispatch")
    return sendMove(parts, shown, { plan: { truck_id: body.truck_id ?? null } }, label);
  const readNow = async () => (stamps ? readServiceTime(session, job) : state.now.value);
  return updateJob(parts, shown, async () => toVerbBody(name, await readNow()), label);
}

/** Completes jobs in one action, which one undo reverts. */
export function completeJobs(parts: ActionParts, jobs: readonly BoardJob[]): Promise<boolean> {
  const { actions, session, state } = parts;
  return actions.run(null, `${jobs.length} jobs completed`, async () => {
    await boardActions(session.client).updateAll(jobs, toVerbBody("complete", state.now.value));
    await state.reload("jobs");
    return { jobIds: jobs.map(({ id }) => id) };
  });
}

/** `toChanges` runs when the action starts. */
export function updateJob(
  parts: ActionParts,
  job: BoardJob,
  toChanges: () => Promise<JobChanges>,
  label: string,
): Promise<boolean> {
  let sent: JobChanges | null = null;
  return parts.actions.attempt(job, label, (now, isRetry) => async () => {
    const found = isRetry && sent ? await readJob(parts, job) : null;
    if (found && hasAll(found, sent)) return found;
    sent = await toChanges();
    return boardActions(parts.session.client).update(now(), sent);
  });
}

function hasAll(job: Job, changes: JobChanges | null): boolean {
  const has: Readonly<Record<string, unknown>> = { ...job };
  return Object.entries(changes ?? {}).every(
    ([name, value]) => JSON.stringify(has[name] ?? null) === JSON.stringify(value ?? null),
  );
}

/** The service's time in seconds, and not before the job's dispatch: the service ignores earlier reports. */
export async function readServiceTime({ client }: Session, { id, location_id }: Job): Promise<Timestamp> {
  const { answer, headers } = await client.exchange("jobs.get", { params: { job_id: id, location_id } });
  const now = toTimestamp(
    Date.parse(headers.get("date") ?? "") + Number(headers.get(clockOffsetHeader) ?? 0),
  );
  const dispatched = answer.dispatched_on ?? "";
  return now < dispatched ? dispatched : now;
}
