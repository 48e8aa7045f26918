import type { CliContext, HeldScreen } from "./cli/context.ts";
import { programVersion } from "./runtime/program-version.ts";

/**
 * Runs the program with the words of the command line and gives its exit code. The only file that touches `process`: it
 * passes on what the others need of it.
 */
export async function main(): Promise<number> {
  const argv = process.argv.slice(2);
  // Nothing else is loaded for it.
  if (argv.length === 1 && ["--version", "-V"].includes(argv[0] ?? "")) return tellVersion();
  const { readCommandLine } = await import("./cli/command-line.ts");
  const line = readCommandLine(argv);
  if (line.asksVersion) return tellVersion();
  let isWorkAbandoned = false;
  const context: CliContext = {
    env: process.env,
    // Most commands never read it.
    get stdin() {
      return process.stdin;
    },
    stdout: process.stdout,
    stderr: process.stderr,
    openLog: async (toNotice) => {
      const { openLogWriter } = await import("./runtime/log-writer.ts");
      const log = openLogWriter(process.stderr.fd, toNotice);
      process.once("exit", () => log.flush());
      return log;
    },
    onInterrupt,
    onResetSignal: (listener) => void process.on("SIGUSR2", listener),
    abandonWork: () => {
      isWorkAbandoned = true;
    },
    holdTerminal,
    startPager: async (command, env) => (await import("./cli/output/pager.ts")).startPager(command, env),
    http: {
      startServer: async (service, options) =>
        (await import("./http/serve.ts")).startServer(service, options, process),
      startWorkers: async (count, options) =>
        (await import("./http/worker-pool.ts")).startWorkers(count, options, process),
      findSupervisor: async () => (await import("./http/worker-pool.ts")).findSupervisor(process),
      answerInProcess: async (service, actor, request) =>
        (await import("./http/answer-in-process.ts")).answerInProcess(service, actor, request),
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
  // What cannot be told is lost; the exit code says it all the same.
  process.stderr.on("error", () => undefined);
  const { runCommandLine } = await import("./cli/run.ts");
  const code = await runCommandLine(line, context);
  if (isWorkAbandoned) process.exit(code);
  return code;
}

/** The second signal, of either kind, ends the process at once. */
function onInterrupt(listener: () => void): void {
  const signals = ["SIGINT", "SIGTERM"] as const;
  const interrupt = () => {
    for (const signal of signals) process.off(signal, interrupt);
    listener();
  };
  for (const signal of signals) process.on(signal, interrupt);
}

function tellVersion(): number {
  process.stdout.write(`${programVersion}\n`);
  return 0;
}

/** Gives a terminal back when the process ends or is suspended, and takes it again when it goes on. */
function holdTerminal({ leave, takeBack }: HeldScreen) {
  let timer: NodeJS.Timeout | undefined;
  const goOn = () => {
    clearTimeout(timer);
    takeBack();
  };
  process.on("exit", leave);
  process.on("SIGCONT", goOn);
  return {
    /** Stops all processes of the job, as the terminal itself does at Ctrl-Z. */
    suspend() {
      if (process.platform === "win32") return;
      leave();
      process.kill(0, "SIGTSTP");
      // Where no shell is there to let it go on, it does not stop.
      timer = setTimeout(goOn, 100);
    },
    end() {
      process.off("exit", leave);
      process.off("SIGCONT", goOn);
    },
  };
}
