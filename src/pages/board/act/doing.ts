import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { BoardJob } from "../../../board/board.ts";
import { type BoardActions, boardActions } from "../../../board/board-actions.ts";
import { type BoardUndo, type Made, openBoardUndo } from "../../../board/board-undo.ts";
import { DispatchError } from "../../../library/dispatch-error.ts";
import { messageOf } from "../../message-of.ts";
import type { Session } from "../../session/session.ts";
import type { DayState } from "../state/day-state.ts";
import type { Job } from "../state/read-day.ts";
import { toShownJob } from "../state/show-job.ts";
import { type JobChanges, toJobCalls, toUndoCalls } from "./job-calls.ts";
import { type Act, type Move, moveInSteps } from "./move-in-steps.ts";

/** What is said of the last thing that was done, or was not. */
export interface Said {
  text: string;
  isRefusal: boolean;
  /** Whether it is a change that can be taken back. */
  isDone?: boolean;
  /** The job that it was done with. */
  jobId?: number | null;
}

/** What people do on a board. Nothing of it throws: what came of it is said. */
export interface Doing {
  /** The jobs that something is being done with. */
  busy: ReadonlySignal<ReadonlySet<number>>;
  said: Signal<Said>;
  /** The change that would be taken back, while it is asked whether it is to be. */
  undoing: Signal<Made | null>;
  /** Puts a job elsewhere: on a truck, a day, a place among the others. False where it was refused. */
  move(job: BoardJob, move: Move, note: string): Promise<boolean>;
  /** Makes the changes that `toChanges` tells once it is their turn. */
  change(job: BoardJob, toChanges: () => Promise<JobChanges>, note: string): Promise<boolean>;
  /** Does something else that changes one job, and knows its answer. */
  run(jobId: number | null, note: string, act: Act): Promise<boolean>;
  /** Takes the last change back; asks first where it was not made here or makes a record go away. */
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
  said: Doing["said"];
  inTurn: <T>(act: () => Promise<T>) => Promise<T>;
  openUndo: () => Promise<BoardUndo<unknown>>;
  session: Session;
  state: DayState;
}

/** Makes what people do on the board of a day. */
export function createDoing(session: Session, state: DayState): Doing {
  const actions: BoardActions<JobChanges, Job> = boardActions(toJobCalls(session));
  const acting: Acting = {
    busy: signal<ReadonlySet<number>>(new Set()),
    inTurn: createTurns(),
    openUndo: onceThatHolds(() => openBoardUndo(toUndoCalls(session))),
    said: signal<Said>({ isRefusal: false, text: "" }),
    session,
    state,
  };
  const { busy, said } = acting;
  const run = createRun(acting);
  return {
    busy,
    said,
    run,
    move(job, move, note) {
      const now = toCurrent(job, { busy, state });
      return run(job.id, note, (step) => moveInSteps({ actions, state, step }, now(), move));
    },
    change(job, toChanges, note) {
      const now = toCurrent(job, { busy, state });
      return run(job.id, note, async () => actions.change(now(), await toChanges()));
    },
    ...createTakingBack(acting, run),
  };
}

/** Does something, tells what came of it, and knows how to take it back. */
function createRun({ busy, inTurn, openUndo, said, session, state }: Acting): Doing["run"] {
  return async (jobId, note, act) => {
    const hold = () => holdBusy(busy, jobId);
    const text = withCustomer(note, jobId, state);
    hold();
    try {
      await inTurn(async () => {
        hold();
        const taking = await openUndo();
        let goesOn = false;
        const step = async (job: Job) => {
          state.take(job);
          goesOn = (await taking.note({ goesOn, jobId: job.id, note })) !== null || goesOn;
        };
        const job = await act(step);
        if (job) await step(job);
      });
      said.value = { isDone: true, isRefusal: false, jobId, text };
      return true;
    } catch (error) {
      said.value = { isRefusal: true, text: messageOf(error) };
      if (error instanceof DispatchError && error.status === 401) session.signOut(error.message);
      // What was refused may not be what is shown any more.
      else void state.reload("jobs");
      return false;
    } finally {
      busy.value = new Set([...busy.value].filter((id) => id !== jobId));
    }
  };
}

/** Takes back what was done, one thing at a time. */
function createTakingBack(
  { inTurn, openUndo, said, state }: Acting,
  run: Doing["run"],
): Pick<Doing, "takeBack" | "undo" | "undoing"> {
  const undoing = signal<Made | null>(null);
  let isUndoing = false;
  const takeBack: Doing["takeBack"] = async (made) => {
    undoing.value = null;
    const isDone = await run(made.jobId, `Taken back: ${made.note ?? "the last change"}`, async () => {
      await (await openUndo()).takeBack(made);
      await state.reload("jobs");
      return null;
    });
    if (isDone) said.value = { isRefusal: false, text: said.value.text };
  };
  const undo = async () => {
    if (isUndoing) return;
    isUndoing = true;
    try {
      // What is under way is the last change once it is made.
      await inTurn(async () => undefined);
      const made = await (await openUndo()).next();
      if (!made) said.value = { isRefusal: true, text: "You have changed nothing that could be taken back." };
      else if (made.note !== null && !made.isNew) await takeBack(made);
      else undoing.value = made;
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
  return name ? `${note} · ${name}` : note;
}

/** The job as it was shown; one that is still being changed here is meant as it is after that. */
function toCurrent(job: BoardJob, { busy, state }: { busy: Doing["busy"]; state: DayState }): () => BoardJob {
  if (!busy.peek().has(job.id)) return () => job;
  return () => {
    const known = state.jobs.peek().get(job.id);
    return known ? toShownJob(state, known) : job;
  };
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
