import { PassThrough } from "node:stream";
import type { Command } from "commander";
import type { CliContext, Host } from "../../src/cli/context.ts";
import { createProgram, runCommandLine } from "../../src/cli/run.ts";
import { localFetch } from "../../src/http/local-fetch.ts";
import { startServer } from "../../src/http/serve.ts";

/** A folder that cannot exist, so that no test leaves profiles for another test. */
export const noConfig = "/dev/null/dispatch-cli";

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

export interface CommandSetting {
  env?: Record<string, string>;
  /** The content of standard input. */
  input?: string;
  /** Keeps standard input open. */
  isOpen?: boolean;
  /** The width of the terminal that output goes to. Without it, output goes to a pipe. */
  columns?: number;
  /** The height of that terminal. */
  rows?: number;
  /** Resolves when somebody presses Ctrl-C. */
  interrupted?: Promise<void>;
  /** Called after each write, with all of standard output so far. */
  onOutput?: (text: string) => void;
  /** The same for standard error. */
  onErrorOutput?: (text: string) => void;
  /** Starts the PAGER. By default no pager can start. */
  startPager?: Host["startPager"];
  /** Makes standard input a terminal too, so that commands may ask for missing values. */
  isTyped?: boolean;
}

/** Lets commands call a store in this process. */
export const inThisProcess: Pick<CliContext["http"], "localFetch"> = {
  localFetch: async (...asked) => localFetch(...asked),
};

/** Runs a command line in this process, with buffers in place of the streams. */
export async function runCommand(
  argv: readonly string[],
  setting: CommandSetting = {},
): Promise<CommandResult> {
  const stdout = toBuffer(setting, setting.onOutput);
  const stderr = toBuffer(setting, setting.onErrorOutput);
  const stdin = new PassThrough();
  if (setting.isOpen) stdin.write(setting.input ?? "");
  else stdin.end(setting.input ?? "");
  if (setting.isTyped) Object.assign(stdin, { isTTY: true });
  const context: CliContext = {
    // Keep the developer's own profiles out of tests.
    env: { DISPATCH_CONFIG: noConfig, ...setting.env },
    stdin,
    stdout: stdout.screen,
    stderr: stderr.screen,
    openLog: async () => ({ write: stderr.screen.write, lostLines: () => 0 }),
    onInterrupt: (listener) => void setting.interrupted?.then(listener),
    ...(setting.startPager && { host: { ...idleHost, startPager: setting.startPager } }),
    http: {
      findSupervisor: async () => null,
      startWorkers: () => {
        throw new Error("Processes are started by the program only.");
      },
      ...inThisProcess,
      startServer,
    },
  };
  const code = await runCommandLine(argv, context);
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

/** A process that receives no signals. */
const idleHost: Omit<Host, "startPager"> = {
  abandonWork: () => undefined,
  holdTerminal: () => ({ end: () => undefined, suspend: () => undefined }),
  onOutputLost: () => undefined,
  onReload: () => undefined,
  onReset: () => undefined,
};

/** Loads the tree with all commands. None of them can run. */
export function loadWholeTree(): Promise<Command> {
  return createProgram({ env: {} } as CliContext).wholeTree();
}

function toBuffer({ columns, rows }: CommandSetting, onWrite?: (text: string) => void) {
  const chunks: Buffer[] = [];
  const text = () => Buffer.concat(chunks).toString("utf8");
  const screen = {
    write(more: string | Uint8Array) {
      chunks.push(Buffer.from(more));
      onWrite?.(text());
    },
    ...(columns !== undefined && { isTTY: true, columns, ...(rows !== undefined && { rows }) }),
  };
  return { screen, text };
}
