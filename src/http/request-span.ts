import { toTrace } from "../runtime/trace.ts";
import type { OpenSpan, Tracing } from "../runtime/tracing.ts";
import { type FinishedRequest, toOwnPath } from "./finished-request.ts";
import type { Client, IncomingRequest } from "./http-messages.ts";

/** Follows the semantic conventions for HTTP servers. */
export function beginRequestSpan(
  tracing: Tracing,
  { client, headers, id, method, url }: IncomingRequest,
): OpenSpan {
  const asked = toTrace(headers, id);
  const name = methods.has(method) ? method : "HTTP";
  const attributes = {
    "http.request.method": methods.has(method) ? method : "_OTHER",
    "url.path": toOwnPath(url),
    "url.scheme": client.scheme ?? "http",
    ...(client.address !== null && { "client.address": client.address }),
    "dispatch.request_id": id,
  };
  return tracing.begin({ attributes, kind: "server", name }, asked.span === null ? null : asked);
}

export function endRequestSpan({ page, span }: Client, finished: FinishedRequest): void {
  const { code, method, operation, status, tenant_id, token_id, user_id, version } = finished;
  const name = operation ?? (page === undefined ? undefined : `${method} /${page}`);
  span?.end({
    ...(name !== undefined && { name }),
    attributes: {
      "http.response.status_code": status,
      ...(status >= 500 && { "error.type": code ?? String(status) }),
      ...withoutNull({
        "dispatch.operation": operation,
        "dispatch.tenant_id": tenant_id,
        "dispatch.user_id": user_id,
        "dispatch.token_id": token_id,
        "dispatch.api_version": version,
        "dispatch.error_code": code,
      }),
    },
    isFailed: status >= 500,
  });
}

function withoutNull(attributes: Record<string, string | number | null>): Record<string, string | number> {
  const known: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(attributes)) if (value !== null) known[name] = value;
  return known;
}

/** An unknown method does not become the name of a span. */
const methods = new Set(["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]);
