import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Pager } from "../context.ts";

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
