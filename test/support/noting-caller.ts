import type { Caller } from "../../src/core/caller.ts";
import type { Role } from "../../src/models/user.ts";
import type { OperationName } from "../../src/operations/index.ts";
import type { Harness } from "./harness.ts";

/** Calls a harness; `called` has the names of all calls. */
export function createNotingCaller(harness: Harness, as?: Role) {
  const called: string[] = [];
  const caller: Caller = {
    async call(operation, { params, query }) {
      called.push(operation.name);
      const body = await harness.ok(operation.name as OperationName, { params, query, ...(as && { as }) });
      return { kind: "json", text: JSON.stringify(body) };
    },
    close: async () => undefined,
  };
  return { called, caller };
}
