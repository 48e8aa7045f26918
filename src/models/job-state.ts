import type { Timestamp } from "../runtime/clock.ts";

type Moment = Timestamp | null;

/** The part of a job that its states and its lateness are derived from; what is absent is false or null. */
export interface JobMarks extends JobCourse, Partial<Record<JobFlag, boolean>> {}

/** The same without the flags: where the job is and what was reported of it. */
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
  /** The state in a sentence that begins with the job. */
  is: string;
  /** Who has to do something next; a job that asks nothing of anybody is over. */
  turn: "dispatcher" | "driver" | "nobody";
  /** The flag that puts a job in the state, or what else does. */
  mark: Flag | ((job: JobCourse) => boolean);
  /** A driver said it, so it is the job's word only while the job is on a truck. */
  isDriversWord?: true;
}

/**
 * Every state of a job, with the word that people see. A job is in every state whose mark it carries; the last
 * of them is its word. Whoever decides, refuses, lists, draws, counts or explains reads this table.
 */
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

/** A flag of a job that puts it in a state. */
export type JobFlag = Extract<(typeof rows)[JobState]["mark"], string>;

/** The rows by state, with their common type: the literal types above are there for the types of flags only. */
export const jobStateTable: Readonly<Record<JobState, StateRow>> = rows;

/** What a driver reports of a job under way. */
export const jobReports = [
  "started_on",
  "arrived_on",
  "departed_on",
  "dumped_on",
  "weighed_on",
  "arrived_at_destination_on",
] as const satisfies readonly (keyof JobCourse)[];

/** The states, the most telling last. */
export const jobStates = Object.keys(rows) as JobState[];

/** Every flag that puts a job in a state. */
export const jobFlags: readonly JobFlag[] = jobStates.flatMap((state) => {
  const { mark } = jobStateTable[state];
  return typeof mark === "string" ? [mark] : [];
});

/** The states that a job is in, the most telling last. */
export function toJobStates(job: JobMarks): JobState[] {
  return jobStates.filter((state) => {
    const { mark } = jobStateTable[state];
    return typeof mark === "string" ? job[mark] === true : mark(job);
  });
}

/** How far a job has come, in one word. */
export function toJobState(job: JobMarks): JobState {
  const isSaid = (state: JobState) => isOnTruck(job) || !jobStateTable[state].isDriversWord;
  return toJobStates(job).findLast(isSaid) ?? "unassigned";
}

/** The flags of the states in which a driver has nothing to do; a truck's job list leaves such jobs out. */
export const flagsOffTheRoad = jobStates.flatMap((state) => {
  const { mark, turn } = jobStateTable[state];
  return typeof mark === "string" && turn !== "driver" ? [mark] : [];
}) as FlagOffTheRoad[];

/** The same flags for the compiler. */
type FlagOffTheRoad = {
  [State in JobState]: (typeof rows)[State] extends { turn: "driver" }
    ? never
    : Extract<(typeof rows)[State]["mark"], string>;
}[JobState];

/** Whether nobody has to do anything about a job in the state any more. */
export function isOver(state: JobState): boolean {
  return jobStateTable[state].turn === "nobody";
}

/** Whether a truck still has to do a job in the state: it is neither over, nor declined, which waits for the office. */
export function isAhead(state: JobState): boolean {
  return !isOver(state) && state !== "declined";
}

function isOnTruck({ truck_id }: JobCourse): boolean {
  return (truck_id ?? null) !== null;
}

/** Whether a driver reported something since the last dispatch; the job keeps what was reported before it. */
function isUnderWay(job: JobCourse): boolean {
  return jobReports.some(
    (name) => (job[name] ?? null) !== null && (job[name] ?? "") >= (job.dispatched_on ?? ""),
  );
}
