import type { Endpoint } from "../store/queries/backlog.ts";
import type { AttemptCounts } from "./attempt-counts.ts";
import { type Attempter, type AttemptResult, createAttempter } from "./attempter.ts";
import { type Claimer, createClaimer } from "./claimer.ts";
import type { DeliveryService } from "./delivery-service.ts";
import type { LeftWebhooks } from "./left-webhooks.ts";
import type { Caused } from "./outbox-notifier.ts";
import type { RecordedAttempt } from "./record-attempts.ts";
import { createRecorder, type Recorder } from "./recorder.ts";
import { toAttemptLine, type WorkerLog } from "./worker-log.ts";

/** The steps that the deliveries of one webhook go through: claim → attempt → record. None of them rejects. */
export interface DeliverySteps {
  claimer: Claimer;
  attempt: Attempter;
  /** Writes down what became of a claimed delivery; null when no attempt could be recorded. */
  record(result: AttemptResult): Promise<RecordedAttempt | null>;
}

/** What all steps of a worker have in common. */
export interface StepOptions {
  log: WorkerLog;
  counts?: AttemptCounts;
  /** Takes only deliveries of these tenants' events from the given one on. */
  only?: readonly Caused[];
  /** The webhooks that the worker leaves to others; null when it leaves none. */
  left: LeftWebhooks | null;
  /** Whether deliveries were held when the worker last looked: what is claimed by then is not begun (OP-221). */
  isHeld(): boolean;
  /** Gives another name for each claim. */
  nameClaim(): Promise<string>;
  /** Aborted when the worker stops: nothing is claimed and nothing sent from then on. */
  stopping: AbortSignal;
}

/** Gives what makes the steps of a webhook. They share a recorder: what ends at nearly the same time is one commit. */
export function createDeliverySteps(
  service: DeliveryService,
  { counts, isHeld, left, log, nameClaim, only, stopping }: StepOptions,
): (endpoint: Endpoint) => DeliverySteps {
  const recorder = createRecorder(service);
  const onFault = (error: unknown) => log.fault(error);
  return (endpoint) => {
    const { tenantId } = endpoint;
    const firstEventId = only?.find((part) => part.tenantId === tenantId)?.firstEventId ?? 0;
    const claimer = createClaimer(service, endpoint, { firstEventId, left, nameClaim, stopping, onFault });
    return {
      claimer,
      attempt: createAttempter(service, { tenantId, claimer, isHeld, left, stopping, onFault }),
      record: (result) => recordResult(result, tenantId, { claimer, counts, recorder, log }),
    };
  };
}

async function recordResult(
  result: AttemptResult,
  tenantId: number,
  {
    claimer,
    counts,
    recorder,
    log,
  }: { claimer: Claimer; counts: AttemptCounts | undefined; recorder: Recorder; log: WorkerLog },
): Promise<RecordedAttempt | null> {
  if (result.kind === "unsent") await claimer.release(result.due);
  if (result.kind !== "sent") return null;
  counts?.note(result.sent.outcome);
  try {
    const recorded = await recorder(tenantId, result.sent);
    log.attempt(toAttemptLine(tenantId, result.sent, recorded));
    return recorded;
  } catch (error) {
    // Another worker makes the attempt again when the lease ends: at least once is the promise.
    log.fault(error);
    return null;
  }
}
