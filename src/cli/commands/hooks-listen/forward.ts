import {
  type AttemptOutcome,
  isSuccess,
  toHttpStatus,
  toMessage,
} from "../../../webhooks/attempt-outcome.ts";
import type { HookRequest, Sender } from "../../../webhooks/send.ts";
import type { ListedEvent } from "./event-log.ts";
import type { Faults } from "./faults.ts";
import { type OwnReceiver, toOwnDelivery } from "./own-delivery.ts";

/** The last attempt of an event. */
export interface Forwarded {
  isSuccess: boolean;
  attempts: number;
  status: number;
  message: string;
  durationMs: number;
  /** Sent again after success. */
  isDuplicated: boolean;
  request: HookRequest;
}

export interface Forwarding extends OwnReceiver {
  faults: Faults;
  sender: Sender;
  random(): number;
  /** Also resolves when listening ends. */
  wait(ms: number): Promise<void>;
  hasEnded(): boolean;
  /** `nextInMs` is null after the last attempt. */
  onFailed(failed: { attempt: number; message: string; nextInMs: number | null }): void;
}

/** A receiver that restarts within about 18 s misses nothing. */
const retryAfterMs = [500, 1000, 2000, 5000, 10_000];

export async function forwardEvent(event: ListedEvent, forwarding: Forwarding): Promise<Forwarded> {
  const { faults } = forwarding;
  const { toRequest } = toOwnDelivery(event, forwarding);
  for (let attempts = 1; ; attempts += 1) {
    const request = toRequest();
    const outcome = await sendWithFaults(request, forwarding);
    const isTaken = isSuccess(outcome);
    const pauseMs = retryAfterMs[attempts - 1];
    if (isTaken || pauseMs === undefined || forwarding.hasEnded()) {
      if (!isTaken) forwarding.onFailed({ attempt: attempts, message: toMessage(outcome), nextInMs: null });
      const isDuplicated = isTaken && forwarding.random() < faults.duplicate;
      if (isDuplicated) await forwarding.sender.send(toRequest());
      return {
        isSuccess: isTaken,
        attempts,
        status: toHttpStatus(outcome),
        message: toMessage(outcome),
        durationMs: outcome.durationMs,
        isDuplicated,
        request,
      };
    }
    forwarding.onFailed({ attempt: attempts, message: toMessage(outcome), nextInMs: pauseMs });
    await forwarding.wait(pauseMs);
  }
}

async function sendWithFaults(
  request: HookRequest,
  { faults, sender, random, wait }: Forwarding,
): Promise<AttemptOutcome> {
  if (faults.slowMs > 0) await wait(faults.slowMs);
  if (random() >= faults.fail) return sender.send(request);
  const message = "The attempt was not sent: a simulated fault (--inject fail).";
  return { kind: "failed", reason: "other", message, durationMs: 0 };
}
