import { setTimeout as wait } from "node:timers/promises";
import type { Board } from "../../../../board/board.ts";
import { type BoardUndo, openBoardUndo } from "../../../../board/board-undo.ts";
import type { Client } from "../../../../client/client.ts";
import { DispatchError, exitCodes } from "../../../../errors/errors.ts";
import type { LocalDate } from "../../../../local-time/zone.ts";
import { type CliContext, sizeOf } from "../../../context.ts";
import { AlreadyShown } from "../../../outcome/already-shown.ts";
import { enterScreen, leaveScreen, toFrame } from "../../../output/full-screen.ts";
import { openScreen } from "../../../output/screen.ts";
import { toTrouble } from "../watch-board.ts";
import { type Desk, keepChosen } from "./desk.ts";
import { deskActions } from "./desk-actions.ts";
import { drawDesk } from "./draw-desk.ts";
import { pressKey, type Session } from "./press-key.ts";
import { type Key, readKeys } from "./read-keys.ts";

export interface DeskOptions
  extends Pick<Session, "changeDay" | "describeJob" | "describeUndo" | "toTypedAt"> {
  client: Client;
  color: boolean;
  /** `passedMs`: the time since the last reload. */
  isDue(passedMs: number): boolean;
  look(): Promise<Board>;
  makeJob(day: LocalDate): Promise<boolean>;
}

/** Runs until the user quits. Ctrl-C throws AlreadyShown. */
export async function runDesk(context: CliContext, options: DeskOptions): Promise<void> {
  const end = new AbortController();
  let isInterrupted = false;
  const interrupt = () => {
    isInterrupted = true;
    end.abort();
  };
  context.onInterrupt(interrupt);
  const undo = await openBoardUndo(options.client);
  const session = openSession(options, undo, await options.look(), () => end.abort());
  // Handles keys in sequence, however fast they arrive.
  let doing: Promise<void> = Promise.resolve();
  let waiting = 0;
  const onKey = (key: Key) => {
    if (key.isCtrl && key.name === "c") return interrupt();
    waiting += 1;
    doing = doing
      .then(() => press(session, key))
      .then(() => {
        waiting -= 1;
        return waiting === 0 ? screen.draw() : undefined;
      });
    // The watcher awaits this promise and throws its error.
    doing.catch(() => undefined);
  };
  const screen = openDeskScreen(context, { color: options.color, desk: () => session.desk, onKey });
  session.draw = screen.draw;
  session.makeJob = (day) => screen.lend(() => options.makeJob(day));
  session.suspend = screen.suspend;
  screen.enter();
  try {
    await Promise.race([follow(context, session, options.isDue, end.signal, () => doing), toEnd(end.signal)]);
  } finally {
    screen.end();
  }
  if (isInterrupted) throw new AlreadyShown(exitCodes.interrupted);
}

function openSession(options: DeskOptions, undo: BoardUndo, board: Board, leave: () => void): Session {
  const empty = {
    ...{ chosenId: null, details: null, filter: "", hasHelp: false, note: null },
    ...{ picked: new Set<number>(), question: null, trouble: null },
  };
  let looking: Promise<void> = Promise.resolve();
  const lookNow = async () => {
    const looked = await options.look().catch(toTrouble);
    const seen = typeof looked === "string" ? { trouble: looked } : { board: looked, trouble: null };
    session.desk = keepChosen({ ...session.desk, ...seen }, session.desk);
  };
  const session: Session = {
    changeDay: options.changeDay,
    describeJob: options.describeJob,
    actions: deskActions(options.client),
    describeUndo: options.describeUndo,
    draw: async () => undefined,
    desk: keepChosen({ board, ...empty }),
    leave,
    // In sequence, so that an old read never replaces a later one.
    look: () => {
      looking = looking.catch(() => undefined).then(lookNow);
      return looking;
    },
    makeJob: options.makeJob,
    suspend: () => undefined,
    toTypedAt: options.toTypedAt,
    undo,
  };
  return session;
}

/** Shows errors of the target above the current board. Any other error closes the screen. */
async function press(session: Session, key: Key): Promise<void> {
  const { note: noteBefore } = session.desk;
  const slow = setTimeout(() => {
    // The key has already reported its result; only the board is still being read.
    if (session.desk.note !== noteBefore) return;
    session.desk = { ...session.desk, note: waitingNote };
    void session.draw();
  }, slowMs);
  try {
    await pressKey(session, key);
  } catch (error) {
    if (!(error instanceof DispatchError)) throw error;
    await session.look();
    const detail = error.violations[0]?.detail ?? error.message;
    const note = `! ${detail[0]?.toUpperCase()}${detail.slice(1)}`;
    session.desk = { ...session.desk, note, question: null };
  } finally {
    clearTimeout(slow);
    if (session.desk.note === waitingNote) session.desk = { ...session.desk, note: noteBefore };
  }
}

const waitingNote = "Waiting for an answer …";

/** After this time a user may think that the key had no effect. */
const slowMs = 300;

/** Follows the terminal's size and changes of others, until the signal. Throws an error that no key reported. */
async function follow(
  { stdout }: CliContext,
  session: Session,
  mayLook: DeskOptions["isDue"],
  signal: AbortSignal,
  doing: () => Promise<void>,
): Promise<void> {
  await session.draw();
  let size = sizeOf(stdout);
  let lookedMs = performance.now();
  let restUntilMs = 0;
  while (!signal.aborted) {
    await wait(sizeCheckMs);
    await doing();
    if (signal.aborted) return;
    const { columns, rows } = sizeOf(stdout);
    const isResized = columns !== size.columns || rows !== size.rows;
    size = { columns, rows };
    const startedMs = performance.now();
    const isDue = startedMs >= restUntilMs && mayLook(startedMs - lookedMs);
    if (isDue) {
      await session.look();
      const tookMs = performance.now() - startedMs;
      lookedMs = performance.now();
      restUntilMs = lookedMs + Math.min(tookMs * restFactor, restMsMax);
    }
    if (isDue || isResized) await session.draw();
  }
}

/** Reads of the board take at most 10 % of the time, unless one is very slow. */
const restFactor = 9;
const restMsMax = 10_000;

/** The interval for noticing a new size of the terminal. */
const sizeCheckMs = 100;

function toEnd(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

interface DeskScreen {
  draw(): Promise<void>;
  enter(): void;
  end(): void;
  lend<T>(use: () => Promise<T>): Promise<T>;
  suspend(): void;
}

function openDeskScreen(
  context: CliContext,
  { color, desk, onKey }: { color: boolean; desk: () => Desk; onKey: (key: Key) => void },
): DeskScreen {
  const { stdout } = context;
  let drawn = "";
  let keys: { stop(): void } | null = null;
  const draw = async () => {
    const { columns, rows } = sizeOf(stdout);
    const shown = desk();
    const screen = await openScreen({ isTerminal: true, width: columns, color });
    const { foot, lines } = drawDesk(shown, screen, rows);
    const frame = toFrame(lines, foot, rows);
    if (frame === drawn || !keys) return;
    drawn = frame;
    stdout.write(frame);
  };
  const enter = () => {
    stdout.write(enterScreen);
    drawn = "";
    // The shell may have changed the modes of the terminal.
    keys?.stop();
    keys = readKeys(context, onKey);
    void draw();
  };
  const leave = () => {
    if (!keys) return;
    keys.stop();
    keys = null;
    stdout.write(leaveScreen);
  };
  // On SIGCONT, a prompt may still use the terminal.
  let isLent = false;
  const hold = context.host?.holdTerminal({ leave, takeBack: () => !isLent && enter() });
  return {
    draw,
    enter,
    end: () => {
      leave();
      hold?.end();
    },
    lend: async (use) => {
      isLent = true;
      leave();
      return use().finally(() => {
        isLent = false;
        enter();
      });
    },
    suspend: () => hold?.suspend(),
  };
}
