import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { BoardJob } from "../../../board/board.ts";
import {
  type BoardActions,
  boardActions,
  type JobPlace,
  type JobPlan,
} from "../../../board/board-actions.ts";
import { type BoardUndo, type Made, openBoardUndo } from "../../../board/board-undo.ts";
import { DispatchError } from "../../../library/dispatch-error.ts";
import type { Session } from "../../session/session.ts";
import type { DayState } from "../state/day-state.ts";
import type { Job } from "../state/read-day.ts";
import { toShownJob } from "../state/show-job.ts";
import { type JobChanges, toJobCalls, toUndoCalls, type Undone } from "./job-calls.ts";

/** What is said of the last thing that was done, or was not. */
export interface Said {
  text: string;
  isRefusal: boolean;
}

/** What people do on a board. Nothing of it throws: what came of it is said. */
export interface Doing {
  /** The jobs that something is being done with. */
  busy: ReadonlySignal<ReadonlySet<number>>;
  said: Signal<Said>;
  /** The change that would be taken back, while it is asked whether it is to be. */
  undoing: Signal<UndoQuestion | null>;
  /** Puts a job elsewhere: on a truck, a day, a place among the others. False where it was refused. */
  move(job: BoardJob, plan: JobPlan, place: JobPlace | null, note: string): Promise<boolean>;
  change(job: BoardJob, changes: JobChanges, note: string): Promise<boolean>;
  /** Does something else that changes one job, and knows its answer; `step` takes what is done before the rest is. */
  run(
    jobId: number | null,
    note: string,
    act: (step: (job: Job) => Promise<void>) => Promise<Job | null>,
  ): Promise<boolean>;
  /** Takes the last change back; asks first where it was not made here or makes a record go away. */
  undo(): Promise<void>;
  takeBack(question: UndoQuestion): Promise<void>;
}

/** A change that is taken back only by who says so. */
export interface UndoQuestion {
  made: Made;
  /** What it would do. */
  would: Undone;
}

/** Makes what people do on the board of a day. */
export function createDoing(session: Session, state: DayState): Doing {
  const actions: BoardActions<JobChanges, Job> = boardActions(toJobCalls(session));
  const busy = signal<ReadonlySet<number>>(new Set());
  const said = signal<Said>({ isRefusal: false, text: "" });
  const undoing = signal<UndoQuestion | null>(null);
  const openUndo = onceThatHolds(() => openBoardUndo(toUndoCalls(session)));
  /** The audit entries of changes that are taken back together with the one before. */
  const furtherSteps = new Set<number>();
  /** Does something, tells what came of it, and knows how to take it back. */
  const run: Doing["run"] = async (jobId, note, act) => {
    if (jobId !== null) busy.value = new Set([...busy.value, jobId]);
    try {
      const taking = await openUndo();
      let hasBegun = false;
      const step = async (job: Job) => {
        state.take(job);
        const made = await taking.note({ jobId: job.id, note });
        if (made && hasBegun) furtherSteps.add(made.auditId);
        hasBegun ||= made !== null;
      };
      const job = await act(step);
      if (job) await step(job);
      said.value = { isRefusal: false, text: note };
      return true;
    } catch (error) {
      said.value = { isRefusal: true, text: describe(error) };
      if (error instanceof DispatchError && error.status === 401) session.signOut(error.message);
      // What was refused may not be what is shown any more.
      else void state.reload("jobs");
      return false;
    } finally {
      busy.value = new Set([...busy.value].filter((id) => id !== jobId));
    }
  };
  const takeBack: Doing["takeBack"] = async ({ made }) => {
    undoing.value = null;
    await run(made.jobId, `Taken back: ${made.note ?? "the last change"}`, async () => {
      await takeBackWhole(await openUndo(), made, furtherSteps);
      await state.reload("jobs");
      return null;
    });
  };
  return {
    busy,
    said,
    undoing,
    run,
    move: (job, plan, place, note) =>
      run(job.id, note, async (step) => {
        const isPlanned = Object.keys(plan).length > 0;
        const planned = isPlanned ? await actions.plan(job, plan) : null;
        if (planned && place) {
          await step(planned);
          // A truck's new job has a place that was found for it already.
          return actions.place(toShownJob(state, planned), place);
        }
        return planned ?? (place ? actions.place(job, place) : null);
      }),
    change: (job, changes, note) => run(job.id, note, () => actions.change(job, changes)),
    async undo() {
      try {
        const taking = await openUndo();
        const made = await taking.next();
        if (!made)
          said.value = { isRefusal: true, text: "You have changed nothing that could be taken back." };
        else if (made.note !== null && !made.isNew) await takeBack({ made, would: await taking.try(made) });
        else undoing.value = { made, would: await taking.try(made) };
      } catch (error) {
        said.value = { isRefusal: true, text: describe(error) };
      }
    },
    takeBack,
  };
}

/** Takes back a change, and those before it that it is a further step of. */
async function takeBackWhole(
  taking: BoardUndo<Undone>,
  made: Made,
  furtherSteps: Set<number>,
): Promise<void> {
  await taking.takeBack(made);
  if (!furtherSteps.delete(made.auditId)) return;
  const before = await taking.next();
  if (before) await takeBackWhole(taking, before, furtherSteps);
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

const describe = (error: unknown) => (error instanceof Error ? error.message : String(error));
