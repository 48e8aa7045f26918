import type { Violation } from "../errors/errors.ts";
import type { Applier } from "./applier.ts";
import type { Action, Plan } from "./plan.ts";

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

/** The way of a source's records into a target. */
export interface Course<R> {
  report: ReportInProgress;
  placeOf(record: R): RecordPlace & { type: string };
  plan(record: R): Plan;
  /** null only plans. */
  applier: Applier | null;
  /** Called with what becomes, or became, of each record. */
  onRecord?(record: R, plan: Plan): void;
  /** Called before each record; false ends the work there. Throws to break it off. */
  mayGoOn?(): Promise<boolean>;
}

/**
 * Plans each record, carries out the plan, and reports it. After a refused record the others continue; other errors
 * are thrown, and the report holds everything done before.
 */
export async function runPlans<R>(
  records: Iterable<R> | AsyncIterable<R>,
  { applier, mayGoOn, onRecord, placeOf, plan, report }: Course<R>,
): Promise<void> {
  for await (const record of records) {
    if (mayGoOn && !(await mayGoOn())) return;
    const place = placeOf(record);
    const refuse = (violations: readonly Violation[]) => void report.refused.push({ ...place, violations });
    const planned = plan(record);
    if (planned.action === "reject") refuse(planned.violations);
    const refused = report.refused.length;
    const isTaken = (await applier?.apply(planned, refuse)) ?? true;
    const outcome: Plan = isTaken
      ? planned
      : {
          action: "reject",
          violations: report.refused.slice(refused).flatMap(({ violations }) => violations),
        };
    report.count(place.type, outcome.action);
    onRecord?.(record, outcome);
  }
}
