import { toLogLine } from "./log-line.ts";

type OwnProcess = Pick<NodeJS.Process, "exit" | "on" | "removeAllListeners">;

/** Logs Node's warnings and an uncaught exception, which still ends the process with code 1. */
export function tellProcessInLines(own: OwnProcess, write: (line: string) => void): void {
  const tell = (line: object) => write(`${JSON.stringify(line)}\n`);
  // Node's own listener writes text.
  own.removeAllListeners("warning");
  own.on("warning", ({ message, name }) => tell(toLogLine("warn", { warning: name, msg: message })));
  own.on("uncaughtException", (error: unknown, origin) => {
    tell(
      toLogLine("fatal", {
        err: toErrorFacts(error),
        origin,
        exit_code: exitCode,
        msg: "uncaught exception",
      }),
    );
    own.exit(exitCode);
  });
}

const exitCode = 1;

/** A program can throw anything. */
function toErrorFacts(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  return { type: error.name, message: error.message, stack: error.stack };
}
