import { loadOperations } from "../../operations/index.ts";
import { toOperationFacts, toOperationTable } from "../../operations/to-operation-table.ts";
import { toWireDeclarations } from "./to-wire-declarations.ts";

/** For the build of the library. */
export async function generate() {
  const operations = await loadOperations();
  return {
    table: toOperationTable(operations),
    facts: toOperationFacts(operations),
    declarations: toWireDeclarations(operations),
  };
}
