import { loadOperations } from "../../operations/index.ts";
import { type OperationTable, toOperationTable } from "../to-operation-table.ts";
import { toWireDeclarations } from "./to-wire-declarations.ts";

/** What the build of the library needs of the declarations: the table of operations, and the types of the wire. */
export async function generate(): Promise<{ table: OperationTable; declarations: string }> {
  const operations = await loadOperations();
  return { table: toOperationTable(operations), declarations: toWireDeclarations(operations) };
}
