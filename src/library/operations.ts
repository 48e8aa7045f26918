import type { Operations } from "../client/wire.ts";
import { operationFacts, operationTable } from "../operations/operation-table.ts";

/** What is known of each operation, by its name: method, path, the roles that may call it (none: anybody), a line, its effect. */
export const operations: Operations = /* @__PURE__ */ toOperations();

function toOperations(): Operations {
  const entries = Object.entries(operationTable).map(([name, { method, path }]) => [
    name,
    { method, path, ...operationFacts[name] },
  ]);
  return Object.fromEntries(entries);
}
