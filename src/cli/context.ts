import type { Fetch } from "../client/call-types.ts";
import type { Actor } from "../core/actor.ts";
import type { ServerFactory } from "../core/server-factory.ts";
import type { Service } from "../core/service.ts";
import type { LogWriter, Loss } from "../runtime/log-writer.ts";

/** The process from the view of commands. `main` passes the real one, tests pass buffers. */
export interface CliContext {
  env: Readonly<Record<string, string | undefined>>;
  stdin: NodeJS.ReadableStream & { isTTY?: boolean; destroy(): unknown };
  stdout: Screen;
  stderr: Screen;
  /** For a long-running command: a failing log never ends or blocks the program. `toNotice` describes lost lines. */
  openLog(toNotice: (loss: Loss) => string): Promise<Pick<LogWriter, "lostLines" | "write">>;
  /** Calls the listener on SIGINT and SIGTERM. */
  onInterrupt(listener: () => void): void;
  /** undefined in tests. */
  host?: Host;
  /** `main` passes the server, which needs the process. Tests pass their own. */
  http: ServerFactory & LocalService;
}

export interface LocalService {
  /** `isWhole` adds everything that a server does around a response. */
  localFetch(service: Service, actor: Actor, options?: { isWhole?: boolean }): Promise<Fetch>;
}

export interface Host {
  /** Without a listener, the program ends. */
  onOutputLost(listener: (error: NodeJS.ErrnoException) => void): void;
  /** SIGHUP asks to read the configuration again. */
  onReload(listener: () => void): void;
  /** SIGUSR2 asks to reset a sandbox store. */
  onReset(listener: () => void): void;
  /** null if the program does not exist. */
  startPager(command: string, env: CliContext["env"]): Promise<Pager | null>;
  /** Ends the process with the command, even if work is left. */
  abandonWork(): void;
  /** Restores the terminal when the process ends or stops, and takes it again when the process continues. */
  holdTerminal(screen: HeldScreen): { suspend(): void; end(): void };
}

export interface HeldScreen {
  /** Restores the terminal, also after a crash. A second call does nothing. */
  leave(): void;
  takeBack(): void;
}

export interface Pager {
  write(text: string): Promise<void>;
  /** Whether the user left the pager. */
  isClosed(): boolean;
  end(): Promise<void>;
}

export interface Screen {
  /** Returns false if the buffer is full; then `once` reports free space. */
  write(text: string | Uint8Array): unknown;
  once?(event: "drain", listener: () => void): unknown;
  isTTY?: boolean;
  columns?: number;
  rows?: number;
}

/** A terminal that reports 0 counts as 80 by 24. */
export function sizeOf({ columns = 0, rows = 0 }: Screen): { columns: number; rows: number } {
  return { columns: columns > 0 ? columns : 80, rows: rows > 0 ? rows : 24 };
}

/** Checks standard input last: reading the property opens it. */
export function isInteractive(context: CliContext): boolean {
  return Boolean(context.stderr.isTTY) && !context.env.CI && Boolean(context.stdin.isTTY);
}

/** A body from standard input leaves no input for answers. */
export function canAsk(context: CliContext, { body }: OptionValues): boolean {
  return body !== "-" && isInteractive(context);
}

/** Supports https://no-color.org and FORCE_COLOR. */
export function showsColor(screen: Screen, env: CliContext["env"], noColor: boolean): boolean {
  if (noColor || (env.NO_COLOR ?? "") !== "") return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== "0";
  return Boolean(screen.isTTY) && env.TERM !== "dumb";
}

export type OptionValues = Readonly<Record<string, unknown>>;
