import type { Cure, RequestCure } from "./cure.ts";
import { DispatchError, type ErrorBody, type Violation } from "./dispatch-error.ts";
import { type ErrorCode, errorKind } from "./error-table.ts";

export { DispatchError, type ErrorBody, type Violation } from "./dispatch-error.ts";
export { type ErrorCode, errorKind, errorTable, exitCodes, toExitCode } from "./error-table.ts";

/** The caller throws the result. */
export function failure(
  code: ErrorCode,
  detail: string,
  field: string | null = null,
  cause?: unknown,
): DispatchError {
  return new DispatchError([{ code, detail, field }], cause === undefined ? undefined : { cause });
}

export function usageFailure(what: string, fix: string): DispatchError {
  const detail = fix === "" ? what : `${what} ${fix}`;
  return new DispatchError([{ code: "usage", detail, field: null, ...(fix !== "" && { fix }) }]);
}

export function retryLater(code: ErrorCode, detail: string, seconds: number): DispatchError {
  return new DispatchError([{ code, detail, field: null }], { retryAfterSeconds: seconds });
}

/** Limits the response: a small request could cause one of many megabytes. */
const violationsMax = 100;

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

/** Errors of other libraries become `internal`, without their text. `toRequest` converts cures to requests. */
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
    status: status ?? 500,
    title,
  };
}

/** Wraps errors of other libraries as `internal`, with the original as cause. */
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

/** The path of the page about an error. */
export function explanationPath(code: string): string {
  return `${pages}${code}`;
}

export function isExplanationPath(path: string): boolean {
  return path.startsWith(pages);
}

/** No usable answer: none at all, one of a proxy, or one of another program. */
export const unreachableCodes: ReadonlySet<string> = new Set<ErrorCode>([
  "gateway_error",
  "not_a_service",
  "redirected",
  "target_unreachable",
  "timed_out",
]);

/** Errors after which the same request may succeed later. Other errors need a change first, such as another token. */
export const passingCodes: ReadonlySet<string> = new Set<ErrorCode>([
  "gateway_error",
  "idempotency_key_in_use",
  "overloaded",
  "rate_limited",
  "shutting_down",
  "store_unavailable",
  "target_unreachable",
  "timed_out",
]);
