import { setTimeout as wait } from "node:timers/promises";
import type { Board } from "../../../board/board.ts";
import { exitCodes } from "../../../errors/errors.ts";
import { type CliContext, sizeOf } from "../../context.ts";
import { AlreadyShown } from "../../outcome/already-shown.ts";
import { isPassing } from "../../outcome/exit-code-of.ts";
import { cutText } from "../../output/fit-text.ts";
import { enterScreen, leaveScreen, toFrame } from "../../output/full-screen.ts";
import { openScreen, type Screen } from "../../output/screen.ts";
import { toVisible } from "../../output/text.ts";
import type { Changes } from "../../target/changes.ts";
import { toClock } from "./draw-head.ts";
import { fitBoard } from "./fit-board.ts";

export interface WatchOptions {
  color: boolean;
  look(): Promise<Board>;
  /** Waits until the next reload; `end` ends the board. */
  changes: Pick<Changes, "end" | "wait">;
}

/** Ends with AlreadyShown. Keeps the last board while the target is unreachable; throws other errors. */
export async function watchBoard(
  context: CliContext,
  { changes, color, look }: WatchOptions,
): Promise<never> {
  const { stdout } = context;
  const end = new AbortController();
  context.onInterrupt(() => end.abort());
  const aborted = toAbort(end.signal);
  let trouble: string | null = null;
  let board: Board;
  try {
    board = await look();
  } catch (error) {
    changes.end();
    throw error;
  }
  stdout.write(enterScreen);
  try {
    for (;;) {
      const over = Promise.race([changes.wait(), aborted]);
      await drawUntil(context, color, board, trouble, over);
      const startedMs = performance.now();
      const looked = await Promise.race([look().catch(toTrouble), aborted]);
      if (typeof looked === "string") trouble = looked;
      else [board, trouble] = [looked, null];
      // A slow target is busy, so it gets a pause.
      const tookMs = performance.now() - startedMs;
      if (tookMs > busyMs) await wait(Math.min(tookMs, slowMsMax), null, { signal: end.signal });
    }
  } catch (error) {
    if (end.signal.aborted) throw new AlreadyShown(exitCodes.interrupted);
    throw error;
  } finally {
    changes.end();
    stdout.write(leaveScreen);
  }
}

const busyMs = 5_000;
const slowMsMax = 30_000;

async function drawUntil(
  { stdout }: CliContext,
  color: boolean,
  board: Board,
  trouble: string | null,
  over: Promise<unknown>,
): Promise<void> {
  let isOver = false;
  const ending = over.finally(() => {
    isOver = true;
  });
  let drawnSize = "";
  while (!isOver) {
    const { columns, rows } = sizeOf(stdout);
    if (drawnSize !== `${columns}x${rows}`) {
      const screen = await openScreen({ isTerminal: true, width: columns, color });
      stdout.write(toFrame(fitBoard(board, screen, rows - 1), drawFoot(board, trouble, screen), rows));
      drawnSize = `${columns}x${rows}`;
    }
    await Promise.race([ending, wait(sizeCheckMs)]);
  }
  await ending;
}

const sizeCheckMs = 250;

export function drawFoot(board: Board, trouble: string | null, screen: Screen): string {
  const seen = toClock(board);
  if (trouble === null) return screen.paint.faint(cutText(`as of ${seen} · Ctrl-C ends`, screen.columns));
  const text = `! unreachable since ${seen}, retrying: ${toVisible(trouble)}`;
  return screen.paint.alarm(cutText(text, screen.columns));
}

/** Throws unless the error is temporary. */
export function toTrouble(error: unknown): string {
  if (isPassing(error)) return error.violations[0]?.detail ?? error.message;
  throw error;
}

function toAbort(signal: AbortSignal): Promise<never> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  // A signal may abort the request while no code awaits it.
  aborted.catch(() => undefined);
  return aborted;
}
