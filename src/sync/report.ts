import type { Violation } from "../errors/errors.ts";
import type { Action } from "./plan.ts";

/** What becomes of a record; some are there only, and nobody asked anything of them. */
export type Outcome = Action | "onlyThere";

/** How many records became what. */
export type Tally = Record<Outcome, number>;

/** A record of a source, as people find it. */
export interface RecordPlace {
  /** null for a line that holds no record. */
  type: string | null;
  /** Its number in the source. */
  id: number | null;
  label: string | null;
  /** The line in the file. */
  line: number | null;
}

/** A record, or a part of it, that the target did not take. */
export interface Refusal extends RecordPlace {
  violations: readonly Violation[];
}

/** What would become of the records of a source, or became of them. */
export interface Report {
  /** By type, in the order in which they came. */
  tallies: ReadonlyMap<string, Tally>;
  refused: readonly Refusal[];
}

/** A report in the making. */
export interface ReportInProgress extends Report {
  refused: Refusal[];
  begin(type: string): void;
  count(type: string, outcome: Outcome): void;
}

export function createReport(): ReportInProgress {
  const tallies = new Map<string, Tally>();
  const of = (type: string) => {
    const tally = tallies.get(type) ?? { ...nothing };
    tallies.set(type, tally);
    return tally;
  };
  return {
    tallies,
    refused: [],
    begin: (type) => void of(type),
    count(type, outcome) {
      of(type)[outcome] += 1;
    },
  };
}

/** How many records of all types became what. */
export function totalOf({ tallies }: Report, ...outcomes: readonly Outcome[]): number {
  const all = [...tallies.values()];
  return outcomes.reduce((sum, outcome) => all.reduce((more, tally) => more + tally[outcome], sum), 0);
}

/** How many records were looked at. */
export function countAll(report: Report): number {
  return totalOf(report, "create", "update", "same", "readOnly", "reject");
}

/** How many records were left as they are because they were changed after the plan was made. */
export function countChangedSince({ refused }: Report): number {
  const isChanged = ({ violations }: Refusal) =>
    violations.some(({ code }) => code === "precondition_failed");
  return refused.filter(isChanged).length;
}

/** All that is wrong with a record, in sentences. */
export function describeRefusal({ violations }: Pick<Refusal, "violations">): string {
  return violations.map(({ detail }) => detail).join(" ");
}

const nothing: Tally = { create: 0, update: 0, same: 0, readOnly: 0, onlyThere: 0, reject: 0 };
