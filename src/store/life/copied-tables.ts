import { type OwnedTable, type OwnedTableFacts, ownedTables } from "../schema/database.ts";

/** How a tenant's table is copied: the order of its rows, and the column that refers to the table itself. */
export interface CopiedTable {
  name: OwnedTable;
  key: readonly string[];
  parent?: string;
}

/** Every table of a tenant, each after the tables that it refers to. */
export const copiedTables: readonly CopiedTable[] = Object.entries(ownedTables).map(
  ([name, { seenBy: _, partOf: __, ...hints }]: [string, OwnedTableFacts]) => ({
    key: ["id"],
    ...hints,
    // The keys of the table are exactly the owned tables.
    name: name as OwnedTable,
  }),
);
