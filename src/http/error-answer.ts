import { pathOf } from "../core/path-of.ts";
import {
  type ErrorBody,
  errorKind,
  explanationPath,
  type ToRequestCure,
  toDispatchError,
  toErrorBody,
} from "../errors/errors.ts";
import { asksForProblem } from "./headers.ts";
import type { HttpAnswer, HttpRequest } from "./http-messages.ts";
import { bodyCodings } from "./read-body.ts";

/** JSON, or problem details for a caller that asks for them. `toRequest` returns the requests that fix the error. */
export function toErrorAnswer(
  error: unknown,
  requestId: string,
  request: Pick<HttpRequest, "base" | "headers" | "url">,
  toRequest?: ToRequestCure,
): HttpAnswer {
  const body = toLinkedBody(toErrorBody(error, requestId, toRequest));
  const headers: Record<string, string> = {};
  const { code, retryAfterSeconds, violations } = toDispatchError(error);
  const [{ field }] = violations;
  if (body.status === 415 && field === "content-encoding") headers["accept-encoding"] = bodyCodings;
  if (body.status === 401) headers["www-authenticate"] = "Bearer";
  const isBusy = errorKind(code).status === 503 || code === "idempotency_key_in_use";
  const waitSeconds = retryAfterSeconds ?? (isBusy ? 1 : null);
  if (waitSeconds !== null) headers["retry-after"] = String(waitSeconds);
  if (!asksForProblem(request.headers.accept)) {
    return {
      code,
      status: body.status,
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
    };
  }
  const { request_id, see, status, title, ...rest } = body;
  const problem = {
    ...rest,
    instance: pathOf(request.url),
    request_id,
    see,
    status,
    title,
    type: request.base + explanationPath(code),
  };
  return {
    code,
    status,
    headers: { ...headers, "content-type": "application/problem+json" },
    body: JSON.stringify(problem),
  };
}

/** Without a fixing request, `see` names the page about the error. */
function toLinkedBody(body: ErrorBody): ErrorBody {
  const errors = body.errors.map((one) => ({
    ...one,
    see: one.see ?? { method: "GET", path: explanationPath(one.code) },
  }));
  return { ...body, errors, see: errors[0]?.see ?? null };
}
