import { toExitCode } from "../../errors/errors.ts";

export class AlreadyShown extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`Already shown; exit code ${exitCode}.`);
    this.exitCode = exitCode;
  }
}

/** Ends with an exit code that follows from a response's status. */
export class AnsweredStatus extends AlreadyShown {
  constructor(status: number) {
    super(toExitCode(status));
  }
}
