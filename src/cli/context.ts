import type { Actor } from "../auth/actor.ts";
import type { Fetch } from "../client/call-types.ts";
import type { ServerFactory } from "../core/server-factory.ts";
import type { Service } from "../core/service.ts";
import type { LogWriter, Loss } from "../runtime/log-writer.ts";

/** The process as commands see it. `main` passes the real one, tests pass buffers. */
export interface CliContext {
  env: Readonly<Record<string, string | undefined>>;
  stdin: NodeJS.ReadableStream & { isTTY?: boolean; destroy(): unknown };
  stdout: Screen;
  stderr: Screen;
  /**
   * Opens standard error for a long-running command. A log that cannot be written never ends or blocks the program.
   * `toNotice` describes lost lines.
   */
  openLog(toNotice: (loss: Loss) => string): Promise<Pick<LogWriter, "lostLines" | "write">>;
  /** Calls the listener on SIGINT and SIGTERM. */
  onInterrupt(listener: () => void): void;
  /** The rest of the process; undefined in tests. */
  host?: Host;
  /** The HTTP side. `main` passes it in, because `cli` and `http` do not import each other. */
  http: ServerFactory & LocalService;
}

/** Calls a service in this process like a server. */
export interface LocalService {
  /** Sends requests to a store as one of its users. `isWhole` adds everything that a server does around an answer. */
  localFetch(service: Service, actor: Actor, options?: { isWhole?: boolean }): Promise<Fetch>;
}

/** Signals, terminal, and other programs. */
export interface Host {
  /** Calls the listener when standard output fails. Without a listener the program ends. */
  onOutputLost(listener: (error: NodeJS.ErrnoException) => void): void;
  /** Calls the listener on each SIGHUP, which asks to read the configuration again. */
  onReload(listener: () => void): void;
  /** Calls the listener on each SIGUSR2, which asks to reset a sandbox store. */
  onReset(listener: () => void): void;
  /** Starts a pager; null when the program does not exist. */
  startPager(command: string, env: CliContext["env"]): Promise<Pager | null>;
  /** Ends the process with the command, even if work is left. */
  abandonWork(): void;
  /** Gives the screen back when the process ends or stops, and takes it again when the process continues. */
  holdTerminal(screen: HeldScreen): { suspend(): void; end(): void };
}

export interface HeldScreen {
  /** Gives the terminal back, also after a crash. A second call does nothing. */
  leave(): void;
  takeBack(): void;
}

/** A program that shows long text page by page. */
export interface Pager {
  write(text: string): Promise<void>;
  /** Whether the user left the pager. */
  isClosed(): boolean;
  end(): Promise<void>;
}

/** A stream for text. */
export interface Screen {
  /** Returns false when the buffer is full; then `once` reports when it has room. */
  write(text: string | Uint8Array): unknown;
  once?(event: "drain", listener: () => void): unknown;
  isTTY?: boolean;
  /** The size of a terminal. */
  columns?: number;
  rows?: number;
}

/** The size of a screen. A terminal that reports 0 counts as 80 by 24. */
export function sizeOf({ columns = 0, rows = 0 }: Screen): { columns: number; rows: number } {
  return { columns: columns > 0 ? columns : 80, rows: rows > 0 ? rows : 24 };
}

/** Whether a person is at the terminal. */
export function isInteractive(context: CliContext): boolean {
  // Check standard input last: reading the property opens it.
  return Boolean(context.stderr.isTTY) && !context.env.CI && Boolean(context.stdin.isTTY);
}

/** Whether the program can prompt. A body from standard input leaves no input for answers. */
export function canAsk(context: CliContext, { body }: OptionValues): boolean {
  return body !== "-" && isInteractive(context);
}

/** Whether a stream shows colors (https://no-color.org, FORCE_COLOR). */
export function showsColour(screen: Screen, env: CliContext["env"], noColour: boolean): boolean {
  if (noColour || (env.NO_COLOR ?? "") !== "") return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== "0";
  return Boolean(screen.isTTY) && env.TERM !== "dumb";
}

/** The parsed options of a command. */
export type OptionValues = Readonly<Record<string, unknown>>;
