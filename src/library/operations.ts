import { operationTable } from "./operation-table.ts";
import type { Operations } from "./wire.ts";

/** What is known of each operation, by its name: method, path, the roles that may call it (none: anybody), a line, its effect. */
export const operations: Operations = Object.fromEntries(
  Object.entries(operationTable).map(([name, { traits: _ours, ...facts }]) => [name, facts]),
) as Operations;
