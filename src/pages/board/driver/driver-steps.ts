import type { BoardJob } from "../../../board/board.ts";
import type { JobChanges } from "../../../board/board-actions.ts";
import { makeKey } from "../../../client/exchange.ts";
import { showTimeOfDay } from "../../../local-time/show-time.ts";
import { isDriverRole } from "../../../models/job-requirements.ts";
import { mayChange } from "../../../models/job-rights.ts";
import { toJobState } from "../../../models/job-state.ts";
import { offeredVerbs } from "../../../models/job-verbs.ts";
import type { Role } from "../../../models/user.ts";
import type { Session } from "../../session/session.ts";
import type { Outbox, Report } from "../actions/outbox.ts";
import { readServiceTime } from "../actions/update-job.ts";
import type { DayState } from "../state/day-state.ts";
import type { Job } from "../state/read-day.ts";
import { toShownJob } from "../state/show-job.ts";

/** Includes reports that the service has not answered. */
export interface Stop {
  job: BoardJob;
  whole: Job;
}

export const isDriver = ({ roles }: Pick<Session, "roles">): boolean =>
  roles.length > 0 && roles.every(isDriverRole);

export type StepName = "acknowledge" | "arrive" | "cannot" | "complete" | "start";

export function toStop(state: DayState, { reports }: Outbox, job: BoardJob): Stop | null {
  const known = state.jobs.value.get(job.id);
  if (!known) return null;
  const waiting = reports.value.filter(({ jobId, refusal }) => jobId === job.id && refusal === null);
  if (waiting.length === 0) return { job, whole: known };
  const whole = Object.assign({ ...known }, ...waiting.map(({ changes }) => changes)) as Job;
  return { job: toShownJob(state, whole), whole };
}

/** The usual one first. */
export function toSteps({ whole }: Stop, roles: readonly Role[]): StepName[] {
  const verbs = offeredVerbs(whole, roles);
  const may = (name: (typeof verbs)[number]) => verbs.includes(name);
  const state = toJobState(whole);
  const mayArrive = state === "in progress" && !whole.arrived_on && mayChange(roles, "arrived_on", whole);
  const steps: [StepName, boolean][] = [
    ["acknowledge", may("acknowledge")],
    ["start", may("start")],
    ["arrive", mayArrive],
    ["complete", may("complete") && state !== "dispatched"],
    ["cannot", may("decline") || may("fail")],
  ];
  return steps.filter(([, isOffered]) => isOffered).map(([name]) => name);
}

const stamps = { arrive: "arrived_on", start: "started_on" } as const;

export function reportStep(
  { outbox, session, state }: { outbox: Outbox; session: Session; state: DayState },
  { whole }: Stop,
  name: "acknowledge" | "arrive" | "start",
): void {
  if (name === "acknowledge") {
    outbox.add(toReport(session, whole, "Acknowledged", { is_acknowledged: true }));
    return;
  }
  const stamp = stamps[name];
  const now = session.clock.now();
  const dispatched = whole.dispatched_on ?? "";
  const tapped = now < dispatched ? dispatched : now;
  let changes: JobChanges = { [stamp]: tapped };
  let isChecked = false;
  const label = name === "start" ? "Started" : "Arrived";
  const key = makeKey();
  const send = async () => {
    // The service refuses a future time, and the phone's clock may be ahead.
    if (!isChecked) {
      const current = await readServiceTime(session, whole);
      if (current < tapped) changes = { [stamp]: current };
      isChecked = true;
    }
    return toReport(session, whole, label, changes, key).send();
  };
  const zone = state.zoneOf(whole.location_id);
  const time = showTimeOfDay(zone.toLocal(tapped), zone);
  outbox.add({ changes, jobId: whole.id, label: `${label} ${time}`, send });
}

export function toReport(
  { client }: Session,
  { id, location_id }: Pick<Job, "id" | "location_id">,
  label: string,
  changes: JobChanges,
  idempotencyKey: string = makeKey(),
): Report {
  const params = { job_id: id, location_id };
  return {
    changes,
    jobId: id,
    label,
    send: () => client.call("jobs.update", { body: changes, idempotencyKey, params }),
  };
}

/** Before the start the job goes back to the dispatcher; after it, it has failed. */
export function toCannotReport(session: Session, { whole }: Stop, reason: string): Report {
  const label = `Cannot do it: ${reason}`;
  if (!offeredVerbs(whole, session.roles).includes("decline"))
    return toReport(session, whole, label, { fail_reason: reason, is_failed: true });
  const driver_notes = [whole.driver_notes, reason].filter(Boolean).join("\n");
  return toReport(session, whole, label, { driver_notes, is_declined: true });
}

/** The dispatcher reads these words. */
export const cannotReasons = [
  "Customer is not there",
  "No access to the site",
  "Container is overloaded",
  "Wrong container or address",
  "Truck has a problem",
] as const;
