import type { Timestamp } from "../runtime/clock.ts";

type Moment = Timestamp | null;

/** Absent means false or null. */
export interface JobMarks extends JobCourse, Partial<Record<JobFlag, boolean>> {}

interface JobCourse {
  arrived_at_destination_on?: Moment;
  arrived_on?: Moment;
  departed_on?: Moment;
  desired_end_time?: Moment;
  dispatched_on?: Moment;
  dumped_on?: Moment;
  schedule_date?: Moment;
  started_on?: Moment;
  truck_id?: number | null;
  weighed_on?: Moment;
}

interface StateRow<Flag = JobFlag> {
  /** Completes a sentence that begins with the job. */
  is: string;
  /** The person who acts next. "nobody" means that the job is finished. */
  turn: "dispatcher" | "driver" | "nobody";
  /** The flag that puts a job in the state, or another test. */
  mark: Flag | ((job: JobCourse) => boolean);
  isDriversWord?: true;
}

/** A job has every state whose mark it has; the last one is its state. All surfaces use this table. */
const rows = {
  unassigned: { is: "is unassigned", turn: "dispatcher", mark: (job) => !isOnTruck(job) },
  dispatched: { is: "is dispatched", turn: "driver", mark: isOnTruck },
  acknowledged: { is: "is acknowledged", turn: "driver", mark: "is_acknowledged", isDriversWord: true },
  "in progress": { is: "is in progress", turn: "driver", mark: isUnderWay, isDriversWord: true },
  declined: { is: "is declined", turn: "dispatcher", mark: "is_declined", isDriversWord: true },
  failed: { is: "has failed", turn: "nobody", mark: "is_failed" },
  completed: { is: "is completed", turn: "nobody", mark: "is_completed" },
  deleted: { is: "is deleted", turn: "nobody", mark: "is_deleted" },
} as const satisfies Record<string, StateRow<string>>;

export type JobState = keyof typeof rows;

export type JobFlag = Extract<(typeof rows)[JobState]["mark"], string>;

/** Widens the literal types above, which only the types of flags need. */
export const jobStateTable: Readonly<Record<JobState, StateRow>> = rows;

export const jobReports = [
  "started_on",
  "arrived_on",
  "departed_on",
  "dumped_on",
  "weighed_on",
  "arrived_at_destination_on",
] as const satisfies readonly (keyof JobCourse)[];

/** The most significant last. */
export const jobStates = Object.keys(rows) as JobState[];

export const jobFlags: readonly JobFlag[] = jobStates.flatMap((state) => {
  const { mark } = jobStateTable[state];
  return typeof mark === "string" ? [mark] : [];
});

export function toJobStates(job: JobMarks): JobState[] {
  return jobStates.filter((state) => {
    const { mark } = jobStateTable[state];
    return typeof mark === "string" ? job[mark] === true : mark(job);
  });
}

export function toJobState(job: JobMarks): JobState {
  const isSaid = (state: JobState) => isOnTruck(job) || !jobStateTable[state].isDriversWord;
  return toJobStates(job).findLast(isSaid) ?? "unassigned";
}

/** A truck's job list omits jobs with these flags: the driver has nothing to do. */
export const flagsOffTheRoad = jobStates.flatMap((state) => {
  const { mark, turn } = jobStateTable[state];
  return typeof mark === "string" && turn !== "driver" ? [mark] : [];
}) as FlagOffTheRoad[];

type FlagOffTheRoad = {
  [State in JobState]: (typeof rows)[State] extends { turn: "driver" }
    ? never
    : Extract<(typeof rows)[State]["mark"], string>;
}[JobState];

export function isOver(state: JobState): boolean {
  return jobStateTable[state].turn === "nobody";
}

/** A declined job waits for the office. */
export function isAhead(state: JobState): boolean {
  return !isOver(state) && state !== "declined";
}

function isOnTruck({ truck_id }: JobCourse): boolean {
  return (truck_id ?? null) !== null;
}

/** Checks the current dispatch, because the job keeps reports of earlier ones. */
function isUnderWay(job: JobCourse): boolean {
  return jobReports.some(
    (name) => (job[name] ?? null) !== null && (job[name] ?? "") >= (job.dispatched_on ?? ""),
  );
}
