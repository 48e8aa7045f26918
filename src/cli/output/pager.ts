import { type CliContext, type Pager, sizeOf } from "../context.ts";
import type { OutputOptions } from "./options.ts";
import { writeOut } from "./write-out.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";

/** Where data goes: standard output, or a pager before it. */
export interface Out {
  write(text: string): Promise<void>;
  /** Whether nobody reads any more. */
  isClosed(): boolean;
  /** Waits until a pager was left. */
  end(): Promise<void>;
}

/** Tables that are longer than the terminal go through the pager that PAGER names, less when it names none. */
export function openOut(context: CliContext, options: OutputOptions, hasPager: boolean): Out {
  const { env, stdout } = context;
  const command = env.PAGER?.trim() ?? "less";
  const mayPage = hasPager && options.form === "table" && stdout.isTTY && !["", "cat"].includes(command);
  let pager: Pager | null = null;
  let held = "";
  return {
    async write(text) {
      if (pager) return pager.write(text);
      if (!mayPage || env.TERM === "dumb") return writeOut(stdout, text);
      held += text;
      if (countLines(held) < sizeOf(stdout).rows) return;
      pager = (await context.host?.startPager(command, env)) ?? null;
      // The pager reads the keys now, so Ctrl-C must not end the program under it.
      if (pager) context.onInterrupt(() => undefined);
      const start = held;
      held = "";
      await (pager ? pager.write(start) : writeOut(stdout, start));
    },
    isClosed: () => pager?.isClosed() ?? false,
    async end() {
      await writeOut(stdout, held);
      await pager?.end();
    },
  };
}

function countLines(text: string): number {
  return text.split("\n").length - 1;
}

/** Starts a pager on this process's terminal; null when there is no such program. */
export async function startPager(command: string, env: NodeJS.ProcessEnv): Promise<Pager | null> {
  const [program = "", ...words] = command.split(/\s+/);
  // less leaves at once where the text fits the screen (F), shows colours (R) and does not clear the screen (X).
  const settings = { LESS: "FRX", LV: "-c", ...env };
  const child = spawn(program, words, { env: settings, stdio: ["pipe", "inherit", "inherit"] });
  const closed = once(child, "close").catch(() => undefined);
  const isStarted = await once(child, "spawn").then(
    () => true,
    () => false,
  );
  if (!isStarted) return null;
  let isClosed = false;
  // The user may leave the pager before all text came; the rest is dropped.
  child.stdin.on("error", () => {
    isClosed = true;
  });
  return {
    async write(text) {
      if (isClosed || child.stdin.write(text)) return;
      await Promise.race([once(child.stdin, "drain"), closed]).catch(() => undefined);
    },
    isClosed: () => isClosed || child.exitCode !== null,
    async end() {
      child.stdin.end();
      await closed;
    },
  };
}
