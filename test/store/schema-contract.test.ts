import { describe, expect, it, onTestFinished } from "vitest";
import type { Migration } from "../../src/store/migrations/index.ts";
import { migrations } from "../../src/store/migrations/index.ts";
import { ownedTables } from "../../src/store/schema/database.ts";
import { sqlite, type TestDatabase } from "../support/databases.ts";
import { withNextStep } from "../support/next-step.ts";
import { createEmptyDatabase } from "../support/postgres-database.ts";

interface Column {
  table: string;
  name: string;
  type: string;
  isRequired: boolean;
}

const kinds = [
  {
    name: "SQLite",
    create: () => sqlite.create(),
    statementOf: (step: Migration) => step.sqlite,
    columns: `select m.name as "table", c.name, lower(c.type) as type, c."notnull" = 1 and c.dflt_value is null and c.pk = 0 as "isRequired"
      from sqlite_schema m join pragma_table_info(m.name) c where m.type = 'table' and m.name not like 'sqlite_%'`,
    withoutReferences: "pragma foreign_keys = off",
  },
  {
    name: "PostgreSQL",
    create: createEmptyDatabase,
    statementOf: (step: Migration) => step.postgres,
    columns: `select table_name as "table", column_name as name, data_type as type,
        is_nullable = 'NO' and column_default is null and is_identity = 'NO' as "isRequired"
      from information_schema.columns where table_schema = 'public'`,
    withoutReferences: "set session_replication_role = replica",
  },
] as const;

/** A value per column type, as SQL. Text is JSON, because a check or a trigger may parse it. */
const literals: [pattern: RegExp, sql: string][] = [
  [/int/, "1"],
  [/bool/, "true"],
  [/time/, "'2026-01-01 00:00:00'"],
  [/real|double|numeric/, "1.5"],
  [/json/, "'{}'"],
  [/text/, "'{}'"],
];

const literalOf = (type: string) => literals.find(([pattern]) => pattern.test(type))?.[1] ?? "null";

/** The tables that programs write. Triggers maintain the others. */
const written = [...Object.keys(ownedTables), "delivery_workers", "haulers", "meta", "tenants"];

/** Writes as a program with an older schema does: it names only the columns that it knows. */
function writeAsBefore(database: TestDatabase, known: readonly Column[]): void {
  for (const table of written.filter((name) => known.some((column) => column.table === name))) {
    const columns = known.filter((column) => column.table === table);
    const names = columns.map(({ name }) => name).join(", ");
    const values = columns.map(({ type }) => literalOf(type)).join(", ");
    database.execute(`insert into ${table} (${names}) values (${values})`);
    expect(database.query(`select ${names} from ${table}`), table).toHaveLength(1);
    database.execute(`update ${table} set ${columns.map(({ name }) => `${name} = ${name}`).join(", ")}`);
    database.execute(`delete from ${table}`);
  }
}

/** Finds columns that migrations remove, change, or require while a program with an older schema still runs. */
function findBreaks(kind: (typeof kinds)[number], older: readonly Migration[], newer: readonly Migration[]) {
  const database = kind.create();
  onTestFinished(() => database.remove());
  const take = (steps: readonly Migration[]) => {
    for (const step of steps) database.execute(kind.statementOf(step) ?? "");
  };
  const read = () => database.query(kind.columns) as unknown as Column[];
  const toName = ({ name, table }: Column) => `${table}.${name}`;
  take(older);
  const known = read();
  expect(known.length).toBeGreaterThan(200);
  take(newer);
  const found = new Map(read().map((column) => [toName(column), column]));
  const changed = known.filter((column) => {
    const now = found.get(toName(column));
    found.delete(toName(column));
    return now?.type !== column.type || (now.isRequired && !column.isRequired);
  });
  const tables = new Set(known.map(({ table }) => table));
  const required = [...found.values()].filter(({ isRequired, table }) => tables.has(table) && isRequired);
  const breaks = [...changed, ...required].map(toName);
  if (breaks.length > 0) return breaks;
  database.execute(kind.withoutReferences);
  writeAsBefore(database, known);
  return [];
}

describe("the compatibility of a schema step with older programs", () => {
  it("fits its phase", () => {
    for (const { number, oldestProgram, phase } of migrations) {
      expect(oldestProgram, `${number}`).toBeLessThanOrEqual(number);
      if (phase === "closed") expect(oldestProgram).toBe(number);
      if (phase === "expand") expect(oldestProgram, `${number}`).toBeLessThan(number);
    }
  });

  describe.each(kinds)("is true on $name:", (kind) => {
    it("a step that keeps older programs working keeps every column, and requires no new one", () => {
      for (const { number, oldestProgram } of migrations.filter((step) => step.oldestProgram < step.number))
        expect(
          findBreaks(kind, migrations.slice(0, oldestProgram), migrations.slice(oldestProgram, number)),
        ).toEqual([]);
    });

    it.each([
      ["adds a table and a column with a default", "alter table trucks add column more text", []],
      ["adds a required column", "alter table trucks add column more text not null", ["trucks.more"]],
      ["takes a column away", "alter table trucks drop column notes", ["trucks.notes"]],
    ])("a step that %s is judged correctly", (_, statement, breaks) => {
      const { migrations: all } = withNextStep(migrations);
      const step = { name: "more", number: all.length + 1, oldestProgram: 1, phase: "expand" } as const;
      const more: Migration = { ...step, postgres: statement, sqlite: statement };
      expect(findBreaks(kind, migrations, [...all.slice(migrations.length), more])).toEqual(breaks);
    });
  });
});
