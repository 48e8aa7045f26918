import type { RequestCure } from "../errors/cure.ts";
import { DispatchError, type ErrorBody, type Violation } from "../errors/dispatch-error.ts";
import type { AnswerHeaders } from "./call-types.ts";

export interface Received {
  status: number;
  headers: AnswerHeaders;
  bytes: Uint8Array;
}

export function toRefusal(url: string, received: Received): DispatchError {
  const refusal = readRefusal(received);
  const { headers, status } = received;
  if (refusal) {
    const { body, violations } = refusal;
    return new DispatchError(violations, { body, requestId: headers.get("x-request-id"), status });
  }
  const location = headers.get("location");
  // A browser hides the target of a redirect.
  const isRedirect = status === 0 || (status < 400 && location !== null);
  const what = isRedirect
    ? `redirects to ${location ?? "another address"}`
    : `answers with status ${status} and no error that this program knows`;
  return toUnreachableError(`${url} ${what}.`, received);
}

export function toUnreachableError(
  detail: string,
  received: Received | null,
  cause?: unknown,
): DispatchError {
  return toServerError("target_unreachable", detail, { cause, ...received });
}

export function toServerError(
  code: Violation["code"],
  detail: string,
  { cause, headers, status }: Partial<Received> & { cause?: unknown },
): DispatchError {
  const requestId = headers?.get("x-request-id") ?? null;
  return new DispatchError([{ code, detail, field: null }], { cause, requestId, status: status ?? null });
}

/** null if the body is not a refusal of our server. */
export function readRefusal({
  bytes,
}: Received): { body: ErrorBody; violations: readonly [Violation, ...Violation[]] } | null {
  let body: ErrorBody;
  try {
    body = Object(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return null;
  }
  const [first, ...rest] = Array.isArray(body.errors) ? body.errors.map(toViolation) : [];
  return first ? { body, violations: [first, ...rest] } : null;
}

function toViolation(sent: unknown): Violation {
  const { code, detail, field, see }: Partial<Record<keyof Violation, unknown>> = Object(sent);
  return {
    code: String(code ?? "internal") as Violation["code"],
    detail: String(detail ?? ""),
    field: typeof field === "string" ? field : null,
    ...(Object(see).method && { see: see as RequestCure }),
  };
}
