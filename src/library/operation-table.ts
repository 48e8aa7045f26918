import { loadOperations } from "../operations/index.ts";
import { type OperationTable, toOperationTable } from "./to-operation-table.ts";

/** The operations as the client needs them. The build puts the table itself in place of this module. */
export const operationTable: OperationTable = toOperationTable(await loadOperations());
