import type { ErrorCode } from "./errors.ts";

/**
 * What passes by itself, so that the same request may succeed later. Other refusals stay until somebody does something about
 * them: a wrong token, also where it was shown too often, and a server without its key.
 */
export const passingCodes: ReadonlySet<string> = new Set<ErrorCode>([
  "idempotency_key_in_use",
  "overloaded",
  "rate_limited",
  "shutting_down",
  "store_unavailable",
]);
