import type { OpenSpan, Tracing } from "../runtime/tracing.ts";
import type { Endpoint } from "../store/queries/backlog.ts";
import type { DueDelivery } from "../store/queries/deliveries-due.ts";
import { type AttemptOutcome, isSuccess } from "./attempt-outcome.ts";
import { type Claimer, createClaimer } from "./claimer.ts";
import type { Caused, DeliveryService } from "./delivery-service.ts";
import { toHookRequest } from "./hook-request.ts";
import type { LeftWebhooks } from "./left-webhooks.ts";
import { createRecorder, type RecordedAttempt, type Recorder, type SentAttempt } from "./record-attempts.ts";
import { type AttemptCounts, toAttemptLine, type WorkerLog } from "./worker-log.ts";

export type AttemptResult =
  | { kind: "sent"; sent: SentAttempt }
  /** No attempt was made. The worker still has the claim. */
  | { kind: "unsent"; due: DueDelivery }
  | { kind: "lost" };

/** The steps for one webhook: claim → attempt → record. None of them rejects. */
export interface DeliverySteps {
  claimer: Claimer;
  attempt(claimed: DueDelivery): Promise<AttemptResult>;
  /** null if no attempt was recorded. */
  record(result: AttemptResult): Promise<RecordedAttempt | null>;
}

export interface StepOptions {
  log: WorkerLog;
  counts?: AttemptCounts;
  only?: readonly Caused[];
  /** null for a worker that leaves no webhook to others. */
  left: LeftWebhooks | null;
  /** Whether deliveries were held at the last look. A hold also stops deliveries claimed before it. */
  isHeld(): boolean;
  nameClaim(): Promise<string>;
  /** Aborted when the worker stops. */
  stopping: AbortSignal;
}

/** All webhooks share a recorder, so that attempts that end together share a commit. */
export function createDeliverySteps(
  service: DeliveryService,
  options: StepOptions,
): (endpoint: Endpoint) => DeliverySteps {
  const recorder = createRecorder(service);
  const { left, nameClaim, only, stopping } = options;
  const onFault = (error: unknown) => options.log.fault(error);
  return (endpoint) => {
    const { tenantId } = endpoint;
    const firstEventId = only?.find((part) => part.tenantId === tenantId)?.firstEventId ?? 0;
    const claimer = createClaimer(service, endpoint, { firstEventId, left, nameClaim, stopping, onFault });
    const send = (due: DueDelivery) => sendNext(due, tenantId, service, onFault);
    return {
      claimer,
      attempt: (claimed) => attempt(claimed, { claimer, options, send }),
      record: (result) => record(result, tenantId, { claimer, options, recorder }),
    };
  };
}

async function attempt(
  claimed: DueDelivery,
  {
    claimer,
    options: { isHeld, left, stopping },
    send,
  }: { claimer: Claimer; options: StepOptions; send(due: DueDelivery): Promise<SentAttempt> },
): Promise<AttemptResult> {
  if (stopping.aborted || isHeld()) return { kind: "unsent", due: claimed };
  const due = claimer.isRecent(claimed) ? claimed : await claimer.readAgain(claimed);
  if (!due) return { kind: "lost" };
  // A key newer than the worker's last check: another process has it and delivers.
  const isForOthers = due.hook.deletedAt !== null || due.hook.awaitsKey || left?.has(due.hook.id);
  if (stopping.aborted || isForOthers) return { kind: "unsent", due };
  const sent = await send(due);
  const reason = sent.outcome.kind === "failed" ? sent.outcome.reason : null;
  // This program ended the attempt, or another worker may reach the refused address.
  return reason === "closed" || (reason === "refused_address" && left?.leave(due.hook.id))
    ? { kind: "unsent", due }
    : { kind: "sent", sent };
}

async function sendNext(
  due: DueDelivery,
  tenantId: number,
  service: DeliveryService,
  onFault: (error: unknown) => void,
): Promise<SentAttempt> {
  const startedOn = service.clock.now();
  try {
    const sender = await service.sender();
    const span = service.tracing && beginSpan(service.tracing, tenantId, due);
    const { event, hook, isReplay, uuid: deliveryUuid } = due;
    const ownTrace = span && { ownTrace: span.trace };
    const outgoing = { tenantId, deliveryUuid, event, hook, isReplay, ...ownTrace };
    const request = toHookRequest(outgoing, startedOn, service.machineClock.now());
    const outcome = await (span ? span.during(() => sender.send(request)) : sender.send(request));
    if (span) endSpan(span, outcome);
    return { due, request, startedOn, outcome };
  } catch (error) {
    onFault(error);
    const message = `The request could not be made: ${error instanceof Error ? error.message : String(error)}`;
    const request = { url: due.hook.url, headers: {}, body: "" };
    return { due, request, startedOn, outcome: { kind: "failed", reason: "other", message, durationMs: 0 } };
  }
}

async function record(
  result: AttemptResult,
  tenantId: number,
  {
    claimer,
    options: { counts, log },
    recorder,
  }: { claimer: Claimer; options: StepOptions; recorder: Recorder },
): Promise<RecordedAttempt | null> {
  if (result.kind === "unsent") await claimer.release(result.due);
  if (result.kind !== "sent") return null;
  counts?.note(result.sent.outcome);
  try {
    const recorded = await recorder(tenantId, result.sent);
    log.attempt(toAttemptLine(tenantId, result.sent, recorded));
    return recorded;
  } catch (error) {
    // Another worker repeats the attempt after the lease: delivery is at least once.
    log.fault(error);
    return null;
  }
}

/** Follows the semantic conventions for HTTP clients, with the host only: paths and queries may hold secrets. */
function beginSpan(tracing: Tracing, tenantId: number, due: DueDelivery): OpenSpan {
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

function endSpan(span: OpenSpan, outcome: AttemptOutcome): void {
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
