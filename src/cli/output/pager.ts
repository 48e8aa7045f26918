import { once } from "node:events";
import { type CliContext, type Pager, sizeOf } from "../context.ts";
import type { OutputOptions } from "./options.ts";
import { writeOut } from "./write-out.ts";

export interface Out {
  write(text: string): Promise<void>;
  isClosed(): boolean;
  /** Resolves when the user leaves the pager. */
  end(): Promise<void>;
}

/** Sends a table longer than the terminal through PAGER (default: less). */
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
      // The pager handles Ctrl-C, which must not end the program.
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

export async function startPager(command: string, env: NodeJS.ProcessEnv): Promise<Pager | null> {
  const [program = "", ...words] = command.split(/\s+/);
  // less: quit if the text fits the screen (F), show colors (R), do not clear the screen (X).
  const settings = { LESS: "FRX", LV: "-c", ...env };
  const { spawn } = await import("node:child_process");
  const child = spawn(program, words, { env: settings, stdio: ["pipe", "inherit", "inherit"] });
  const closed = once(child, "close").catch(() => undefined);
  const isStarted = await once(child, "spawn").then(
    () => true,
    () => false,
  );
  if (!isStarted) return null;
  let isClosed = false;
  // The user may leave before all text arrived.
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
