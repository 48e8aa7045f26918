import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { BoardJob } from "../../../board/board.ts";
import { type BoardActions, boardActions } from "../../../board/board-actions.ts";
import { type BoardUndo, type Made, openBoardUndo } from "../../../board/board-undo.ts";
import { DispatchError } from "../../../errors/dispatch-error.ts";
import { messageOf } from "../../message-of.ts";
import { mayPass } from "../../session/keep-trying.ts";
import type { Session } from "../../session/session.ts";
import { isolate } from "../isolate.ts";
import type { DayState } from "../state/day-state.ts";
import type { Job } from "../state/read-day.ts";
import { toShownJob } from "../state/show-job.ts";
import { type JobChanges, toJobCalls, toUndoCalls, type Undone } from "./job-calls.ts";
import { type Act, type Move, moveInSteps, toRest } from "./move-in-steps.ts";
import { toUndoneLines } from "./undone-lines.ts";

/** What is said of the last thing that was done, or was not. */
export interface Said {
  text: string;
  isRefusal: boolean;
  /** The change, where it can be taken back. */
  made?: Made | null;
  /** The job that it was done with. */
  jobId?: number | null;
  /** The list of failed acts shows it too. */
  isKept?: boolean;
}

/** An act of the dispatcher that the page keeps: the service did not answer, or refused to repeat it. */
export interface FailedAct {
  id: number;
  jobId: number | null;
  note: string;
  /** What was tried, with its job, and whether the service may have done it. */
  text: string;
  why: string;
  tryAgain(): void;
}

/** What people do on a board. Nothing of it throws: what came of it is said. */
export interface Doing {
  /** The jobs that something is being done with. */
  busy: ReadonlySignal<ReadonlySet<number>>;
  said: Signal<Said>;
  /** Acts without an answer, the oldest first. */
  failed: ReadonlySignal<readonly FailedAct[]>;
  /** The change to take back, and the outcome of that, while the page asks for confirmation. */
  undoing: Signal<{ made: Made; planned: Undone } | null>;
  /** Puts a job elsewhere: on a truck, a day, a place among the others. False where it was refused. */
  move(job: BoardJob, move: Move, note: string): Promise<boolean>;
  /** Makes the changes that `toChanges` tells once it is their turn. */
  change(job: BoardJob, toChanges: () => Promise<JobChanges>, note: string): Promise<boolean>;
  /** Does something else that changes one job, and knows its answer. The caller, such as a form, can do it again. */
  run(jobId: number | null, note: string, act: Act): Promise<boolean>;
  /** Takes failed acts off the list, and tries them again unless the dispatcher drops them. */
  settle(acts: readonly FailedAct[], isTriedAgain: boolean): void;
  /** Takes the last change back; asks first, unless the page names that change now and no job is deleted. */
  undo(): Promise<void>;
  takeBack(made: Made): Promise<void>;
}

/** What is needed to do something on a board. */
export interface BoardActs {
  doing: Doing;
  session: Session;
  state: DayState;
}

/** What all that is done on a board has in common. */
interface Acting {
  busy: Signal<ReadonlySet<number>>;
  failed: Signal<readonly FailedAct[]>;
  said: Doing["said"];
  inTurn: <T>(act: () => Promise<T>) => Promise<T>;
  openUndo: () => Promise<BoardUndo<Undone>>;
  state: DayState;
}

/** Makes what people do on the board of a day. */
export function createDoing(session: Session, state: DayState): Doing {
  const actions: BoardActions<JobChanges, Job> = boardActions(toJobCalls(session));
  const acting: Acting = {
    busy: signal<ReadonlySet<number>>(new Set()),
    failed: signal<readonly FailedAct[]>([]),
    inTurn: createTurns(),
    openUndo: onceThatHolds(() => openBoardUndo(toUndoCalls(session))),
    said: signal<Said>({ isRefusal: false, text: "" }),
    state,
  };
  const { busy, failed, said } = acting;
  const run = createRun(acting);
  const read = async ({ id, location_id }: BoardJob) => {
    const job = await session.client.call("jobs.get", { params: { job_id: id, location_id } });
    state.take(job);
    return job;
  };
  /** Each attempt starts from the job as the page shows it then. */
  const attempt = (shown: BoardJob, note: string, toAct: ToAct, isRetry = false): Promise<boolean> => {
    const now = toCurrent(shown, { busy, state });
    const tryAgain = () => void attempt(toKnown(shown, state), note, toAct, true);
    return run(shown.id, note, toAct(now, isRetry), { isRetry, tryAgain });
  };
  return {
    busy,
    failed,
    said,
    run,
    move(job, move, note) {
      const toAct: ToAct = (now, isRetry) => async (step) => {
        const moving = { actions, state, step };
        if (!isRetry) return moveInSteps(moving, now(), move);
        const found = await read(job);
        const rest = toRest(state, found, move);
        return rest ? moveInSteps(moving, now(), rest) : found;
      };
      // A form makes a change first, and stays open with its text.
      if (move.first) return run(job.id, note, toAct(toCurrent(job, { busy, state }), false));
      return attempt(job, note, toAct);
    },
    change(job, toChanges, note) {
      let sent: JobChanges | null = null;
      return attempt(job, note, (now, isRetry) => async () => {
        const found = isRetry && sent ? await read(job) : null;
        if (found && hasAll(found, sent)) return found;
        sent = await toChanges();
        return actions.change(now(), sent);
      });
    },
    settle(acts, isTriedAgain) {
      failed.value = failed.value.filter((one) => !acts.includes(one));
      if (isTriedAgain) for (const { tryAgain } of acts) tryAgain();
    },
    ...createTakingBack(acting, run),
  };
}

/** Makes an act that starts from the job as it is `now`. A retry first looks whether the service has done it already. */
type ToAct = (now: () => BoardJob, isRetry: boolean) => Act;

/** How the dispatcher tries an act again. */
interface Retrying {
  isRetry?: boolean;
  tryAgain(): void;
}

type Run = (jobId: number | null, note: string, act: Act, retrying?: Retrying) => Promise<boolean>;

/** Does something, says the outcome, and can take it back. With `retrying`, an act without an answer stays on the page. */
function createRun({ busy, failed, inTurn, openUndo, said, state }: Acting): Run {
  let lastId = 0;
  return async (jobId, note, act, retrying) => {
    const hold = () => holdBusy(busy, jobId);
    const text = withCustomer(note, jobId, state);
    let made: Made | null = null;
    hold();
    try {
      await inTurn(async () => {
        hold();
        const taking = await openUndo();
        const step = async (job: Job) => {
          state.take(job);
          const done = { goesOn: made !== null, jobId: job.id, note };
          // The change is made, even if the service cannot say now which one it was.
          made = (await taking.note(done).catch(() => null)) ?? made;
        };
        const job = await act(step);
        if (job) await step(job);
      });
      failed.value = failed.value.filter((one) => one.jobId !== jobId || one.note !== note);
      said.value = { isRefusal: false, jobId, made, text };
      return true;
    } catch (error) {
      const why = messageOf(error);
      const refusal = toRefusal(error);
      const isKept = retrying !== undefined && (retrying.isRetry === true || refusal?.mayPass === true);
      const told = refusal?.isUnsure ? `No answer: ${text}. It may be done.` : `Not done: ${text}.`;
      if (isKept) {
        lastId += 1;
        const { tryAgain } = retrying;
        failed.value = [...failed.value, { id: lastId, jobId, note, text: told, tryAgain, why }];
      }
      said.value = { isKept, isRefusal: true, text: `${told} ${why}` };
      // What was refused may not be what is shown any more.
      void state.reload("jobs");
      return false;
    } finally {
      busy.value = new Set([...busy.value].filter((id) => id !== jobId));
    }
  };
}

/** What a failure means for the act; null where the page itself stopped it. A half-done act has the failure as its cause. */
function toRefusal(error: unknown): { isUnsure: boolean; mayPass: boolean } | null {
  const cause = error instanceof Error && error.cause instanceof DispatchError ? error.cause : null;
  const refusal = error instanceof DispatchError ? error : cause;
  if (!refusal) return null;
  const isPassing = mayPass(refusal);
  // A service that says 429 has not begun.
  return { isUnsure: isPassing && refusal.status !== 429, mayPass: isPassing };
}

/** Whether a job has all that the changes give it. */
function hasAll(job: Job, changes: JobChanges | null): boolean {
  const has: Readonly<Record<string, unknown>> = { ...job };
  return Object.entries(changes ?? {}).every(
    ([name, value]) => JSON.stringify(has[name] ?? null) === JSON.stringify(value ?? null),
  );
}

/** Takes back what was done, one thing at a time. */
function createTakingBack(
  { inTurn, openUndo, said, state }: Acting,
  run: Run,
): Pick<Doing, "takeBack" | "undo" | "undoing"> {
  const undoing: Doing["undoing"] = signal(null);
  let isUndoing = false;
  const takeBack: Doing["takeBack"] = async (made) => {
    undoing.value = null;
    const { jobId, note } = made;
    let records = "";
    const name = `Take back: ${note ?? `your last change of job ${jobId}`}`;
    const act: Act = async () => {
      records = toUndoneLines(await (await openUndo()).takeBack(made), state).join("; ");
      await state.reload("jobs");
      return null;
    };
    const isDone = await run(jobId, name, act, { tryAgain: () => void takeBack(made) });
    const text = `Taken back: ${note === null ? records : `${note} (${records})`}`;
    if (isDone) said.value = { isRefusal: false, text: withCustomer(text, jobId, state) };
  };
  const undo = async () => {
    if (isUndoing) return;
    isUndoing = true;
    try {
      // What is under way is the last change once it is made.
      await inTurn(async () => undefined);
      const taking = await openUndo();
      const made = await taking.next();
      if (!made) said.value = { isRefusal: true, text: "You have changed no job that could be taken back." };
      else if (said.value.made?.auditId === made.auditId && !made.isNew) await takeBack(made);
      else undoing.value = { made, planned: await taking.try(made) };
    } catch (error) {
      said.value = { isRefusal: true, text: messageOf(error) };
    } finally {
      isUndoing = false;
    }
  };
  return { takeBack, undo, undoing };
}

function holdBusy(busy: Signal<ReadonlySet<number>>, jobId: number | null): void {
  if (jobId !== null) busy.value = new Set([...busy.value, jobId]);
}

/** What is said of a job, with its customer, whom people know it by; afterwards it may be of a day that is not shown. */
function withCustomer(note: string, jobId: number | null, { jobs }: DayState): string {
  const name = jobId === null ? null : jobs.peek().get(jobId)?.customer?.name;
  return name ? `${note} · ${isolate(name)}` : note;
}

/** The job as it was shown; one that is still being changed here is meant as it is after that. */
function toCurrent(job: BoardJob, { busy, state }: { busy: Doing["busy"]; state: DayState }): () => BoardJob {
  if (!busy.peek().has(job.id)) return () => job;
  return () => toKnown(job, state);
}

/** The job as the page knows it now. */
function toKnown(job: BoardJob, state: DayState): BoardJob {
  const known = state.jobs.peek().get(job.id);
  return known ? toShownJob(state, known) : job;
}

/** Has acts done one after the other: the audit trail's last entry is then that of the act which was done last. */
function createTurns(): <T>(act: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const own = last.then(act);
    last = own.catch(() => undefined);
    return own;
  };
}

/** Opens once; what fails is tried again by who asks next. */
function onceThatHolds<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | null = null;
  return () => {
    opened ??= open();
    opened.catch(() => {
      opened = null;
    });
    return opened;
  };
}
