import { loadOperations } from "./index.ts";
import { toOperationFacts, toOperationTable } from "./to-operation-table.ts";

const loaded = await loadOperations();

/** The operations as the client needs them. The build puts the tables themselves in place of this module. */
export const operationTable: ReturnType<typeof toOperationTable> = toOperationTable(loaded);

/** The rest of what is told of them, apart: a page that only calls them need not load it. */
export const operationFacts: ReturnType<typeof toOperationFacts> = toOperationFacts(loaded);
