import { toExitCode } from "../../errors/errors.ts";

/** Ends a command with an exit code when its outcome is already shown. */
export class AlreadyShown extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`Already shown; exit code ${exitCode}.`);
    this.exitCode = exitCode;
  }
}

/** Ends a command with the exit code of an answer's status. */
export class AnsweredStatus extends AlreadyShown {
  constructor(status: number) {
    super(toExitCode(status));
  }
}
