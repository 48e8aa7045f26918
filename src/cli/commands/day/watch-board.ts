import { setTimeout as wait } from "node:timers/promises";
import { DispatchError, exitCodes } from "../../../errors/errors.ts";
import { type CliContext, sizeOf } from "../../context.ts";
import { AlreadyShown } from "../../outcome/already-shown.ts";
import { exitCodeOf } from "../../outcome/exit-code-of.ts";
import { cutText, openScreen, type Screen } from "../../output/screen.ts";
import { toVisible } from "../../output/text.ts";
import type { Board } from "./board.ts";
import { fitBoard } from "./fit-board.ts";

export interface WatchOptions {
  colour: boolean;
  /** How long to wait between two looks; long looks wait longer. */
  everyMs: number;
  look(): Promise<Board>;
}

/**
 * Shows a board on the terminal until the user interrupts it, then throws AlreadyShown. While the target cannot be
 * reached it keeps the last board and says so; any other error ends it.
 */
export async function watchBoard(
  context: CliContext,
  { colour, everyMs, look }: WatchOptions,
): Promise<never> {
  const { stdout } = context;
  const end = new AbortController();
  context.onInterrupt(() => end.abort());
  let board = await look();
  let trouble: string | null = null;
  stdout.write(enter);
  try {
    for (;;) {
      await drawUntil(context, colour, board, trouble, wait(everyMs, null, { signal: end.signal }));
      const startedMs = performance.now();
      const looked = await Promise.race([look().catch(toTrouble), toAbort(end.signal)]);
      if (typeof looked === "string") trouble = looked;
      else [board, trouble] = [looked, null];
      // A target that answers slowly is busy: it gets a pause.
      const tookMs = performance.now() - startedMs;
      if (tookMs > everyMs) await wait(Math.min(tookMs, slowMsMax), null, { signal: end.signal });
    }
  } catch (error) {
    if (end.signal.aborted) throw new AlreadyShown(exitCodes.interrupted);
    throw error;
  } finally {
    stdout.write(leave);
  }
}

const slowMsMax = 30_000;

// The other screen of the terminal, without cursor and without wrapping, so that nothing can scroll.
const enter = "\u001b[?1049h\u001b[?25l\u001b[?7l";
const leave = "\u001b[?7h\u001b[?25h\u001b[?1049l";

/** Draws the board, and again when the size of the terminal changes, until the time is over. */
async function drawUntil(
  { stdout }: CliContext,
  colour: boolean,
  board: Board,
  trouble: string | null,
  over: Promise<unknown>,
): Promise<void> {
  const text = JSON.stringify(board);
  let isOver = false;
  const ending = over.finally(() => {
    isOver = true;
  });
  let drawnSize = "";
  while (!isOver) {
    const { columns, rows } = sizeOf(stdout);
    if (drawnSize !== `${columns}x${rows}`) {
      const screen = await openScreen(text, { isTerminal: true, width: columns, colour });
      stdout.write(toFrame([...fitBoard(board, screen, rows - 1), drawFoot(board, trouble, screen)], rows));
      drawnSize = `${columns}x${rows}`;
    }
    await Promise.race([ending, wait(sizeCheckMs)]);
  }
  await ending;
}

const sizeCheckMs = 250;

/** Everything in one write, each line over the one that was there: nothing flickers. The foot is the last line. */
function toFrame(lines: readonly string[], rows: number): string {
  const foot = lines.at(-1) ?? "";
  // A line is cleared before it is written: after a full one the last column would go.
  const body = lines.slice(0, -1).map((line) => `\u001b[K${line}\r\n`);
  return `\u001b[H${body.join("")}\u001b[J\u001b[${rows};1H${foot}`;
}

function drawFoot({ generated_on }: Board, trouble: string | null, screen: Screen): string {
  const seen = `${generated_on.slice(11, 19)} UTC`;
  if (trouble === null)
    return screen.paint.faint(cutText(`as of ${seen} · Ctrl-C ends`, screen.columns, screen));
  const text = `! not reached since ${seen}, trying again: ${toVisible(trouble)}`;
  return screen.paint.alarm(cutText(text, screen.columns, screen));
}

/** Describes an error that may pass; throws any other. */
function toTrouble(error: unknown): string {
  if (error instanceof DispatchError && isPassing(error)) return error.violations[0]?.detail ?? error.message;
  throw error;
}

function isPassing(error: DispatchError): boolean {
  const code = exitCodeOf(error);
  return code === exitCodes.unreachable || code === exitCodes.limited;
}

function toAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
