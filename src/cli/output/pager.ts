import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Pager } from "../context.ts";

/** Starts a pager on this process's terminal; null when there is no such program. */
export async function startPager(command: string, env: NodeJS.ProcessEnv): Promise<Pager | null> {
  const [program = "", ...words] = command.split(/\s+/);
  // What is shorter than the screen stays on it, colours are shown, and the screen is left as it is.
  const settings = { LESS: "FRX", LV: "-c", ...env };
  const child = spawn(program, words, { env: settings, stdio: ["pipe", "inherit", "inherit"] });
  const closed = once(child, "close").catch(() => undefined);
  const isStarted = await once(child, "spawn").then(
    () => true,
    () => false,
  );
  if (!isStarted) return null;
  let isClosed = false;
  // Who has read enough leaves the pager; what still comes is nobody's.
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
