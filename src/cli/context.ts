import type { Actor } from "../auth/actor.ts";
import type { Fetch } from "../client/call-types.ts";
import type { ServerFactory } from "../core/server-factory.ts";
import type { Service } from "../core/service.ts";
import type { LogWriter, Loss } from "../runtime/log-writer.ts";

/** What a command has of the process that it runs in; `main` makes it of the process, tests of buffers. */
export interface CliContext {
  env: Readonly<Record<string, string | undefined>>;
  stdin: NodeJS.ReadableStream & { isTTY?: boolean; destroy(): unknown };
  stdout: Screen;
  stderr: Screen;
  /**
   * Opens standard error for what runs until it is asked to end: a log that cannot be written never ends or holds it.
   * `toNotice` makes the line that tells of lost ones.
   */
  openLog(toNotice: (loss: Loss) => string): Promise<Pick<LogWriter, "lostLines" | "write">>;
  /** Calls back when the program is asked to end (SIGINT, SIGTERM). */
  onInterrupt(listener: () => void): void;
  /** What the process can do besides; undefined in tests, whose buffers are never lost. */
  host?: Host;
  /** The HTTP side of the program, lent by `main`: the two know nothing of each other. */
  http: ServerFactory & LocalService;
}

/** A service in this process, asked as a server is. */
export interface LocalService {
  /** Sends requests to a store as one of its users; `isWhole` has them answered with all that a server has around. */
  localFetch(service: Service, actor: Actor, options?: { isWhole?: boolean }): Promise<Fetch>;
}

/** The process that a command runs in, as far as it is more than streams: signals, a terminal, other programs. */
export interface Host {
  /** From now on a listener is told that standard output cannot be written; before that the program ends then. */
  onOutputLost(listener: (error: NodeJS.ErrnoException) => void): void;
  /** Calls back at each SIGHUP, which asks to read the configuration anew; the terminal is still there. */
  onReload(listener: () => void): void;
  /** Calls back at each SIGUSR2, which asks to bring a sandbox store back to what it was. */
  onReset(listener: () => void): void;
  /** Starts a pager on the terminal; null when there is no such program. */
  startPager(command: string, env: CliContext["env"]): Promise<Pager | null>;
  /** Ends the process as soon as the command does, although it has left work under way. */
  abandonWork(): void;
  /** Gives a screen back to the terminal when the process ends or is suspended, and takes it again when it goes on. */
  holdTerminal(screen: HeldScreen): { suspend(): void; end(): void };
}

/** What is done with a screen when the program stops for a while, and goes on. */
export interface HeldScreen {
  /** Gives the terminal back; also when the program ends in a way that nobody foresaw. Does nothing the second time. */
  leave(): void;
  takeBack(): void;
}

/** A program that shows long text a screen at a time. */
export interface Pager {
  write(text: string): Promise<void>;
  /** Whether it was left. */
  isClosed(): boolean;
  /** Waits until it is left. */
  end(): Promise<void>;
}

/** A stream that text is written to. */
export interface Screen {
  /** False when it is full; `once` then tells when there is room again. */
  write(text: string | Uint8Array): unknown;
  once?(event: "drain", listener: () => void): unknown;
  isTTY?: boolean;
  /** Its size, when it is a terminal. */
  columns?: number;
  rows?: number;
}

/** The size of a screen. A terminal that does not know its own says 0; it is taken for the usual one. */
export function sizeOf({ columns = 0, rows = 0 }: Screen): { columns: number; rows: number } {
  return { columns: columns > 0 ? columns : 80, rows: rows > 0 ? rows : 24 };
}

/** Whether answers go to a person. */
export function isInteractive(context: CliContext): boolean {
  // Standard input last: it is made when it is looked at.
  return Boolean(context.stderr.isTTY) && !context.env.CI && Boolean(context.stdin.isTTY);
}

/** Whether a person can be asked for values: of standard input that was read to its end for a body no answers are left. */
export function canAsk(context: CliContext, { body }: OptionValues): boolean {
  return body !== "-" && isInteractive(context);
}

/** Whether a stream shows colours (https://no-color.org, FORCE_COLOR). */
export function showsColour(screen: Screen, env: CliContext["env"], noColour: boolean): boolean {
  if (noColour || (env.NO_COLOR ?? "") !== "") return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== "0";
  return Boolean(screen.isTTY) && env.TERM !== "dumb";
}

/** The option values of a command as the parser gives them. */
export type OptionValues = Readonly<Record<string, unknown>>;
