import { accessOf, type Operation } from "./operation.ts";

/** Whether a call of the operation can be carried out once for an Idempotency-Key. */
export function isRepeatable({ allow, effect }: Pick<Operation, "allow" | "effect">): boolean {
  return accessOf({ allow }) === null && (effect === "write" || effect === "delete");
}
