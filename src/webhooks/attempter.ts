import type { DueDelivery } from "../store/queries/deliveries-due.ts";
import { prepareAttempt, type SentAttempt, sendAttempt, toUnpreparedAttempt } from "./attempt.ts";
import type { Claimer } from "./claimer.ts";
import type { DeliveryService } from "./delivery-service.ts";

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
  /** Aborted when the worker stops: nothing is sent from then on. */
  stopping: AbortSignal;
  onFault(error: unknown): void;
}

/** Makes the attempter of a tenant's deliveries. */
export function createAttempter(
  service: DeliveryService,
  { tenantId, claimer, stopping, onFault }: AttempterOptions,
): Attempter {
  const send = async (due: DueDelivery): Promise<SentAttempt> => {
    const now = service.clock.now();
    try {
      const prepared = prepareAttempt(due, tenantId, now, service.machineClock.now());
      return await sendAttempt(prepared, await service.sender());
    } catch (error) {
      onFault(error);
      return toUnpreparedAttempt(due, now, error);
    }
  };

  return async (claimed) => {
    if (stopping.aborted) return { kind: "unsent", due: claimed };
    const due = claimer.isRecent(claimed) ? claimed : await claimer.readAgain(claimed);
    if (!due) return { kind: "lost" };
    // Its key came into use since the webhook was looked at: the delivery waits for who has it.
    const isForOthers = due.hook.deletedAt !== null || due.hook.awaitsKey;
    if (stopping.aborted || isForOthers) return { kind: "unsent", due };
    const sent = await send(due);
    return wasCutOff(sent) ? { kind: "unsent", due } : { kind: "sent", sent };
  };
}

/** The program itself ended the attempt, so it says nothing of the receiver. */
function wasCutOff({ outcome }: SentAttempt): boolean {
  return outcome.kind === "failed" && outcome.reason === "closed";
}
