import { toExitCode } from "../../errors/errors.ts";

/** What happened was shown already; only the exit code is left to tell. */
export class AlreadyShown extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`What happened was shown; the exit code is ${exitCode}.`);
    this.exitCode = exitCode;
  }
}

/** The answer was shown; its status tells the exit code. */
export class AnsweredStatus extends AlreadyShown {
  constructor(status: number) {
    super(toExitCode(status));
  }
}
