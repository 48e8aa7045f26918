import { type ChildProcess, spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { patienceMs } from "./patience.ts";
import { childrenOf, toEnv } from "./program.ts";

/** Whether `script` of util-linux exists, which runs a command in a pseudo-terminal. */
export const hasPseudoTerminal = process.platform === "linux";

/** A shell command in a pseudo-terminal of its own. */
export interface PseudoTerminal {
  press(keys: string): void;
  /** Waits until the terminal shows this text after the last key press. Throws with the end of the output. */
  until(text: string): Promise<void>;
  /** All output, including cursor movements. */
  written(): string;
  /** The process ids of the command, with the shell first. */
  pids(): number[];
  /** Resolves when the command ends. */
  ended: Promise<void>;
}

/** Runs a shell command in a pseudo-terminal of 100 × 30. */
export function openPseudoTerminal(command: string, env: Record<string, string>): PseudoTerminal {
  const words = ["-qefc", `stty cols 100 rows 30; ${command}`, "/dev/null"];
  const child: ChildProcess = spawn("script", words, {
    env: toEnv({ ...env, SHELL: "/bin/sh", TERM: "xterm-256color" }),
    stdio: ["pipe", "pipe", "inherit"],
  });
  let written = "";
  let seen = 0;
  child.stdout?.on("data", (chunk: Buffer) => {
    written += chunk.toString();
  });
  return {
    press(keys) {
      seen = written.length;
      child.stdin?.write(keys);
    },
    async until(text) {
      const deadline = performance.now() + patienceMs;
      for (;;) {
        const shown = stripVTControlCharacters(written.slice(seen));
        if (shown.includes(text)) return;
        if (performance.now() > deadline) throw new Error(`No "${text}" in:\n${shown.slice(-4000)}`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    written: () => written,
    pids: () => descendantsOf(child.pid ?? 0),
    ended: new Promise((resolve) => child.once("close", () => resolve())),
  };
}

function descendantsOf(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
}
