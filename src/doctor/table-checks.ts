import { type Definition, isDerived, type TableFacts } from "../store/schema/table-facts.ts";
import { bad, type Check, ok } from "./finding.ts";

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
      const lost = { missing: facts.missing.filter(isKept), different: facts.different.filter(isKept) };
      return isNothing(lost) ? ok("every table and column is there") : bad(describe(lost), restore);
    },
  },
  {
    name: "indexes",
    judge: ({ facts, repair }) => {
      if (facts === null) return ok("not looked at");
      const derived = {
        missing: facts.missing.filter(isDerived),
        different: facts.different.filter(isDerived),
      };
      return isNothing(derived) ? ok("every index and trigger is there") : bad(describe(derived), repair);
    },
  },
];

const isKept = (definition: Definition) => !isDerived(definition);

const isNothing = ({ different, missing }: TableFacts) => different.length + missing.length === 0;

/** How many are named. */
const namedMax = 5;

function describe({ different, missing }: TableFacts): string {
  const parts = [
    ["missing", missing],
    ["not as it should be", different],
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
