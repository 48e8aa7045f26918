import type { Caller } from "../../src/core/caller.ts";
import { failure } from "../../src/errors/errors.ts";
import type { Role } from "../../src/models/user.ts";
import type { OperationName } from "../../src/operations/index.ts";
import type { Harness } from "./harness.ts";

/** Calls a harness as a server that does not know one operation, null for none; `called` has the names of all calls. */
export function createLackingCaller(harness: Harness, lacks: OperationName | null, as?: Role) {
  const called: string[] = [];
  const caller: Caller = {
    async call(operation, { params, query }) {
      called.push(operation.name);
      if (operation.name === lacks) throw failure("operation_not_found", "There is no such operation.");
      const body = await harness.ok(operation.name as OperationName, { params, query, ...(as && { as }) });
      return { kind: "json", text: JSON.stringify(body) };
    },
    close: async () => undefined,
  };
  return { called, caller };
}
