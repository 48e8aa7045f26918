/**
 * Why a delivery is not taken:
 * - `missing_header`: there is no signature, or a part of one is missing
 * - `malformed_header`: a header is not what it should be
 * - `stale_timestamp`: it was sent too long ago, or lies in the future
 * - `mismatch`: another secret, or a body that was changed
 * - `parsed_body`: the body is no text and no bytes, so that nothing can be verified
 * - `malformed_body`: the signature holds, but the body is no event
 * - `other_version`: the event has another API version than the one asked for
 * - `invalid_secret`: the secret is none
 */
export type WebhookFault =
  | "invalid_secret"
  | "malformed_body"
  | "malformed_header"
  | "mismatch"
  | "missing_header"
  | "other_version"
  | "parsed_body"
  | "stale_timestamp";

/** A delivery that must not be believed. It tells nothing of the secret. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
  readonly reason: WebhookFault;

  constructor(reason: WebhookFault, message: string) {
    super(message);
    this.reason = reason;
  }
}
