import { type Definition, isDerived, isPassive, type TableFacts } from "../../store/schema/table-facts.ts";
import { bad, type Check, ok, warn } from "./finding.ts";

/** What is known of a store's tables, and the commands that mend them. */
export interface TablesAt {
  /** null where nobody can tell. */
  facts: TableFacts | null;
  /** The command that makes indexes and triggers anew. */
  repair: string;
  /** The command that brings a lost table back. */
  restore: string;
}

/** What is looked at in the tables of a store: what they are like, not what is in them. */
export const tableChecks: readonly Check<TablesAt>[] = [
  {
    name: "tables",
    judge: ({ facts, restore }) => {
      if (facts === null) return ok("not looked at: the server does not let this user make temporary tables");
      const { missing, different, foreign } = pick(facts, (definition) => !isDerived(definition));
      if (missing.length + different.length > 0)
        return bad(describe({ missing, different, foreign }), restore);
      if (foreign.length === 0) return ok("every table and column is there, and no other");
      const text = describe({ missing, different, foreign });
      return foreign.every(isPassive)
        ? warn(
            text,
            "Keep them if you need them: they change nothing, but a later program may need their names.",
          )
        : bad(text, "Remove the foreign objects; restore refuses a store that has them.");
    },
  },
  {
    name: "indexes",
    judge: ({ facts, repair }) => {
      if (facts === null) return ok("not looked at");
      const derived = pick(facts, isDerived);
      const text = describe(derived);
      return text === "" ? ok("every index and trigger is there, and no foreign one") : bad(text, repair);
    },
  },
];

const pick = ({ different, foreign, missing }: TableFacts, isWanted: (one: Definition) => boolean) => ({
  missing: missing.filter(isWanted),
  different: different.filter(isWanted),
  foreign: foreign.filter(isWanted),
});

/** How many are named. */
const namedMax = 5;

function describe({ different, foreign, missing }: TableFacts): string {
  const parts = [
    ["missing", missing],
    ["not as it should be", different],
    ["not of this program", foreign],
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
