import { migrations, newestSchema } from "../migrations/index.ts";
import type { Definition } from "../schema/table-facts.ts";
import type { Connection } from "./connection.ts";
import { openConnection } from "./driver.ts";

/** Runs the migrations in memory to find the objects of a schema version. */
export function expectedDefinitions(schema = newestSchema): Definition[] {
  const connection = openConnection(":memory:");
  try {
    for (const { sqlite } of migrations.slice(0, schema)) connection.exec(sqlite);
    return readDefinitions(connection);
  } finally {
    connection.close();
  }
}

/** Each text is a part of the creating statement, so it includes all constraints. */
export function readDefinitions(connection: Connection): Definition[] {
  // A forged file may give a trigger the name or type of SQLite's own objects. Only the statement is reliable.
  const rows = connection
    .prepare<
      [],
      { type: "index" | "table" | "trigger" | "view"; name: string; tbl_name: string; sql: string }
    >(`select type, name, tbl_name, sql from sqlite_schema where sql is not null
      and sql not in ('CREATE TABLE sqlite_sequence(name,seq)', 'CREATE TABLE sqlite_stat1(tbl,idx,stat)')
      and sql not like 'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)' order by name`)
    .all();
  // SQLite ignores case: JOBS is the table jobs.
  return rows.flatMap((row): Definition[] => {
    const [name, table] = [row.name.toLowerCase(), row.tbl_name.toLowerCase()];
    if (row.type !== "table") return [{ kind: row.type, name, table, text: toOneLine(row.sql) }];
    return splitTable(name, row.sql);
  });
}

const tokens = /'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\/|[(),]|[^'"`[(),/-]+|./g;

function splitTable(table: string, sql: string): Definition[] {
  const parts = [""];
  let depth = 0;
  for (const [token] of sql.matchAll(tokens)) {
    const outer = depth;
    if (token === "(") depth++;
    if (token === ")") depth--;
    if (Math.min(outer, depth) === 0 && outer !== depth) parts.push("");
    else if (depth === 1 && token === ",") parts.push("");
    else parts[parts.length - 1] += token;
  }
  const lines = parts.map(toOneLine);
  const isColumn = (line: string, at: number) =>
    at > 0 && at < lines.length - 1 && !/^(constraint|check|unique|primary|foreign)\b/i.test(line);
  const text = lines.filter((line, at) => line !== "" && !isColumn(line, at)).join(", ");
  return [
    { kind: "table", name: table, table, text },
    ...lines.filter(isColumn).map((line): Definition => {
      const name = (/^("[^"]*"|`[^`]*`|\[[^\]]*\]|[^\s]+)/.exec(line)?.[0] ?? "").replace(
        /^["`[]|["`\]]$/g,
        "",
      );
      return { kind: "column", name: `${table}.${name.toLowerCase()}`, table, text: line };
    }),
  ];
}

const toOneLine = (sql: string) => sql.replace(/\s+/g, " ").trim();
