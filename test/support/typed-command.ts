import { PassThrough } from "node:stream";
import type { CliContext } from "../../src/cli/context.ts";
import { runCommandLine } from "../../src/cli/run.ts";
import { type CommandResult, inThisProcess } from "./command-line.ts";

/** The input to type after a text has appeared. A function runs first and returns the input. */
export type Typing = readonly [appears: string, keys: string | (() => Promise<string>)];

export const keys = { ctrlC: "\u0003", down: "\u001b[B", enter: "\r" };

/**
 * Runs a command line at a terminal and types each answer as soon as its question appears. Questions go to stderr,
 * here without colors and cursor moves. With `hasTerminal` standard output is the same terminal.
 */
export async function typeCommand(
  argv: readonly string[],
  env: Record<string, string>,
  typings: readonly Typing[],
  hasTerminal = false,
): Promise<CommandResult> {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 });
  // Each question ends its stream, but a terminal's stream stays open.
  stderr.end = () => stderr;
  const left = [...typings];
  let told = "";
  let sinceTyped = "";
  stderr.on("data", (chunk: Buffer) => {
    told += chunk.toString();
    sinceTyped += chunk.toString();
    const [next] = left;
    if (!next || !toPlain(sinceTyped).includes(next[0])) return;
    left.shift();
    sinceTyped = "";
    // The question listens only after it is fully drawn.
    setImmediate(async () => stdin.write(typeof next[1] === "string" ? next[1] : await next[1]()));
  });
  let stdout = "";
  const context = {
    env,
    stdin,
    stdout: {
      ...(hasTerminal && { columns: 80, isTTY: true }),
      write: (text: string | Uint8Array) => {
        stdout += Buffer.from(text).toString();
      },
    },
    stderr,
    onInterrupt: () => undefined,
    // None of these commands starts a server, so local calls are enough.
    http: inThisProcess,
  };
  const code = await runCommandLine(argv, context as unknown as CliContext);
  return { code, stdout, stderr: toPlain(told) };
}

function toPlain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the function removes them.
  return text.replace(/\u001b\[[\d;?]*[A-Za-z]/g, "");
}
