import { isatty } from "node:tty";
import type { CliContext, HeldScreen, Host } from "./cli/context.ts";
import type { LogWriter } from "./runtime/log-writer.ts";
import { programVersion } from "./runtime/program-version.ts";

/**
 * Runs the program with the arguments of the command line and returns its exit code. Only this file uses `process`;
 * it passes the needed parts to the others.
 */
export async function main(): Promise<number> {
  const argv = process.argv.slice(2);
  // Nothing else is loaded for it.
  if (argv.length === 1 && ["--version", "-V"].includes(argv[0] ?? "")) return tellVersion();
  ignoreUserSignals();
  let isWorkAbandoned = false;
  let tellLost: Parameters<Host["onOutputLost"]>[0] | null = null;
  let log: LogWriter | null = null;
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
      log = openLogWriter(process.stderr.fd, toNotice);
      process.once("exit", () => log?.flush());
      return log;
    },
    onInterrupt,
    host: {
      onOutputLost: (listener) => {
        tellLost = listener;
      },
      onReload: (listener) => onReload(() => reopenLog(log).then(listener)),
      onReset: (listener) => void process.on("SIGUSR2", listener),
      startPager: async (command, env) => (await import("./cli/output/pager.ts")).startPager(command, env),
      abandonWork: () => {
        isWorkAbandoned = true;
      },
      holdTerminal,
    },
    http,
  };
  // A reader like `| head` closes the pipe; that is not an error.
  process.stdout.on("error", async (error: NodeJS.ErrnoException) => {
    if (tellLost) return tellLost(error);
    if (error.code === "EPIPE") process.exit(0);
    const { describeFileError } = await import("./errors/file-error.ts");
    process.stderr.write(
      `error: Standard output cannot be written\n  why: ${describeFileError(error, "it is gone")}.\n`,
    );
    process.exit(1);
  });
  // Output that no one receives is lost; the exit code still reports the result.
  process.stderr.on("error", () => undefined);
  await tellInLines(argv, context, (text) => (log ?? process.stderr).write(text));
  const { runCommandLine } = await import("./cli/run.ts");
  const code = await runCommandLine(argv, context);
  if (isWorkAbandoned) process.exit(code);
  return code;
}

/** Loaded by what serves alone. */
const http: CliContext["http"] = {
  startServer: async (service, options) =>
    (await import("./http/serve.ts")).startServer(service, options, process),
  startWorkers: async (options) => (await import("./http/worker-pool.ts")).startWorkers(options, process),
  findSupervisor: async () => (await import("./http/worker-pool.ts")).findSupervisor(process),
  localFetch: async (...asked) => (await import("./http/local-fetch.ts")).localFetch(...asked),
};

/** What serves with a log of JSON writes nothing else. */
async function tellInLines(
  argv: readonly string[],
  context: CliContext,
  write: (text: string) => void,
): Promise<void> {
  if (!argv.some((word) => word === "serve" || word === "--serve")) return;
  const { splitGeneralOptions } = await import("./cli/common-options.ts");
  const { logsJson } = await import("./cli/start-failure.ts");
  if (!logsJson(argv, splitGeneralOptions(argv).words, context)) return;
  const { tellProcessInLines } = await import("./runtime/process-lines.ts");
  tellProcessInLines(process, write);
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

/** Calls the listener at each SIGHUP. A SIGHUP because the log's terminal has closed ends the program like SIGTERM. */
function onReload(listener: () => Promise<void>): void {
  const wasOnTerminal = isatty(process.stderr.fd);
  process.on("SIGHUP", () => {
    if (wasOnTerminal && !isatty(process.stderr.fd)) process.kill(process.pid, "SIGTERM");
    else void listener();
  });
}

/** Tools that rotate logs send these. Node would open its inspector at the first, and end at the second. */
function ignoreUserSignals(): void {
  for (const signal of ["SIGUSR1", "SIGUSR2"] as const) process.on(signal, () => undefined);
}

/** Opens a new file when the log was renamed. Processes that start later write there too. */
async function reopenLog(log: LogWriter | null): Promise<void> {
  const fd = log?.reopen() ?? null;
  if (fd === null) return;
  const { default: cluster } = await import("node:cluster");
  cluster.setupPrimary({ stdio: ["inherit", "inherit", fd, "ipc"] });
}

function tellVersion(): number {
  process.stdout.write(`${programVersion}\n`);
  return 0;
}

/** Gives the terminal back when the process ends or is suspended, and takes it again when it resumes. */
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
      // Without a shell to resume it, the process does not stop.
      timer = setTimeout(goOn, 100);
    },
    end() {
      process.off("exit", leave);
      process.off("SIGCONT", goOn);
    },
  };
}
