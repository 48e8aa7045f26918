import type { Violation } from "../../errors/errors.ts";
import type { Refusal } from "../report.ts";
import { toSentence } from "./rejects.ts";

/** Why rows were rejected: how many for the same reason, and the first of them. */
export interface Cause {
  rows: number;
  /** The reason in words: of a single row its own sentence. */
  reason: string;
  lines: readonly number[];
}

/** Groups rejected rows by their reasons, the most frequent first. A row with several reasons counts for each. */
export function groupCauses(refused: readonly Pick<Refusal, "line" | "violations">[]): Cause[] {
  const causes = new Map<string, { first: Violation; lines: Set<number> }>();
  for (const { line, violations } of refused) {
    for (const violation of violations) {
      const key = `${violation.code} ${violation.field} ${toPattern(violation.detail)}`;
      const known = causes.get(key);
      if (known) known.lines.add(line ?? 0);
      else causes.set(key, { first: violation, lines: new Set([line ?? 0]) });
    }
  }
  return [...causes.values()]
    .map(({ first, lines }) => ({
      rows: lines.size,
      reason: toReason(first),
      lines: [...lines].slice(0, linesShown),
    }))
    .toSorted((a, b) => b.rows - a.rows);
}

const linesShown = 5;

/** The common part of sentences about different values. */
const toPattern = (detail: string) => detail.replace(/"[^"]*"/g, '"…"').replace(/\d+/g, "0");

function toReason(violation: Violation): string {
  const { code, field } = violation;
  return code === "missing_value" && field !== null && /(?:is|are) required/.test(violation.detail)
    ? `no ${officeWords[field] ?? field}`
    : toSentence(violation);
}

/** What offices call fields that sheets often lack. */
const officeWords: Readonly<Record<string, string>> = {
  address_id: "address (address_id)",
  country: "country (--set country=US)",
  latitude: "coordinates (--coordinates zip)",
  line_1: "street address (line_1)",
  locality: "city (locality)",
  postcode: "ZIP (postcode)",
  region: "state (region)",
  requested_by: "customer (requested_by)",
};
