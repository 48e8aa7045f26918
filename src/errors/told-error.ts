import type { RequestCure } from "./cure.ts";
import { DispatchError, type ErrorBody, errorKind, toErrorBody, type Violation } from "./errors.ts";

/** The details name the commands that fix the error. */
export class ToldError extends DispatchError {
  /** By violation, for the JSON form of the error. */
  readonly requests: readonly (RequestCure | null)[];
  /** Its details name no commands. */
  readonly original: DispatchError;

  /** DispatchError recognizes its instances by their name, which is the same here. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof DispatchError && "requests" in value;
  }

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

/** Everything except violations. The body repeats their details. */
export function toldFacts(original: DispatchError, violations: readonly [Violation, ...Violation[]]) {
  const { body, cause, headers, requestId, retryAfterSeconds, status } = original;
  const errors = body?.errors.map((error, index) => ({
    ...error,
    detail: violations[index]?.detail ?? error.detail,
  }));
  const told = body && errors ? { ...body, detail: violations[0].detail, errors } : null;
  return { body: told, cause, headers, requestId, retryAfterSeconds, status };
}

/** The JSON form of an error at the terminal. The status is null when no request was sent. */
export type CommandErrorBody = Omit<ErrorBody, "status"> & { status: number | null };

/** The body of an error: the server's own if it answered, with the commands that fix it in the details. */
export function errorBodyOf(error: DispatchError): CommandErrorBody {
  const body = error.body ?? { ...toErrorBody(error, null), status: errorKind(error.code).status };
  if (!(error instanceof ToldError)) return body;
  const { requests } = error;
  const errors = body.errors.map((one, index) => ({ ...one, see: requests[index] ?? null }));
  return { ...body, errors, see: requests[0] ?? null };
}
