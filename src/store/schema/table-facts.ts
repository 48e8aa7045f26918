export interface Definition {
  kind: "table" | "column" | "constraint" | "function" | "index" | "rule" | "trigger" | "view";
  name: string;
  table: string;
  text: string;
}

export interface TableFacts {
  missing: Definition[];
  different: Definition[];
  foreign: Definition[];
}

/**
 * Compares the expected objects of a store with the actual ones. An index or a view that an operator added changes no
 * record.
 */
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
    missing: expected.filter(
      (one) => !there.has(toKey(one)) && (isAlone(one) || tables.has(one.table) || views.has(one.table)),
    ),
    different: expected.filter((one) => there.has(toKey(one)) && there.get(toKey(one)) !== one.text),
    foreign: found.filter((one) => {
      if (known.has(toKey(one))) return false;
      if (one.kind === "index") return !isPassiveIndex(one);
      if (one.kind === "view") return !/^create view /i.test(one.text);
      // The name of a foreign table is enough if its columns do nothing.
      return one.kind !== "column" || known.has(`table ${one.table}`) || /\breferences\b/i.test(one.text);
    }),
  };
}

/**
 * Whether a foreign index refuses no record. A unique one does. SQLite also refuses a record if the expression of an
 * index fails or its collation is unknown. A backup is a SQLite file, so anybody can forge one.
 */
function isPassiveIndex({ text }: Definition): boolean {
  return /^create index \S+ on (?:\S+ using .+|[^(]+\((?!.*\bcollate\b)[^()]+\))$/i.test(text);
}

/** Whether a foreign table or column neither refuses nor changes a record of a store. A foreign trigger may do both. */
export function isPassive({ kind, name, text }: Definition): boolean {
  if (kind === "table") {
    // PostgreSQL gives tables no text. A forged file may have the statement of a trigger here.
    const [head = ""] = text.split(", ");
    const isTable = text === "" || head.toLowerCase().replace(/["`[\]]/g, "") === `create table ${name}`;
    return isTable && !/\breferences\b/i.test(text);
  }
  if (kind !== "column" || /\b(as|check|constraint|generated|primary|references|unique)\b/i.test(text))
    return false;
  return !/\bnot null\b/i.test(text) || /\bdefault\b/i.test(text);
}

/** Indexes, triggers, and the like hold no data of their own, so they can be created again. */
export function isDerived({ kind }: Definition): boolean {
  return kind !== "table" && kind !== "column";
}

const toKey = ({ kind, name }: Definition) => `${kind} ${name}`;
