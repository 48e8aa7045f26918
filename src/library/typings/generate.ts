import { loadOperations } from "../../operations/index.ts";
import { toOperationFacts, toOperationTable } from "../../operations/to-operation-table.ts";
import { toWireDeclarations } from "./to-wire-declarations.ts";

/** What the build of the library needs of the declarations: the tables of operations, and the types of the wire. */
export async function generate() {
  const operations = await loadOperations();
  return {
    table: toOperationTable(operations),
    facts: toOperationFacts(operations),
    declarations: toWireDeclarations(operations),
  };
}
