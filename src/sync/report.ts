import type { Violation } from "../errors/errors.ts";
import type { Applier } from "./applier.ts";
import type { Action, Plan } from "./plan.ts";

/** The result for a record. Records that only the target has stay unchanged. */
export type Outcome = Action | "onlyThere";

/** The number of records for each result. */
export type Tally = Record<Outcome, number>;

/** A record of a source, as messages name it. */
export interface RecordPlace {
  /** null for a line without a record. */
  type: string | null;
  /** Its number in the source. */
  id: number | null;
  label: string | null;
  /** The line in the file. */
  line: number | null;
}

/** A record, or a part of it, that the target refused. */
export interface Refusal extends RecordPlace {
  violations: readonly Violation[];
}

/** The planned or final results for the records of a source. */
export interface Report {
  /** By type, in the order of the source. */
  tallies: ReadonlyMap<string, Tally>;
  refused: readonly Refusal[];
}

/** A report in progress. */
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

/** The number of records of all types for each result. */
export function totalOf({ tallies }: Report, ...outcomes: readonly Outcome[]): number {
  const all = [...tallies.values()];
  return outcomes.reduce((sum, outcome) => all.reduce((more, tally) => more + tally[outcome], sum), 0);
}

/** The number of compared records. */
export function countAll(report: Report): number {
  return totalOf(report, "create", "update", "same", "readOnly", "reject");
}

/** The number of records that stayed unchanged because they changed after the plan was made. */
export function countChangedSince({ refused }: Report): number {
  const isChanged = ({ violations }: Refusal) =>
    violations.some(({ code }) => code === "precondition_failed");
  return refused.filter(isChanged).length;
}

/** All violations of a record, in sentences. */
export function describeRefusal({ violations }: Pick<Refusal, "violations">): string {
  return violations.map(({ detail }) => detail).join(" ");
}

const nothing: Tally = { create: 0, update: 0, same: 0, readOnly: 0, onlyThere: 0, reject: 0 };

/** The options for bringing the records of a source into a target. */
export interface Course<R> {
  report: ReportInProgress;
  placeOf(record: R): RecordPlace & { type: string };
  plan(record: R): Plan;
  /** null only plans. */
  applier: Applier | null;
  /** Called with the planned or final result for each record. */
  onRecord?(record: R, plan: Plan): void;
  /** Called before each record; false stops there. May throw to abort. */
  mayGoOn?(): Promise<boolean>;
}

/**
 * Plans each record, runs the plan, and reports it. After a refused record the others continue; other errors are
 * thrown, and the report holds everything done before.
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
