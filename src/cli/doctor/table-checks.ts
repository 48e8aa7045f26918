import { type Definition, isDerived, isPassive, type TableFacts } from "../../store/schema/table-facts.ts";
import { bad, type Check, ok, warn } from "./finding.ts";

interface TablesAt {
  /** null if the program cannot read them. */
  facts: TableFacts | null;
  repair: string;
  restore: string;
}

export const tableChecks: readonly Check<TablesAt>[] = [
  {
    name: "tables",
    judge: ({ facts, restore }) => {
      if (facts === null) return ok("not checked: the server does not let this user create temporary tables");
      const { missing, different, foreign } = pick(facts, (definition) => !isDerived(definition));
      if (missing.length + different.length > 0)
        return bad(describe({ missing, different, foreign }), restore);
      if (foreign.length === 0) return ok("every table and column exists, and no others");
      const text = describe({ missing, different, foreign });
      return foreign.every(isPassive)
        ? warn(text, "You can keep them: they do no harm, but a later version may need their names.")
        : bad(text, "Remove them; restore refuses a store that has them.");
    },
  },
  {
    name: "indexes",
    judge: ({ facts, repair }) => {
      if (facts === null) return ok("not checked");
      const derived = pick(facts, isDerived);
      const text = describe(derived);
      return text === "" ? ok("every index and trigger exists, and no others") : bad(text, repair);
    },
  },
];

const pick = ({ different, foreign, missing }: TableFacts, isWanted: (one: Definition) => boolean) => ({
  missing: missing.filter(isWanted),
  different: different.filter(isWanted),
  foreign: foreign.filter(isWanted),
});

const namedMax = 5;

function describe({ different, foreign, missing }: TableFacts): string {
  const parts = [
    ["missing", missing],
    ["changed", different],
    ["unknown", foreign],
  ] as const;
  return parts
    .filter(([, definitions]) => definitions.length > 0)
    .map(([what, definitions]) => {
      const names = definitions.slice(0, namedMax).map(({ kind, name }) => `${kind} ${name}`);
      const others = definitions.length - names.length;
      return `${what}: ${names.join(", ")}${others > 0 ? ` and ${others} more` : ""}`;
    })
    .join("; ");
}

export interface ValuesAt {
  /** null if not checked. */
  brokenJson: string[] | null;
  wrongCounts: number | null;
  repair: string;
  restore: string;
}

export const countsCheck: Check<Pick<ValuesAt, "repair" | "wrongCounts">> = {
  name: "counts",
  judge: ({ repair, wrongCounts }) => {
    if (wrongCounts === null) return ok("not checked without --full");
    if (wrongCounts === 0) return ok("the stored counts are right");
    return warn(`${wrongCounts} stored counts are wrong`, repair);
  },
};

export const valueChecks: readonly Check<ValuesAt>[] = [
  {
    name: "json",
    judge: ({ brokenJson, restore }) => {
      if (brokenJson === null) return ok("not checked without --full");
      if (brokenJson.length === 0) return ok("all stored JSON is valid");
      return bad(`invalid JSON: ${brokenJson.join(", ")}`, restore);
    },
  },
  countsCheck,
];
