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

/** Allows indexes and views that an operator has added: they change no record. */
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
      // Reports a foreign table without its columns, except columns that reference another table.
      return one.kind !== "column" || known.has(`table ${one.table}`) || /\breferences\b/i.test(one.text);
    }),
  };
}

/** A foreign index that is unique or has an expression may refuse records. Anybody can forge a backup. */
function isPassiveIndex({ text }: Definition): boolean {
  return /^create index \S+ on (?:\S+ using .+|[^(]+\((?!.*\bcollate\b)[^()]+\))$/i.test(text);
}

/** Whether a foreign object neither refuses nor changes records. A trigger may do both. */
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

/** Derived objects hold no data of their own, so a repair can recreate them. */
export function isDerived({ kind }: Definition): boolean {
  return kind !== "table" && kind !== "column";
}

const toKey = ({ kind, name }: Definition) => `${kind} ${name}`;
