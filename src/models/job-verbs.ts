import type { Timestamp } from "../runtime/clock.ts";
import type { UpdateJobProfile } from "./job-changes.ts";
import { findObstacle, type JobAction } from "./job-life.ts";
import { mayChange } from "./job-rights.ts";
import { type JobMarks, type JobState, toJobState } from "./job-state.ts";
import type { Role } from "./user.ts";

type Body = Readonly<Partial<UpdateJobProfile>>;

export interface JobVerb {
  label: string;
  operation: "jobs.dispatch" | "jobs.update";
  action: JobAction;
  body: Body;
  /** Set to the current time of the service, which accepts no future time. */
  stamps?: keyof UpdateJobProfile;
  /** Further fields of the request. */
  takes: readonly (keyof UpdateJobProfile | "new_schedule_date")[];
  /** The states in which the verb makes sense. */
  from: readonly JobState[];
  /** The terminal asks for a confirmation. */
  isSevere?: true;
}

const ahead = ["unassigned", "dispatched", "acknowledged", "in progress", "declined"] as const;
const update = { operation: "jobs.update", takes: [] } as const;

/** The usual verb of each state first. Commands and buttons use this table. */
export const jobVerbs = {
  acknowledge: {
    ...update,
    label: "Acknowledge",
    action: "acknowledge",
    body: { is_acknowledged: true },
    takes: ["driver_notes"],
    from: ["dispatched"],
  },
  start: {
    ...update,
    label: "Start",
    action: "edit",
    body: {},
    stamps: "started_on",
    from: ["dispatched", "acknowledged"],
  },
  complete: {
    ...update,
    label: "Complete",
    action: "complete",
    body: { is_completed: true },
    takes: ["completed_on", "completed_by", "driver_notes"],
    from: ahead,
  },
  fail: {
    ...update,
    label: "Mark as failed",
    action: "fail",
    body: { is_failed: true },
    takes: ["fail_reason", "driver_notes"],
    from: ahead,
  },
  decline: {
    ...update,
    label: "Decline",
    action: "decline",
    body: { is_declined: true },
    takes: ["driver_notes"],
    from: ["dispatched"],
  },
  reopen: {
    ...update,
    label: "Reopen",
    action: "reopen",
    body: { is_completed: false },
    from: ["completed"],
  },
  retry: { ...update, label: "Try again", action: "retry", body: { is_failed: false }, from: ["failed"] },
  unassign: {
    ...update,
    label: "Take off its truck",
    operation: "jobs.dispatch",
    action: "return",
    body: { truck_id: null },
    takes: ["new_schedule_date"],
    from: ["dispatched", "acknowledged", "in progress", "declined"],
  },
  delete: {
    ...update,
    label: "Delete",
    action: "delete",
    body: { is_deleted: true },
    from: [...ahead, "failed", "completed"],
    isSevere: true,
  },
  restore: { ...update, label: "Restore", action: "restore", body: { is_deleted: false }, from: ["deleted"] },
} as const satisfies Record<string, JobVerb>;

export type JobVerbName = keyof typeof jobVerbs;

/** Verbs that the caller may try. The service may still refuse one, such as a completion without the required parts. */
export function offeredVerbs(job: JobMarks, roles: readonly Role[]): JobVerbName[] {
  const state = toJobState(job);
  // In the order of the table above.
  return (Object.keys(jobVerbs) as JobVerbName[]).filter((name) => {
    const { action, body, from, stamps }: JobVerb = jobVerbs[name];
    const fields = [...Object.keys(body), ...(stamps ? [stamps] : [])];
    const isAllowed = fields.every((field) => mayChange(roles, field, job));
    return from.includes(state) && isAllowed && findObstacle(job, action) === null;
  });
}

export function toVerbBody(name: JobVerbName, now: Timestamp): Body {
  const { body, stamps }: JobVerb = jobVerbs[name];
  return stamps ? { ...body, [stamps]: now } : body;
}
