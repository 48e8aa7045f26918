import { isatty } from "node:tty";
import type { LogWriter } from "../runtime/log-writer.ts";
import { programVersion } from "../runtime/program-version.ts";
import type { CliContext, HeldScreen, Host } from "./context.ts";

/** Runs the program and returns its exit code. Only this file uses `process`; others get parts of it as arguments. */
export async function main(): Promise<number> {
  const argv = process.argv.slice(2);
  // Load nothing else.
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
      const { openLogWriter } = await import("../runtime/log-writer.ts");
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
      startPager: async (command, env) => (await import("./output/pager.ts")).startPager(command, env),
      abandonWork: () => {
        isWorkAbandoned = true;
      },
      holdTerminal,
    },
    http,
  };
  // A reader such as `| head` closes the pipe, which is not an error.
  process.stdout.on("error", async (error: NodeJS.ErrnoException) => {
    if (tellLost) return tellLost(error);
    if (error.code === "EPIPE") process.exit(0);
    const { describeFileError } = await import("../errors/file-error.ts");
    process.stderr.write(
      `error: Standard output cannot be written\n  why: ${describeFileError(error, "it is gone")}.\n`,
    );
    process.exit(1);
  });
  // No one receives the output. The exit code still reports the result.
  process.stderr.on("error", () => undefined);
  await tellInLines(argv, context, (text) => (log ?? process.stderr).write(text));
  const { runCommandLine } = await import("./run.ts");
  const code = await runCommandLine(argv, context);
  if (isWorkAbandoned) process.exit(code);
  return code;
}

/** Only commands that serve load these. */
const http: CliContext["http"] = {
  startServer: async (service, options) =>
    (await import("../http/serve.ts")).startServer(service, options, process),
  startWorkers: async (options) => (await import("../http/worker-pool.ts")).startWorkers(options, process),
  findSupervisor: async () => (await import("../http/worker-pool.ts")).findSupervisor(process),
  localFetch: async (...asked) => (await import("../http/local-fetch.ts")).localFetch(...asked),
};

/** A server with a JSON log writes nothing else. */
async function tellInLines(
  argv: readonly string[],
  context: CliContext,
  write: (text: string) => void,
): Promise<void> {
  if (!argv.some((word) => word === "serve" || word === "--serve")) return;
  const { splitGeneralOptions } = await import("./common-options.ts");
  const { logsJson } = await import("./start-failure.ts");
  if (!logsJson(argv, splitGeneralOptions(argv).words, context)) return;
  const { tellProcessInLines } = await import("../runtime/process-lines.ts");
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

/** Calls the listener at each SIGHUP. If the log's terminal has closed, a SIGHUP ends the program like SIGTERM. */
function onReload(listener: () => Promise<void>): void {
  const wasOnTerminal = isatty(process.stderr.fd);
  process.on("SIGHUP", () => {
    if (wasOnTerminal && !isatty(process.stderr.fd)) process.kill(process.pid, "SIGTERM");
    else void listener();
  });
}

/** Log rotation tools send these. At the first Node would open its inspector, and at the second it would end. */
function ignoreUserSignals(): void {
  for (const signal of ["SIGUSR1", "SIGUSR2"] as const) process.on(signal, () => undefined);
}

/** Opens a new file after the log was renamed. Processes that start later write there too. */
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

/** Gives the terminal back when the process ends or is suspended; takes it again when it resumes. */
function holdTerminal({ leave, takeBack }: HeldScreen) {
  let timer: NodeJS.Timeout | undefined;
  const goOn = () => {
    clearTimeout(timer);
    takeBack();
  };
  process.on("exit", leave);
  process.on("SIGCONT", goOn);
  return {
    /** Stops all processes of the job, as the terminal does at Ctrl-Z. */
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
