import type { RequestCure } from "../../errors/cure.ts";
import { DispatchError, type ErrorBody, type Violation } from "../../errors/errors.ts";

/** An error whose details name the commands that help, as the terminal tells them. */
export class ToldError extends DispatchError {
  /** The cures that were told, by violation; where the error is shown as JSON it carries them. */
  readonly requests: readonly (RequestCure | null)[];

  constructor(
    violations: readonly [Violation, ...Violation[]],
    requests: readonly (RequestCure | null)[],
    original: DispatchError,
  ) {
    super(violations, { cause: original.cause });
    this.requests = requests;
    if (original.stack !== undefined) this.stack = original.stack;
  }
}

/** The same of a server's answer, whose body knows more than its violations. */
export class ToldRefusal extends ToldError {
  readonly body: ErrorBody;

  constructor(
    violations: readonly [Violation, ...Violation[]],
    requests: readonly (RequestCure | null)[],
    original: DispatchError & { body: ErrorBody },
  ) {
    super(violations, requests, original);
    const errors = original.body.errors.map((error, index) => ({
      ...error,
      detail: violations[index]?.detail ?? error.detail,
    }));
    this.body = { ...original.body, detail: violations[0].detail, errors };
  }
}
