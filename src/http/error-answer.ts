import { errorKind, type ToRequestCure, toDispatchError, toErrorBody } from "../errors/errors.ts";
import { asksForProblem } from "./headers.ts";
import type { HttpAnswer } from "./http-answer.ts";
import type { HttpRequest } from "./http-request.ts";

/**
 * The answer of an error: JSON, or problem details when the caller asks for them (OP-20). `toRequest` gives the requests
 * that its cures are.
 */
export function toErrorAnswer(
  error: unknown,
  requestId: string,
  request: Pick<HttpRequest, "headers" | "path">,
  toRequest?: ToRequestCure,
): HttpAnswer {
  const body = toErrorBody(error, requestId, toRequest);
  const headers: Record<string, string> = {};
  const { code, retryAfterSeconds } = toDispatchError(error);
  if (body.status === 401) headers["www-authenticate"] = "Bearer";
  const isBusy = errorKind(code).status === 503 || code === "idempotency_key_in_use";
  const waitSeconds = retryAfterSeconds ?? (isBusy ? 1 : null);
  if (waitSeconds !== null) headers["retry-after"] = String(waitSeconds);
  if (!asksForProblem(request.headers.accept)) {
    return {
      status: body.status,
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
    };
  }
  const { request_id, see, status, title, ...rest } = body;
  const problem = {
    ...rest,
    instance: request.path,
    request_id,
    see,
    status,
    title,
    type: `urn:dispatch-cli:error:${code}`,
  };
  return {
    status,
    headers: { ...headers, "content-type": "application/problem+json" },
    body: JSON.stringify(problem),
  };
}
