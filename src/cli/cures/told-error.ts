import type { RequestCure } from "../../errors/cure.ts";
import { DispatchError, type Violation } from "../../errors/errors.ts";

/** An error whose details name the commands that fix it. */
export class ToldError extends DispatchError {
  /** The cures by violation, for the JSON form of the error. */
  readonly requests: readonly (RequestCure | null)[];
  /** Its details name no commands. */
  readonly original: DispatchError;

  constructor(
    violations: readonly [Violation, ...Violation[]],
    requests: readonly (RequestCure | null)[],
    original: DispatchError,
  ) {
    super(violations, toldFacts(original, violations));
    this.requests = requests;
    this.original = original;
    if (original.stack !== undefined) this.stack = original.stack;
  }
}

/** Everything about an error except its violations. Its body repeats their details. */
export function toldFacts(original: DispatchError, violations: readonly [Violation, ...Violation[]]) {
  const { body, cause, requestId, retryAfterSeconds, status } = original;
  const errors = body?.errors.map((error, index) => ({
    ...error,
    detail: violations[index]?.detail ?? error.detail,
  }));
  const told = body && errors ? { ...body, detail: violations[0].detail, errors } : null;
  return { body: told, cause, requestId, retryAfterSeconds, status };
}
