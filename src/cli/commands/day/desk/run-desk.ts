import { setTimeout as wait } from "node:timers/promises";
import { DispatchError, exitCodes } from "../../../../errors/errors.ts";
import type { TypedAt } from "../../../../local-time/read-time.ts";
import type { Client } from "../../../../operations/client.ts";
import type { CliContext } from "../../../context.ts";
import { AlreadyShown } from "../../../outcome/already-shown.ts";
import { enterScreen, leaveScreen, toFrame } from "../../../output/full-screen.ts";
import { openScreen } from "../../../output/screen.ts";
import type { Board } from "../board.ts";
import { toTrouble } from "../watch-board.ts";
import { keepChosen } from "./desk.ts";
import { deskActions } from "./desk-actions.ts";
import { drawDesk } from "./draw-desk.ts";
import { pressKey, type Session } from "./press-key.ts";
import { type Key, readKeys } from "./read-keys.ts";

export interface DeskOptions {
  client: Client;
  colour: boolean;
  /** How long to wait between two looks at what others do. */
  everyMs: number;
  look(): Promise<Board>;
  /** Asks for a new job, on the terminal's own screen. */
  makeJob(): Promise<void>;
  /** How times are understood that are typed for a job of a location. */
  toTypedAt(locationId: number): TypedAt;
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
  const session = openSession(options, await options.look(), () => end.abort());
  const screen = openDeskScreen(context, session, options.colour);
  // Keys are done one after the other, however fast they come.
  let doing: Promise<void> = Promise.resolve();
  const listen = () =>
    readKeys(context, (key) => {
      if (key.isCtrl && key.name === "c") interrupt();
      else {
        doing = doing.then(() => press(session, key)).then(screen.draw);
        // Whoever watches waits for it and throws what it throws.
        doing.catch(() => undefined);
      }
    });
  context.stdout.write(enterScreen);
  let keys = listen();
  session.makeJob = async () => {
    keys.stop();
    await screen.lend(options.makeJob);
    keys = listen();
  };
  try {
    await Promise.race([
      watch(session, screen.draw, options.everyMs, end.signal, () => doing),
      toEnd(end.signal),
    ]);
  } finally {
    keys.stop();
    context.stdout.write(leaveScreen);
  }
  if (isInterrupted) throw new AlreadyShown(exitCodes.interrupted);
}

function openSession(options: DeskOptions, board: Board, leave: () => void): Session {
  const empty = { chosenId: null, filter: "", hasHelp: false, note: null, question: null, trouble: null };
  const session: Session = {
    actions: deskActions(options.client),
    desk: keepChosen({ board, ...empty }),
    last: null,
    leave,
    look: async () => {
      const looked = await options.look().catch(toTrouble);
      const seen = typeof looked === "string" ? { trouble: looked } : { board: looked, trouble: null };
      session.desk = keepChosen({ ...session.desk, ...seen });
    },
    makeJob: options.makeJob,
    toTypedAt: options.toTypedAt,
  };
  return session;
}

/** What a target refuses is said in the last lines; anything else ends the screen. */
async function press(session: Session, key: Key): Promise<void> {
  try {
    await pressKey(session, key);
  } catch (error) {
    if (!(error instanceof DispatchError)) throw error;
    const note = `! ${error.violations[0]?.detail ?? error.message}`;
    session.desk = { ...session.desk, note, question: null };
  }
}

/** Draws what has changed, and lends the terminal to what asks in its own way. */
function openDeskScreen({ stdout }: CliContext, session: Session, colour: boolean) {
  let drawn = "";
  let isLent = false;
  return {
    draw: async () => {
      const { columns = 80, rows = 24 } = stdout;
      const { board, filter, note, question } = session.desk;
      const text = JSON.stringify([board, filter, note, question]);
      const screen = await openScreen(text, { isTerminal: true, width: columns, colour });
      const { foot, lines } = drawDesk(session.desk, screen, rows);
      const frame = toFrame(lines, foot, rows);
      if (frame === drawn || isLent) return;
      drawn = frame;
      stdout.write(frame);
    },
    lend: async (use: () => Promise<void>) => {
      isLent = true;
      stdout.write(leaveScreen);
      await use().finally(() => {
        stdout.write(enterScreen);
        isLent = false;
        drawn = "";
      });
    },
  };
}

/** Follows the size of the terminal and what others do, until the signal. Throws what a key could not be told of. */
async function watch(
  session: Session,
  draw: () => Promise<void>,
  everyMs: number,
  signal: AbortSignal,
  doing: () => Promise<void>,
): Promise<void> {
  let lookedMs = performance.now();
  while (!signal.aborted) {
    await draw();
    await wait(sizeCheckMs);
    await doing();
    if (signal.aborted || performance.now() - lookedMs < everyMs) continue;
    await session.look();
    lookedMs = performance.now();
  }
}

/** How soon another size of the terminal is noticed. */
const sizeCheckMs = 100;

function toEnd(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
