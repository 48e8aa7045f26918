import type { Operation } from "../core/operation.ts";
import { toRequestCure } from "../core/request-cure.ts";
import { type ToRequestCure, toDispatchError } from "../errors/errors.ts";
import { isOperationName, loadOperation } from "./index.ts";

/** An error's body can then carry its cures as requests. */
export async function linkCures(error: unknown): Promise<ToRequestCure> {
  const operations = new Map<string, Operation>();
  for (const { see } of toDispatchError(error).violations) {
    if (see && "operation" in see && isOperationName(see.operation))
      operations.set(see.operation, await loadOperation(see.operation));
  }
  return (cure) => {
    if ("path" in cure) return cure;
    const operation = "operation" in cure ? operations.get(cure.operation) : undefined;
    // A cure that is only a command is not a request.
    return operation && "operation" in cure ? toRequestCure(operation, cure) : null;
  };
}
