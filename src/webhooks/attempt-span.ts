import type { OpenSpan, Tracing } from "../runtime/tracing.ts";
import type { DueDelivery } from "../store/queries/deliveries-due.ts";
import { type AttemptOutcome, isSuccess } from "./attempt-outcome.ts";

/**
 * Begins the span of an attempt, a child of the request that made the event, by the semantic conventions for HTTP clients. Paths and
 * queries of receivers hold secrets, so only their host is told.
 */
export function beginAttemptSpan(tracing: Tracing, tenantId: number, due: DueDelivery): OpenSpan {
  const { hostname, port, protocol } = new URL(due.hook.url);
  const attributes = {
    "http.request.method": "POST",
    "server.address": hostname,
    "server.port": Number(port) || (protocol === "https:" ? 443 : 80),
    ...(due.attempt > 0 && { "http.request.resend_count": due.attempt }),
    "dispatch.tenant_id": tenantId,
    "dispatch.hook_id": due.hook.id,
    "dispatch.delivery_id": due.uuid,
    "dispatch.event_id": due.event.uuid,
    "dispatch.event_kind": due.event.kind,
  };
  return tracing.begin({ attributes, kind: "client", name: "POST webhook" }, due.event.trace);
}

/** Ends it with what came of the attempt. */
export function endAttemptSpan(span: OpenSpan, outcome: AttemptOutcome): void {
  const isFailed = !isSuccess(outcome);
  const status = outcome.kind === "answered" ? outcome.status : null;
  span.end({
    attributes: {
      ...(status !== null && { "http.response.status_code": status }),
      ...(outcome.kind === "failed" && { "error.type": outcome.reason }),
      ...(isFailed && status !== null && { "error.type": String(status) }),
    },
    isFailed,
  });
}
