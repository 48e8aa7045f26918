import type { Cure, RequestCure } from "./cure.ts";
import { DispatchError, type ErrorBody, type Violation } from "./dispatch-error.ts";
import { type ErrorCode, errorKind } from "./error-table.ts";

export { DispatchError, type ErrorBody, type Violation } from "./dispatch-error.ts";
export { type ErrorCode, errorKind, errorTable, exitCodes, toExitCode } from "./error-table.ts";

/** Makes the error of one violation; throw what it returns. */
export function failure(
  code: ErrorCode,
  detail: string,
  field: string | null = null,
  cause?: unknown,
): DispatchError {
  return new DispatchError([{ code, detail, field }], cause === undefined ? undefined : { cause });
}

/** Makes the error of a command line: what is wrong with it, and what to do about this very one; throw what it returns. */
export function usageFailure(what: string, fix: string): DispatchError {
  const detail = fix === "" ? what : `${what} ${fix}`;
  return new DispatchError([{ code: "usage", detail, field: null, ...(fix !== "" && { fix }) }]);
}

/** Makes the error of what may be tried again after so many seconds; throw what it returns. */
export function retryLater(code: ErrorCode, detail: string, seconds: number): DispatchError {
  return new DispatchError([{ code, detail, field: null }], { retryAfterSeconds: seconds });
}

/** Of more violations nobody reads; a small request could otherwise have an answer of many megabytes. */
const violationsMax = 100;

/** Throws when there are violations: the first hundred, and how many more there are. */
export function throwIfAny(violations: readonly Violation[]): void {
  const [first, ...rest] = violations.slice(0, violationsMax);
  if (!first) return;
  const unlisted = violations.length - violationsMax;
  const detail = `${unlisted} more ${unlisted === 1 ? "violation is" : "violations are"} not listed.`;
  if (unlisted > 0) rest.push({ code: "more_violations", detail, field: null });
  throw new DispatchError([first, ...rest]);
}

/** Gives the request that a cure is; null for one that is no request. */
export type ToRequestCure = (cure: Cure) => RequestCure | null;

/**
 * The answer's body of an error; errors that are not ours are shown as `internal`, with nothing of the inside. Without
 * `toRequest` it carries only the cures that are requests already.
 */
export function toErrorBody(
  error: unknown,
  requestId: string | null,
  toRequest: ToRequestCure = (cure) => ("path" in cure ? cure : null),
): ErrorBody {
  const known = toDispatchError(error);
  const { status, title, explanation } = errorKind(known.code);
  const [first] = known.violations;
  const errors = known.violations.map(({ code, detail, field, see }) => ({
    code,
    detail,
    field,
    see: see ? toRequest(see) : null,
  }));
  return {
    code: known.code,
    detail: first.detail,
    errors,
    explanation,
    field: first.field,
    request_id: requestId,
    see: errors[0]?.see ?? null,
    // What only the command line should meet is no fault of a request.
    status: status ?? 500,
    title,
  };
}

/** The error itself when it is ours, else an `internal` one that keeps it as its cause. */
export function toDispatchError(error: unknown): DispatchError {
  if (error instanceof DispatchError) return error;
  return failure(
    "internal",
    "The request could not be answered because of a fault inside the program.",
    null,
    error,
  );
}
