import { setImmediate } from "node:timers/promises";
import { DispatchError } from "../../errors/errors.ts";
import { newestSchema } from "../migrations/index.ts";
import { compareDefinitions, isPassive } from "../schema/table-facts.ts";
import type { Connection } from "../sqlite/connection.ts";
import { expectedDefinitions, readDefinitions } from "../sqlite/definitions.ts";
import { openConnection } from "../sqlite/driver.ts";
import { toStoreError } from "../sqlite/errors.ts";
import { toDiskFailure } from "./copy-sqlite.ts";

interface CopyContents {
  schema: number;
  rows: Record<string, number>;
}

export type CheckedCopy = CopyContents & { problem: string | null };

/** Compares schema and migrations, reads all tables and references. `progress` may throw to stop. */
export function checkCopy(file: string, progress: (table: string) => void): Promise<CheckedCopy> {
  return readCopy(file, progress, findProblem);
}

export function countCopy(file: string, progress: (table: string) => void): Promise<CheckedCopy> {
  return readCopy(file, progress, () => null);
}

async function readCopy(
  file: string,
  progress: (table: string) => void,
  judge: typeof findProblem,
): Promise<CheckedCopy> {
  let connection: Connection | undefined;
  try {
    connection = openConnection(file, { fileMustExist: true });
    const schema = Number(connection.pragma("user_version", { simple: true }));
    const foreign = describeForeign(connection, schema);
    if (foreign !== null) return { problem: foreign, rows: {}, schema };
    const rows: Record<string, number> = {};
    for (const table of tablesOf(connection)) {
      progress(table);
      // Lets the user interrupt the program between two tables.
      await setImmediate();
      const problem = judge(connection, table);
      if (problem !== null) return { problem, rows: {}, schema };
      rows[table] = Number(connection.prepare(`select count(*) from "${table}"`).pluck().get());
    }
    return { problem: null, rows, schema };
  } catch (error) {
    const known = toStoreError(error, "its content");
    if (!(known instanceof DispatchError)) throw error;
    // Even a read of a SQLite store writes files beside it.
    if (known.code === "store_unavailable") throw toDiskFailure(file, error);
    return { problem: known.message, rows: {}, schema: 0 };
  } finally {
    connection?.close();
  }
}

function describeForeign(connection: Connection, schema: number): string | null {
  if (schema > newestSchema) return null;
  const facts = compareDefinitions(expectedDefinitions(schema), readDefinitions(connection));
  const wrong = [...facts.different, ...facts.foreign.filter((one) => !isPassive(one))];
  if (wrong.length === 0) return null;
  return `It has unknown objects: ${wrong.map(({ kind, name }) => `${kind} ${name}`).join(", ")}.`;
}

function tablesOf(connection: Connection): string[] {
  const sql =
    "select name from sqlite_schema where type = 'table' and name not like 'sqlite^_%' escape '^' order by name";
  return connection.prepare(sql).pluck().all() as string[];
}

function findProblem(connection: Connection, table: string): string | null {
  const found = connection.pragma(`integrity_check("${table}")`, { simple: true });
  if (found !== "ok") return `SQLite reports damage: ${String(found).replaceAll("\n", " ")}.`;
  const [orphan] = connection.pragma(`foreign_key_check("${table}")`) as { parent: string; rowid: number }[];
  if (!orphan) return null;
  return `Row ${orphan.rowid} of ${table} refers to a missing row of ${orphan.parent}.`;
}
