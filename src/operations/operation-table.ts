import { loadOperations } from "./index.ts";
import { toOperationFacts, toOperationTable } from "./to-operation-table.ts";

const loaded = await loadOperations();

/** The build replaces this module with the tables. */
export const operationTable: ReturnType<typeof toOperationTable> = toOperationTable(loaded);

/** Pages that only call operations do not load these. */
export const operationFacts: ReturnType<typeof toOperationFacts> = toOperationFacts(loaded);
