import { toExitCode } from "../errors.ts";

/** The answer was shown already; only the exit code is left to tell. */
export class AnsweredStatus extends Error {
  readonly exitCode: number;

  constructor(status: number) {
    super(`The answer has status ${status}.`);
    this.exitCode = toExitCode(status);
  }
}
