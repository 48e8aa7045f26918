import { loadOperations } from "./index.ts";
import { toOperationFacts, toOperationTable } from "./to-operation-table.ts";

const loaded = await loadOperations();

/** The build replaces this module by the tables themselves. */
export const operationTable: ReturnType<typeof toOperationTable> = toOperationTable(loaded);

/** The facts for readers. A page that only calls operations does not load them. */
export const operationFacts: ReturnType<typeof toOperationFacts> = toOperationFacts(loaded);
