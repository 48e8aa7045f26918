import type { Operation } from "./operation.ts";

/** Whether a call of the operation can be carried out once for an Idempotency-Key. */
export function isRepeatable({ access, effect }: Operation): boolean {
  return !access && (effect === "write" || effect === "delete");
}
