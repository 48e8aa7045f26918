import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readReady } from "../../bench/measure.js";
import { type CommandResult, noConfig } from "./command-line.ts";

/** The built program. */
export const programPath = fileURLToPath(new URL("../../bin/dispatch-cli.js", import.meta.url));

export interface ProgramSetting {
  env?: Record<string, string>;
  input?: string;
  /** The Node and the program to run. By default this Node and the program of the checkout. */
  command?: readonly [node: string, program: string];
}

/** The environment of a test's programs, without the developer's own settings. */
export function toEnv(env: Record<string, string> = {}): Record<string, string> {
  const { PATH = "", HOME = "" } = process.env;
  return { PATH, HOME, DISPATCH_CONFIG: noConfig, ...env };
}

/** The environment of a program that cannot find modules whose names match a pattern. */
export function hideModules(pattern: string): Record<string, string> {
  const hiding = fileURLToPath(new URL("hide-modules.cjs", import.meta.url));
  return { NODE_OPTIONS: `--require ${hiding}`, TEST_HIDDEN_MODULES: pattern };
}

/** Starts the built program. The caller stops it. */
export function startProgram(
  argv: readonly string[],
  { command: [node, program] = [process.execPath, programPath], env }: ProgramSetting = {},
): ChildProcess {
  return spawn(node, [program, ...argv], {
    env: toEnv(env),
    stdio: ["pipe", "pipe", "pipe"],
  });
}

/** Runs the built program to its end. */
export async function runProgram(
  argv: readonly string[],
  setting: ProgramSetting = {},
): Promise<CommandResult> {
  const child = startProgram(argv, setting);
  child.stdin?.end(setting.input ?? "");
  const [stdout, stderr, code] = await Promise.all([
    collect(child.stdout),
    collect(child.stderr),
    toExit(child),
  ]);
  return { code, stdout, stderr };
}

/** The exit code of a program; -1 when a signal ended it. */
export function toExit(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => child.once("close", (code) => resolve(code ?? -1)));
}

async function collect(stream: NodeJS.ReadableStream | null): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream ?? []) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

/** A served store: its address, and a way to stop the server. */
export interface ServedStore {
  url: string;
  child: ChildProcess;
  /** Stops the server as an operator would. Returns the exit code. */
  end(): Promise<number>;
}

/** Starts `serve` on any free port and waits until it accepts requests. */
export async function serveStore(
  data: string,
  options: readonly string[] = [],
  setting: Pick<ProgramSetting, "command" | "env"> = {},
): Promise<ServedStore> {
  const argv = ["--data", data, "--port", "0", "-o", "json", "--log-level", "error", ...options];
  const child = startProgram(["serve", ...argv], setting);
  const exited = toExit(child);
  const { url } = JSON.parse(await readReady(child)) as { url: string };
  const end = () => {
    child.kill("SIGTERM");
    return exited;
  };
  return { url, child, end };
}

/** The processes that a program started, by their parent. */
export function childrenOf(pid: number): number[] {
  // Tests ask repeatedly, and `ps` takes ten times as long as reading the files.
  if (process.platform === "linux") return childrenInProc(pid);
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
  return lines
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([own = 0, parent]) => (parent === pid ? [own] : []));
}

function childrenInProc(pid: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && parentInProc(name) === pid)
    .map(Number);
}

/** The parent of a process; undefined once the process is gone. */
function parentInProc(name: string): number | undefined {
  try {
    // The program's name, in parentheses, may contain spaces.
    const [, parent] = /.*\) \S (\d+)/s.exec(readFileSync(`/proc/${name}/stat`, "utf8")) ?? [];
    return Number(parent);
  } catch {
    return undefined;
  }
}
