import { firstTables } from "./0001-first-tables.ts";
import { wholeInterface } from "./0002-whole-interface.ts";
import { usage } from "./0003-usage.ts";

/** One step of the schema, forward only; shipped steps never change. */
export interface Migration {
  /** 1, 2, 3 …; the store keeps the highest it has run. */
  number: number;
  name: string;
  /** The same tables and columns for each database, in its own types. */
  postgres: string;
  sqlite: string;
}

/** All steps in order. */
export const migrations: readonly Migration[] = [firstTables, wholeInterface, usage];

/** The schema this program reads and writes. */
export const newestSchema = migrations.length;
