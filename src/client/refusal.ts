import type { RequestCure } from "../errors/cure.ts";
import {
  type AnswerHeaders,
  DispatchError,
  type ErrorBody,
  type ErrorFacts,
  type Violation,
} from "../errors/dispatch-error.ts";

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
    return new DispatchError(violations, { ...toFacts(received), body });
  }
  const location = headers.get("location");
  // A browser hides the target of a redirect.
  const isRedirect = status === 0 || (status < 400 && location !== null);
  if (isRedirect) {
    const detail = `${url} redirects to ${location ?? "another address"}.`;
    return toServerError("redirected", detail, received);
  }
  const detail = `${url} answers with status ${status} and no error that this program knows.`;
  return toServerError(status >= 500 ? "gateway_error" : "not_a_service", detail, received);
}

export function toUnreachableError(detail: string, cause?: unknown): DispatchError {
  return toServerError("target_unreachable", detail, { cause });
}

export function toServerError(
  code: Violation["code"],
  detail: string,
  { cause, ...received }: Partial<Received> & { cause?: unknown },
): DispatchError {
  return new DispatchError([{ code, detail, field: null }], { cause, ...toFacts(received) });
}

export function toFacts({ headers, status }: Partial<Received>): ErrorFacts {
  if (!headers || status === undefined) return {};
  const told = headers.get("retry-after") ?? "";
  const retryAfterSeconds = /^\d+$/.test(told) ? Number(told) : null;
  return { headers, requestId: headers.get("x-request-id"), retryAfterSeconds, status };
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
