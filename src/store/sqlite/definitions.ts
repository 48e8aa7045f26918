import { migrations, newestSchema } from "../migrations/index.ts";
import type { Definition } from "../schema/table-facts.ts";
import type { Connection } from "./connection.ts";
import { openConnection } from "./driver.ts";

/** What the migrations up to a schema make, found out in memory. */
export function expectedDefinitions(schema = newestSchema): Definition[] {
  const connection = openConnection(":memory:");
  try {
    for (const { sqlite } of migrations.slice(0, schema)) connection.exec(sqlite);
    return readDefinitions(connection);
  } finally {
    connection.close();
  }
}

/** What a store has. The text of an index or a trigger is the statement that makes it. */
export function readDefinitions(connection: Connection): Definition[] {
  const rows = connection
    .prepare<
      [],
      { type: "index" | "table" | "trigger" | "view"; name: string; tbl_name: string; sql: string | null }
    >("select type, name, tbl_name, sql from sqlite_schema where name not like 'sqlite_%' order by name")
    .all();
  return rows.flatMap(({ name, sql, tbl_name, type }): Definition[] => {
    if (type !== "table") return [{ kind: type, name, table: tbl_name, text: toOneLine(sql ?? "") }];
    const table: Definition = { kind: "table", name, table: name, text: "" };
    return [table, ...readColumns(connection, name), ...readForeignKeys(connection, name)];
  });
}

function readColumns(connection: Connection, table: string): Definition[] {
  const rows = connection.pragma(`table_xinfo(${JSON.stringify(table)})`) as {
    dflt_value: string | null;
    name: string;
    notnull: number;
    pk: number;
    type: string;
  }[];
  return rows.map(({ dflt_value, name, notnull, pk, type }) => ({
    kind: "column",
    name: `${table}.${name}`,
    table,
    text: [type, notnull && "not null", pk && `key ${pk}`, dflt_value !== null && `default ${dflt_value}`]
      .filter((part) => part)
      .join(" "),
  }));
}

function readForeignKeys(connection: Connection, table: string): Definition[] {
  const rows = connection.pragma(`foreign_key_list(${JSON.stringify(table)})`) as {
    from: string;
    id: number;
    on_delete: string;
    on_update: string;
    table: string;
    to: string | null;
  }[];
  const ids = [...new Set(rows.map(({ id }) => id))];
  return ids.map((id): Definition => {
    const parts = rows.filter((row) => row.id === id);
    const name = `${table} (${parts.map(({ from }) => from).join(", ")})`;
    const texts = parts.map((part) => `${part.table}.${part.to} ${part.on_update} ${part.on_delete}`);
    return { kind: "foreign key", name, table, text: texts.join(", ") };
  });
}

const toOneLine = (sql: string) => sql.replace(/\s+/g, " ").trim();
