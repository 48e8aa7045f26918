import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { BoardJob } from "../../../board/board.ts";
import { type BoardUndo, openBoardUndo, type Undone, type UndoStep } from "../../../board/board-undo.ts";
import { DispatchError } from "../../../errors/dispatch-error.ts";
import { mayPass, messageOf } from "../../session/keep-trying.ts";
import type { Session } from "../../session/session.ts";
import { isolate } from "../job-text.ts";
import type { DayState } from "../state/day-state.ts";
import type { Job } from "../state/read-day.ts";
import { toCurrent } from "../state/show-job.ts";
import {
  type ActionEvent,
  type ActionState,
  type Outcome,
  reduce,
  type UnansweredAction,
} from "./action-state.ts";
import { toUndoneLines } from "./undone-lines.ts";

/** A changed job, or the ids of several. */
type Done = Job | { jobIds: readonly number[] };

/** `onStep` gets the result of each change but the last. */
export type Send = (onStep: (done: Done) => Promise<void>) => Promise<Done | null>;

/** A retry first checks what the service has already done. */
type ToSend = (now: () => BoardJob, isRetry: boolean) => Send;

/** Nothing throws: `outcome` reports failures. */
export interface Actions {
  outcome: ReadonlySignal<Outcome>;
  busyJobs: ReadonlySignal<ReadonlySet<number>>;
  unanswered: ReadonlySignal<readonly UnansweredAction[]>;
  /** For a form, which stays open for another attempt. Returns false if the action failed. */
  run(jobId: number | null, label: string, send: Send): Promise<boolean>;
  /** For a card. The page keeps the action while the service does not answer. */
  attempt(job: BoardJob, label: string, toSend: ToSend): Promise<boolean>;
  tryAgain(actions: readonly UnansweredAction[]): void;
  drop(actions: readonly UnansweredAction[]): void;
  refuse(text: string): void;
  /** Undoes at once if `outcome` names the last action and no job is deleted; otherwise calls `confirm` first. */
  undo(): Promise<void>;
  undoStep(step: UndoStep): Promise<void>;
}

export interface ActionParts {
  actions: Actions;
  session: Session;
  state: DayState;
}

/** An undo that the user has to confirm. */
export interface PlannedUndo {
  step: UndoStep;
  planned: Undone;
}

interface Machine {
  openUndo: () => Promise<BoardUndo>;
  queue: <T>(action: () => Promise<T>) => Promise<T>;
  send(event: ActionEvent): void;
  state: DayState;
  value: Signal<ActionState>;
}

export function createActions(
  session: Session,
  state: DayState,
  confirm: (undo: PlannedUndo) => void,
): Actions {
  const value = signal<ActionState>({
    outcome: { isRefused: false, text: "" },
    sending: [],
    unanswered: [],
  });
  const machine: Machine = {
    openUndo: once(() => openBoardUndo(session.client)),
    queue: createQueue(),
    send: (event) => {
      value.value = reduce(value.value, event);
    },
    state,
    value,
  };
  const run = createRun(machine);
  const attempt = (job: BoardJob, label: string, toSend: ToSend, isRetry = false): Promise<boolean> => {
    const isQueued = value.peek().sending.includes(job.id);
    // A queued action on the same job comes first and changes the job.
    const now = () => (isQueued ? toCurrent(state, job) : job);
    const tryAgain = () => void attempt(toCurrent(state, job), label, toSend, true);
    return run(job.id, label, toSend(now, isRetry), { isRetry, tryAgain });
  };
  const drop: Actions["drop"] = (actions) => machine.send({ type: "drop", actions });
  return {
    attempt: (job, label, toSend) => attempt(job, label, toSend),
    busyJobs: computed(() => new Set(value.value.sending.filter((id) => id !== null))),
    drop,
    outcome: computed(() => value.value.outcome),
    run: (jobId, label, send) => run(jobId, label, send),
    tryAgain(actions) {
      drop(actions);
      for (const { tryAgain } of actions) tryAgain();
    },
    refuse: (text) => machine.send({ type: "say", outcome: { isRefused: true, text } }),
    unanswered: computed(() => value.value.unanswered),
    ...createUndo(machine, run, confirm),
  };
}

interface Retry {
  isRetry?: boolean;
  tryAgain(): void;
}

type Run = (jobId: number | null, label: string, send: Send, retry?: Retry) => Promise<boolean>;

function createRun({ openUndo, queue, send: dispatch, state }: Machine): Run {
  let lastId = 0;
  return async (jobId, label, send, retry) => {
    const text = withCustomer(label, jobId, state);
    let step: UndoStep | null = null;
    dispatch({ type: "send", jobId });
    try {
      await queue(async () => {
        const undo = await openUndo();
        const onStep = async (done: Done) => {
          if (!("jobIds" in done)) state.take(done);
          const jobIds = "jobIds" in done ? done.jobIds : [done.id];
          const action = { isContinued: step !== null, jobId: jobIds[0] ?? 0, jobIds, label };
          // The change is stored, even if the service cannot name its audit entry now.
          step = (await undo.record(action).catch(() => null)) ?? step;
        };
        const done = await send(onStep);
        if (done) await onStep(done);
      });
      dispatch({ type: "done", jobId, label, outcome: { isRefused: false, jobId, step, text } });
      return true;
    } catch (error) {
      const why = messageOf(error);
      const refusal = toRefusal(error);
      const isKept = retry !== undefined && (retry.isRetry === true || refusal?.mayPass === true);
      const failure = refusal?.isUnsure
        ? `No answer: ${text}. The service may have made the change.`
        : `Not done: ${text}.`;
      const outcome = { isKept, isRefused: true, text: `${failure} ${why}` };
      const kept = isKept
        ? { id: ++lastId, jobId, label, text: failure, tryAgain: retry.tryAgain, why }
        : null;
      dispatch({ type: "fail", jobId, outcome, unanswered: kept });
      void state.reload("jobs");
      return false;
    }
  };
}

/** null for an error of the page itself. A partly stored action has the service's error as its cause. */
function toRefusal(error: unknown): { isUnsure: boolean; mayPass: boolean } | null {
  const cause = error instanceof Error && error.cause instanceof DispatchError ? error.cause : null;
  const refusal = error instanceof DispatchError ? error : cause;
  if (!refusal) return null;
  const isPassing = mayPass(refusal);
  // A service that returns 429 has not started the request.
  return { isUnsure: isPassing && refusal.status !== 429, mayPass: isPassing };
}

function createUndo(
  { openUndo, queue, send, state, value }: Machine,
  run: Run,
  confirm: (undo: PlannedUndo) => void,
): Pick<Actions, "undo" | "undoStep"> {
  let isUndoing = false;
  const say = (text: string, isRefused: boolean) => send({ type: "say", outcome: { isRefused, text } });
  const undoStep = async (step: UndoStep) => {
    const { jobId, label } = step;
    let records = "";
    const name = `Undo: ${label ?? `your last change of job ${jobId}`}`;
    const undoRecords: Send = async () => {
      records = toUndoneLines(await (await openUndo()).undo(step), state).join("; ");
      await state.reload("jobs");
      return null;
    };
    const isDone = await run(jobId, name, undoRecords, { tryAgain: () => void undoStep(step) });
    const text = `Undone: ${label === null ? records : `${label} (${records})`}`;
    if (isDone) say(withCustomer(text, jobId, state), false);
  };
  const undo = async () => {
    if (isUndoing) return;
    isUndoing = true;
    try {
      // Waits, because a queued action becomes the last action.
      await queue(async () => undefined);
      const boardUndo = await openUndo();
      const step = await boardUndo.next();
      if (!step) say("Nothing to undo.", true);
      else if (value.value.outcome.step?.auditId === step.auditId && !step.isNew) await undoStep(step);
      else confirm({ step, planned: await boardUndo.preview(step) });
    } catch (error) {
      say(messageOf(error), true);
    } finally {
      isUndoing = false;
    }
  };
  return { undo, undoStep };
}

/** The board may no longer show the job's day. */
function withCustomer(label: string, jobId: number | null, { jobs }: DayState): string {
  const name = jobId === null ? null : jobs.peek().get(jobId)?.customer?.name;
  return name ? `${label} · ${isolate(name)}` : label;
}

function createQueue(): <T>(action: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (action) => {
    const own = last.then(action);
    last = own.catch(() => undefined);
    return own;
  };
}

function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | null = null;
  return () => {
    opened ??= open();
    opened.catch(() => {
      opened = null;
    });
    return opened;
  };
}
