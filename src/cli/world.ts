import type { HttpParts } from "../http-parts.ts";

/** The world as the command line knows it; `main` makes it of the process, tests of buffers. */
export interface World {
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  stdout: Screen;
  stderr: Screen;
  /** Calls back when the program is asked to end (SIGINT, SIGTERM). */
  onInterrupt(listener: () => void): void;
  /** The HTTP side of the program, lent by `main`: the two know nothing of each other. */
  http: HttpParts;
}

/** A stream that text is written to. */
export interface Screen {
  write(text: string | Uint8Array): unknown;
  isTTY?: boolean;
  /** Its size, when it is a terminal. */
  columns?: number;
  rows?: number;
}

/** Whether answers go to a person. */
export function isInteractive({ env, stdin, stderr }: World): boolean {
  return Boolean(stdin.isTTY && stderr.isTTY) && !env.CI;
}

/** Whether a stream shows colours (https://no-color.org, FORCE_COLOR). */
export function showsColour(screen: Screen, env: World["env"], noColour: boolean): boolean {
  if (noColour || (env.NO_COLOR ?? "") !== "") return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== "0";
  return Boolean(screen.isTTY) && env.TERM !== "dumb";
}
