import type { RequestCure } from "../../errors/cure.ts";
import { DispatchError, type Violation } from "../../errors/errors.ts";

/** An error whose details name the commands that help, as the terminal tells them. */
export class ToldError extends DispatchError {
  /** The cures that were told, by violation; where the error is shown as JSON it carries them. */
  readonly requests: readonly (RequestCure | null)[];

  constructor(
    violations: readonly [Violation, ...Violation[]],
    requests: readonly (RequestCure | null)[],
    original: DispatchError,
  ) {
    super(violations, toldFacts(original, violations));
    this.requests = requests;
    if (original.stack !== undefined) this.stack = original.stack;
  }
}

/** What is known of an error besides its violations, whose details its body repeats. */
export function toldFacts(original: DispatchError, violations: readonly [Violation, ...Violation[]]) {
  const { body, cause, requestId, retryAfterSeconds, status } = original;
  const errors = body?.errors.map((error, index) => ({
    ...error,
    detail: violations[index]?.detail ?? error.detail,
  }));
  const told = body && errors ? { ...body, detail: violations[0].detail, errors } : null;
  return { body: told, cause, requestId, retryAfterSeconds, status };
}
