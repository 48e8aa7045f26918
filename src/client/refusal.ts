import type { RequestCure } from "../errors/cure.ts";
import {
  type AnswerHeaders,
  DispatchError,
  type ErrorBody,
  type ErrorFacts,
  type Violation,
} from "../errors/dispatch-error.ts";
import { readEpochMs } from "../runtime/clock.ts";

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
  const detail = `${url} answers with status ${status} and a page or text, as a proxy does.`;
  return toServerError(
    codes[status] ?? (status >= 500 ? "gateway_error" : "not_a_service"),
    detail,
    received,
  );
}

const codes: Readonly<Record<number, Violation["code"]>> = {
  401: "unauthenticated",
  429: "rate_limited",
};

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
  const retryAfterSeconds = readRetryAfter(headers.get("retry-after") ?? "");
  return { headers, requestId: headers.get("x-request-id"), retryAfterSeconds, status };
}

/** Seconds or a date in the future (RFC 9110, 10.2.3). */
function readRetryAfter(text: string): number | null {
  const isDate = text.endsWith(" GMT");
  const seconds = isDate ? Math.ceil((Date.parse(text) - readEpochMs()) / 1000) : Number(text || -1);
  return seconds >= 0 ? seconds : null;
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
