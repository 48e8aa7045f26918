import { toLogLine } from "./log-line.ts";

/** A process whose every line on standard error is to be JSON. */
type OwnProcess = Pick<NodeJS.Process, "exit" | "on" | "removeAllListeners">;

/**
 * Has what Node itself would tell as text told as lines of the log: its warnings, and an exception that nobody caught,
 * which ends the process with 1, as it would without.
 */
export function tellProcessInLines(own: OwnProcess, write: (line: string) => void): void {
  const tell = (line: object) => write(`${JSON.stringify(line)}\n`);
  // Node's own listener writes text.
  own.removeAllListeners("warning");
  own.on("warning", ({ message, name }) => tell(toLogLine("warn", { warning: name, msg: message })));
  own.on("uncaughtException", (error: unknown, origin) => {
    tell(toLogLine("fatal", { err: toFacts(error), origin, exit_code: exitCode, msg: "uncaught exception" }));
    own.exit(exitCode);
  });
}

const exitCode = 1;

/** As the server's logger writes errors. Anything can be thrown. */
function toFacts(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  return { type: error.name, message: error.message, stack: error.stack };
}
