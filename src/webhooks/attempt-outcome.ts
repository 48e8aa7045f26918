/** `closed`: the sender itself ended the attempt. `other`: an unexpected error. */
export type FailureReason =
  | "url"
  | "refused_address"
  | "name"
  | "connection"
  | "tls"
  | "timeout"
  | "protocol"
  | "closed"
  | "other";

/** Answered: lower-case header names, the first 16 KiB of the body. Failed: a sentence for users. */
export type AttemptOutcome =
  | {
      kind: "answered";
      status: number;
      headers: Record<string, string>;
      body: string;
      durationMs: number;
    }
  | { kind: "failed"; reason: FailureReason; message: string; durationMs: number };

type WithoutDuration<T> = T extends unknown ? Omit<T, "durationMs"> : never;

export type UntimedOutcome = WithoutDuration<AttemptOutcome>;

export function toFailed(reason: FailureReason, message: string): UntimedOutcome & { kind: "failed" } {
  return { kind: "failed", reason, message };
}

/** A redirect is a failure. */
export function isSuccess(outcome: AttemptOutcome): boolean {
  return outcome.kind === "answered" && outcome.status >= 200 && outcome.status < 300;
}

/** −1 without a response (interface: WebhookPingResult). */
export function toHttpStatus(outcome: AttemptOutcome): number {
  return outcome.kind === "answered" ? outcome.status : -1;
}

export function toMessage(outcome: AttemptOutcome): string {
  if (outcome.kind === "failed") return outcome.message;
  if (isSuccess(outcome)) return "No exceptions raised.";
  const { status } = outcome;
  if (status === 410) return "The callback answered 410: it refuses further deliveries.";
  if (status >= 300 && status < 400) {
    const target = outcome.headers.location ? ` to ${outcome.headers.location.slice(0, 500)}` : "";
    return `The callback answered ${status}, a redirect${target}; redirects are not followed. Set the webhook's URL to where it should go.`;
  }
  return `The callback answered ${status}; a delivery counts as successful with 200 to 299 only.`;
}
