import type { Operations } from "../client/wire.ts";
import { operationFacts, operationTable } from "../operations/operation-table.ts";

/** The facts of each operation, by its name: method, path, roles (none: public), a summary, its effect. */
export const operations: Operations = /* @__PURE__ */ toOperations();

function toOperations(): Operations {
  const entries = Object.entries(operationTable).map(([name, { method, path }]) => [
    name,
    { method, path, ...operationFacts[name] },
  ]);
  return Object.fromEntries(entries);
}
