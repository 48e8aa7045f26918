import { type CliContext, sizeOf } from "../../../context.ts";
import { enterScreen, leaveScreen, toFrame } from "../../../output/full-screen.ts";
import { openScreen } from "../../../output/screen.ts";
import type { Desk } from "./desk.ts";
import { drawDesk } from "./draw-desk.ts";
import { type Key, readKeys } from "./read-keys.ts";

/** The terminal's other screen with its keys. */
export interface DeskScreen {
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
export function openDeskScreen(
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
  const hold = context.holdTerminal?.({ leave, takeBack: () => !isLent && enter() });
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
