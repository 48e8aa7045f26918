import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import type { Board } from "../../../../src/board/board.ts";
import { watchBoard } from "../../../../src/cli/commands/day/watch-board.ts";
import type { CliContext } from "../../../../src/cli/context.ts";
import { failure } from "../../../../src/errors/errors.ts";
import { aBoard, aBoardJob, aBoardLocation, aBoardTruck } from "./a-board.ts";

/** A terminal that returns the output since the last read, and can press Ctrl-C. */
function openTerminal(columns: number, rows: number) {
  let written = "";
  let interrupt: () => void = () => undefined;
  const stdout = {
    isTTY: true,
    columns,
    rows,
    write: (text: string | Uint8Array) => (written += String(text)),
  };
  const context = { stdout, onInterrupt: (listener: () => void) => (interrupt = listener) };
  return {
    stdout,
    context: context as unknown as CliContext,
    interrupt: () => interrupt(),
    /** Waits until the output contains the text, and returns the output up to then. */
    async until(text: string): Promise<string> {
      while (!written.includes(text)) await new Promise((resolve) => setTimeout(resolve, 5));
      const seen = written;
      written = "";
      return seen;
    },
  };
}

/** Counts the lines of the last screen. */
const linesOfLastScreen = (written: string) =>
  written.slice(written.lastIndexOf("\u001b[?2026h")).split("\r\n").length;

const boardWith = (state: "dispatched" | "completed", time = "12:00:00"): Board => ({
  ...aBoard([aBoardLocation([aBoardTruck(1, [aBoardJob(1, { state })])])]),
  generated_on: `2026-11-21T${time}.000000`,
});

function watch(terminal: ReturnType<typeof openTerminal>, look: () => Promise<Board>) {
  const changes = { end: () => undefined, wait: () => wait(10) };
  const options = { changes, color: false, look };
  return watchBoard(terminal.context, options).catch((error: unknown) => error);
}

it("shows changes, survives a lost server, and ends with 130 on Ctrl-C", async () => {
  const terminal = openTerminal(80, 20);
  let look = async () => boardWith("dispatched");
  const end = watch(terminal, () => look());
  const first = await terminal.until("as of 12:00:00 UTC");
  // The program uses the alternate screen, so the previous screen survives.
  expect(first).toContain("\u001b[?1049h");
  expect(first).toContain("0 of 1 done");

  look = async () => {
    throw failure("target_unreachable", "http://127.0.0.1:1 cannot be reached: the connection is refused.");
  };
  const alone = await terminal.until("! unreachable since 12:00:00 UTC");
  expect(alone).toContain("0 of 1 done");

  look = async () => boardWith("completed", "12:05:00");
  expect(await terminal.until("as of 12:05:00 UTC")).toContain("1 of 1 done");

  terminal.interrupt();
  expect(await end).toMatchObject({ exitCode: 130 });
  expect(await terminal.until("\u001b[?1049l")).toContain("\u001b[?25h");
});

it("never writes more lines than the screen has, and follows its size", async () => {
  const terminal = openTerminal(80, 20);
  const trucks = Array.from({ length: 60 }, (_, index) => aBoardTruck(index + 1, [aBoardJob(index + 1)]));
  const end = watch(terminal, async () => aBoard([aBoardLocation(trucks)]));
  expect(linesOfLastScreen(await terminal.until("as of"))).toBe(20);
  Object.assign(terminal.stdout, { columns: 40, rows: 8 });
  expect(linesOfLastScreen(await terminal.until("\u001b[8;1H"))).toBe(8);
  terminal.interrupt();
  await end;
});

it("ends with a permanent error, and restores the screen", async () => {
  const terminal = openTerminal(80, 20);
  let isFirst = true;
  const end = watch(terminal, async () => {
    if (!isFirst) throw failure("role_not_allowed", "Not any more.");
    isFirst = false;
    return boardWith("dispatched");
  });
  expect(await end).toMatchObject({ code: "role_not_allowed" });
  expect(await terminal.until("\u001b[?1049l")).toContain("\u001b[?7h");
});
