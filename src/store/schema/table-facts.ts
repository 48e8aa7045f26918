/** A table, a column, or what is derived from them, as a database keeps it. */
export interface Definition {
  kind:
    | "table"
    | "column"
    | "foreign key"
    | "constraint"
    | "function"
    | "index"
    | "rule"
    | "trigger"
    | "view";
  /** `jobs`, `jobs.notes`, `jobs_in_order`. */
  name: string;
  /** Empty for what belongs to none. */
  table: string;
  /** What it is like, in words that are the same for the same thing. */
  text: string;
}

/** How the tables of a store differ from those that the migrations make. */
export interface TableFacts {
  missing: Definition[];
  /** As they should be. */
  different: Definition[];
  /** What the migrations do not make, as the store has it. */
  foreign: Definition[];
}

/** Compares what a store should have with what it has. An index that an operator added changes no record, so it may stay. */
export function compareDefinitions(
  expected: readonly Definition[],
  found: readonly Definition[],
): TableFacts {
  const known = new Set(expected.map(toKey));
  const there = new Map(found.map((definition) => [toKey(definition), definition.text]));
  const tables = new Set(found.filter(({ kind }) => kind === "table").map(({ name }) => name));
  const views = new Set(expected.filter(({ kind }) => kind === "view").map(({ name }) => name));
  const isAlone = ({ kind, table }: Definition) => kind === "table" || kind === "view" || table === "";
  return {
    // Without its table nothing of it can be there.
    missing: expected.filter(
      (one) => !there.has(toKey(one)) && (isAlone(one) || tables.has(one.table) || views.has(one.table)),
    ),
    different: expected.filter((one) => there.has(toKey(one)) && there.get(toKey(one)) !== one.text),
    foreign: found.filter((one) => {
      const isHarmless = one.kind === "index" && !/^create unique/i.test(one.text);
      // Who names a foreign table need not name its columns.
      const isOfForeignTable =
        one.kind !== "table" && tables.has(one.table) && !known.has(`table ${one.table}`);
      return !known.has(toKey(one)) && !isHarmless && !isOfForeignTable;
    }),
  };
}

/** Indexes, triggers and the like hold nothing of their own: they can be made anew. On SQLite a foreign key cannot. */
export function isDerived({ kind }: Definition): boolean {
  return kind !== "table" && kind !== "column" && kind !== "foreign key";
}

const toKey = ({ kind, name }: Definition) => `${kind} ${name}`;
