import type { DueDelivery } from "../store/queries/deliveries-due.ts";
import { prepareAttempt, type SentAttempt, sendAttempt, toUnpreparedAttempt } from "./attempt.ts";
import { beginAttemptSpan, endAttemptSpan } from "./attempt-span.ts";
import type { Claimer } from "./claimer.ts";
import type { DeliveryService } from "./delivery-service.ts";
import type { LeftWebhooks } from "./left-webhooks.ts";

/** What became of a claimed delivery. */
export type AttemptResult =
  /** An attempt was made, which is to be recorded. */
  | { kind: "sent"; sent: SentAttempt }
  /** No attempt was made, and the delivery is still the claim's own. */
  | { kind: "unsent"; due: DueDelivery }
  /** The delivery is no longer the claim's own. */
  | { kind: "lost" };

/** Makes the next attempt of a claimed delivery; never rejects. */
export type Attempter = (claimed: DueDelivery) => Promise<AttemptResult>;

/** What an attempter is made with. */
interface AttempterOptions {
  tenantId: number;
  claimer: Pick<Claimer, "isRecent" | "readAgain">;
  /** Whether nothing may be begun, because deliveries are held. */
  isHeld(): boolean;
  /** null for a worker that leaves nothing to others. */
  left: LeftWebhooks | null;
  /** Aborted when the worker stops: nothing is sent from then on. */
  stopping: AbortSignal;
  onFault(error: unknown): void;
}

/** Makes the attempter of a tenant's deliveries. */
export function createAttempter(
  service: DeliveryService,
  { tenantId, claimer, isHeld, left, stopping, onFault }: AttempterOptions,
): Attempter {
  const send = async (due: DueDelivery): Promise<SentAttempt> => {
    const now = service.clock.now();
    try {
      const sender = await service.sender();
      const span = service.tracing && beginAttemptSpan(service.tracing, tenantId, due);
      const prepared = prepareAttempt(due, tenantId, now, service.machineClock.now(), span?.trace);
      if (!span) return await sendAttempt(prepared, sender);
      const sent = await span.during(() => sendAttempt(prepared, sender));
      endAttemptSpan(span, sent.outcome);
      return sent;
    } catch (error) {
      onFault(error);
      return toUnpreparedAttempt(due, now, error);
    }
  };

  return async (claimed) => {
    if (stopping.aborted || isHeld()) return { kind: "unsent", due: claimed };
    const due = claimer.isRecent(claimed) ? claimed : await claimer.readAgain(claimed);
    if (!due) return { kind: "lost" };
    // Its key came into use since the webhook was looked at: the delivery waits for who has it.
    const isForOthers = due.hook.deletedAt !== null || due.hook.awaitsKey || left?.has(due.hook.id);
    if (stopping.aborted || isForOthers) return { kind: "unsent", due };
    const sent = await send(due);
    return wasCutOff(sent) || (wasRefused(sent) && left?.leave(due.hook.id))
      ? { kind: "unsent", due }
      : { kind: "sent", sent };
  };
}

/** The guard of addresses made no attempt; a worker that may reach private addresses can make it. */
function wasRefused({ outcome }: SentAttempt): boolean {
  return outcome.kind === "failed" && outcome.reason === "refused_address";
}

/** The program itself ended the attempt, so it says nothing of the receiver. */
function wasCutOff({ outcome }: SentAttempt): boolean {
  return outcome.kind === "failed" && outcome.reason === "closed";
}
