/** What kept a status from coming; `closed` is the sender's own end, `other` what nobody foresaw. */
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

/**
 * What came of one attempt. Answered: a status from 200 to 599, header names in lower case, and the first 16
 * KiB of the body as text (what is not UTF-8 becomes U+FFFD). Failed: no status came; `message` is a sentence
 * for users that says what happened and, where we know it, what to do.
 */
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

/** An outcome before the sender has measured how long it took. */
export type UntimedOutcome = WithoutDuration<AttemptOutcome>;

/** A failure with its sentence for users. */
export function toFailed(reason: FailureReason, message: string): UntimedOutcome & { kind: "failed" } {
  return { kind: "failed", reason, message };
}

/** Success is 2xx and nothing else; a redirect is a failure. */
export function isSuccess(outcome: AttemptOutcome): boolean {
  return outcome.kind === "answered" && outcome.status >= 200 && outcome.status < 300;
}

/** The status of the answer, −1 when the call did not succeed or complete (interface: WebhookPingResult). */
export function toHttpStatus(outcome: AttemptOutcome): number {
  return outcome.kind === "answered" ? outcome.status : -1;
}

/** What happened in words that a user can act on. */
export function toMessage(outcome: AttemptOutcome): string {
  if (outcome.kind === "failed") return outcome.message;
  if (isSuccess(outcome)) return "No exceptions raised.";
  const { status } = outcome;
  if (status === 410) return "The callback answered 410: it wants no more deliveries.";
  if (status >= 300 && status < 400) {
    const target = outcome.headers.location ? ` to ${outcome.headers.location.slice(0, 500)}` : "";
    return `The callback answered ${status}, a redirect${target}; redirects are not followed. Set the webhook's URL to where it should go.`;
  }
  return `The callback answered ${status}; a delivery counts as successful with 200 to 299 only.`;
}
