import { describe, expect, it, onTestFinished } from "vitest";
import { migrations } from "../../src/store/migrations/index.ts";
import type { Migration } from "../../src/store/migrations/migration.ts";
import { ownedTables } from "../../src/store/schema/database.ts";
import { sqlite, type TestDatabase } from "../support/databases.ts";
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

/** A value of a type, as SQL; JSON where it is text, which a check or a trigger may read. */
const literals: [pattern: RegExp, sql: string][] = [
  [/int/, "1"],
  [/bool/, "true"],
  [/time/, "'2026-01-01 00:00:00'"],
  [/real|double|numeric/, "1.5"],
  [/json/, "'{}'"],
  [/text/, "'{}'"],
];

const literalOf = (type: string) => literals.find(([pattern]) => pattern.test(type))?.[1] ?? "null";

/** Those that programs write themselves; triggers keep the others. */
const written = [...Object.keys(ownedTables), "delivery_workers", "haulers", "meta", "tenants"];

/** What a program of an older schema does with a store of a newer one: it names the columns that it knows. */
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

const tolerant = migrations.filter(({ number, oldestProgram }) => oldestProgram < number);

describe("what a step of the schema says of older programs", () => {
  it("fits its phase, and never lets go on whom an earlier step shut out", () => {
    for (const { number, oldestProgram, phase } of migrations) {
      expect(oldestProgram, `${number}`).toBeLessThanOrEqual(number);
      expect(phase === "closed", `${number}`).toBe(number <= 10);
      if (phase === "closed") expect(oldestProgram).toBe(number);
      if (phase === "expand") expect(oldestProgram, `${number}`).toBeLessThan(number);
    }
    expect(tolerant.length).toBeGreaterThan(0);
  });

  describe.each(kinds)("is true on $name:", ({ columns, create, statementOf, withoutReferences }) => {
    it.each(tolerant)(
      "step $number leaves programs of schema $oldestProgram every column, and asks for none that they do not know",
      ({ number, oldestProgram }) => {
        const database = create();
        onTestFinished(() => database.remove());
        const take = (steps: readonly Migration[]) => {
          for (const step of steps) database.execute(statementOf(step) ?? "");
        };
        const read = () => database.query(columns) as unknown as Column[];
        take(migrations.slice(0, oldestProgram));
        const known = read();
        expect(known.length).toBeGreaterThan(200);
        take(migrations.slice(oldestProgram, number));
        const found = new Map(read().map((column) => [`${column.table}.${column.name}`, column]));
        for (const { isRequired, name, table, type } of known) {
          const now = found.get(`${table}.${name}`);
          expect(now?.type, `${table}.${name}`).toBe(type);
          if (!isRequired) expect(Boolean(now?.isRequired), `${table}.${name}`).toBe(false);
          found.delete(`${table}.${name}`);
        }
        const tables = new Set(known.map(({ table }) => table));
        const asked = [...found.values()].filter(({ isRequired, table }) => tables.has(table) && isRequired);
        expect(asked).toEqual([]);
        database.execute(withoutReferences);
        writeAsBefore(database, known);
      },
    );
  });
});
