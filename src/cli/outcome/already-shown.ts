import { toExitCode } from "../../errors/errors.ts";

export class AlreadyShown extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`Already shown; exit code ${exitCode}.`);
    this.exitCode = exitCode;
  }
}

/** The exit code follows from a response's status. */
export class AnsweredStatus extends AlreadyShown {
  constructor(status: number) {
    super(toExitCode(status));
  }
}
