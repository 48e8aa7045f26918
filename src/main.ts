import type { CliContext } from "./cli/context.ts";
import { programVersion } from "./runtime/program-version.ts";

/**
 * Runs the program with the words of the command line and gives its exit code. The only file that touches `process`;
 * everything else is told what it needs of it.
 */
export async function main(): Promise<number> {
  const [word] = process.argv.slice(2);
  // Asked for in scripts, often and alone: nothing else is loaded for it.
  if (word === "--version" || word === "-V") {
    process.stdout.write(`${programVersion}\n`);
    return 0;
  }
  const context: CliContext = {
    argv: process.argv.slice(2),
    env: process.env,
    // Most commands never read it.
    get stdin() {
      return process.stdin;
    },
    stdout: process.stdout,
    stderr: process.stderr,
    onInterrupt: (listener) => {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, listener);
    },
    startPager: async (command, env) => (await import("./cli/output/pager.ts")).startPager(command, env),
    http: {
      startServer: async (service, options) =>
        (await import("./http/serve.ts")).startServer(service, options),
      startWorkers: async (count, tell) => (await import("./http/worker-pool.ts")).startWorkers(count, tell),
      findSupervisor: async () => (await import("./http/worker-pool.ts")).findSupervisor(process),
      answerInProcess: async (service, actor, request) =>
        (await import("./http/serve.ts")).answerInProcess(service, actor, request),
    },
  };
  // A reader that has seen enough (`| head`) closes the pipe; that is no error.
  process.stdout.on("error", async (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    const { describeFileError } = await import("./errors/file-error.ts");
    process.stderr.write(
      `error: Standard output cannot be written\n  why: ${describeFileError(error, "it is gone")}.\n`,
    );
    process.exit(1);
  });
  const { runCommandLine } = await import("./cli/run.ts");
  const code = await runCommandLine(context);
  // Who types waits for nothing that a slow target still answers.
  if (word === "completion" && process.argv.some((text) => text.startsWith("--complete"))) process.exit(code);
  return code;
}
