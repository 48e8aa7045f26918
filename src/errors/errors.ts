import type { Cure, RequestCure } from "./cure.ts";
import { DispatchError, type ErrorBody, type Violation } from "./dispatch-error.ts";
import { type ErrorCode, errorKind } from "./error-table.ts";

export { DispatchError, type ErrorBody, type Violation } from "./dispatch-error.ts";
export { type ErrorCode, errorKind, errorTable, exitCodes, toExitCode } from "./error-table.ts";

/** Makes the error of one violation for the caller to throw. */
export function failure(
  code: ErrorCode,
  detail: string,
  field: string | null = null,
  cause?: unknown,
): DispatchError {
  return new DispatchError([{ code, detail, field }], cause === undefined ? undefined : { cause });
}

/** Makes the error of a command line for the caller to throw; `fix` is the fix of this case. */
export function usageFailure(what: string, fix: string): DispatchError {
  const detail = fix === "" ? what : `${what} ${fix}`;
  return new DispatchError([{ code: "usage", detail, field: null, ...(fix !== "" && { fix }) }]);
}

/** Makes an error with Retry-After for the caller to throw. */
export function retryLater(code: ErrorCode, detail: string, seconds: number): DispatchError {
  return new DispatchError([{ code, detail, field: null }], { retryAfterSeconds: seconds });
}

/** A small request could otherwise get an answer of many megabytes. */
const violationsMax = 100;

/** Throws the first hundred violations and the number of the others. */
export function throwIfAny(violations: readonly Violation[]): void {
  const [first, ...rest] = violations.slice(0, violationsMax);
  if (!first) return;
  const unlisted = violations.length - violationsMax;
  const detail = `${unlisted} more ${unlisted === 1 ? "violation is" : "violations are"} not listed.`;
  if (unlisted > 0) rest.push({ code: "more_violations", detail, field: null });
  throw new DispatchError([first, ...rest]);
}

/** null for a cure that is not a request. */
export type ToRequestCure = (cure: Cure) => RequestCure | null;

/**
 * The body of an error. It reports errors that are not ours as `internal`, without their text. Without `toRequest` it
 * has only the cures that are requests already.
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
    // A request never causes an error of the command line.
    status: status ?? 500,
    title,
  };
}

/** Wraps an error that is not ours as `internal`, with the error as its cause. */
export function toDispatchError(error: unknown): DispatchError {
  if (error instanceof DispatchError) return error;
  return failure(
    "internal",
    "The request could not be answered because of a fault inside the program.",
    null,
    error,
  );
}

const pages = "/docs/errors/";

/** The server's page about an error. */
export function explanationPath(code: string): string {
  return `${pages}${code}`;
}

export function isExplanationPath(path: string): boolean {
  return path.startsWith(pages);
}

/**
 * Errors after which the same request may succeed later. The others need a change first: a wrong token, also after too
 * many attempts, and a server without its key.
 */
export const passingCodes: ReadonlySet<string> = new Set<ErrorCode>([
  "idempotency_key_in_use",
  "overloaded",
  "rate_limited",
  "shutting_down",
  "store_unavailable",
]);
