import { setTimeout as wait } from "node:timers/promises";
import type { Board } from "../../../../board/board.ts";
import { type BoardUndo, openBoardUndo } from "../../../../board/board-undo.ts";
import type { Client } from "../../../../client/client.ts";
import { DispatchError, exitCodes } from "../../../../errors/errors.ts";
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

export interface DeskOptions extends Pick<Session, "describeUndo" | "toTypedAt"> {
  client: Client;
  colour: boolean;
  /** Whether to look at what others do, so long after the last look; long looks wait longer. */
  isDue(passedMs: number): boolean;
  look(): Promise<Board>;
  /** Asks for a new job, on the terminal's own screen; false when there is none. */
  makeJob(): Promise<boolean>;
}

/** Shows the board on the whole terminal and does what keys say, until somebody leaves it. Ctrl-C throws AlreadyShown. */
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
  // Keys are done one after the other, however fast they come.
  let doing: Promise<void> = Promise.resolve();
  let waiting = 0;
  const onKey = (key: Key) => {
    if (key.isCtrl && key.name === "c") return interrupt();
    waiting += 1;
    doing = doing
      .then(() => press(session, key))
      .then(() => {
        waiting -= 1;
        // What keys that wait will change need not be drawn before.
        return waiting === 0 ? screen.draw() : undefined;
      });
    // Whoever watches waits for it and throws what it throws.
    doing.catch(() => undefined);
  };
  const screen = openDeskScreen(context, { colour: options.colour, desk: () => session.desk, onKey });
  session.draw = screen.draw;
  session.makeJob = () => screen.lend(options.makeJob);
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
  const empty = { chosenId: null, filter: "", hasHelp: false, note: null, question: null, trouble: null };
  let looking: Promise<void> = Promise.resolve();
  const lookNow = async () => {
    const looked = await options.look().catch(toTrouble);
    const seen = typeof looked === "string" ? { trouble: looked } : { board: looked, trouble: null };
    session.desk = keepChosen({ ...session.desk, ...seen }, session.desk);
  };
  const session: Session = {
    actions: deskActions(options.client),
    describeUndo: options.describeUndo,
    draw: async () => undefined,
    desk: keepChosen({ board, ...empty }),
    leave,
    // One after the other: what was read before a change must not take the place of what was read after it.
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

/**
 * Does what a key says. What a target refuses is said in the last lines, above the board as it is by then; anything else
 * ends the screen.
 */
async function press(session: Session, key: Key): Promise<void> {
  const { note: noteBefore } = session.desk;
  const slow = setTimeout(() => {
    // The key already reported its result, and only the board is still being read.
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

/** After this long somebody wonders whether the key was pressed. */
const slowMs = 300;

/** Follows the size of the terminal and what others do, until the signal. Throws what a key could not be told of. */
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
      // A target that answers slowly is busy: it gets a pause.
      const tookMs = performance.now() - startedMs;
      lookedMs = performance.now();
      restUntilMs = lookedMs + Math.min(tookMs * restFactor, restMsMax);
    }
    if (isDue || isResized) await session.draw();
  }
}

/** Reading the board takes at most a tenth of the time, unless one read is very slow. */
const restFactor = 9;
const restMsMax = 10_000;

/** How soon another size of the terminal is noticed. */
const sizeCheckMs = 100;

function toEnd(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** The terminal's other screen with its keys. */
interface DeskScreen {
  /** Draws the desk where it is different from what is drawn. */
  draw(): Promise<void>;
  enter(): void;
  end(): void;
  /** Lends the terminal to what asks in its own way. */
  lend<T>(use: () => Promise<T>): Promise<T>;
  /** Stops the program, as Ctrl-Z does, until it is told to go on. */
  suspend(): void;
}

/** Takes the screen with `enter`. However the program ends, the terminal is given back. */
function openDeskScreen(
  context: CliContext,
  { colour, desk, onKey }: { colour: boolean; desk: () => Desk; onKey: (key: Key) => void },
): DeskScreen {
  const { stdout } = context;
  let drawn = "";
  let keys: { stop(): void } | null = null;
  const draw = async () => {
    const { columns, rows } = sizeOf(stdout);
    const shown = desk();
    const screen = await openScreen({ isTerminal: true, width: columns, colour });
    const { foot, lines } = drawDesk(shown, screen, rows);
    const frame = toFrame(lines, foot, rows);
    if (frame === drawn || !keys) return;
    drawn = frame;
    stdout.write(frame);
  };
  const enter = () => {
    stdout.write(enterScreen);
    drawn = "";
    // A shell may have set the terminal to ways of its own meanwhile.
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
  // Whoever lends the terminal away does not want it back because the program goes on after a pause.
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
