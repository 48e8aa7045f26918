import type { ErrorCode } from "./errors.ts";

/**
 * Errors after which the same request may succeed later. The others need a change first: a wrong token, also after too
 * many attempts, and a server without its key.
 */
export const passingCodes: ReadonlySet<string> = new Set<ErrorCode>([
  "idempotency_key_in_use",
  "overloaded",
  "rate_limited",
  "shutting_down",
  "store_unavailable",
]);
