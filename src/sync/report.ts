import type { Violation } from "../errors/errors.ts";
import type { Applier } from "./applier.ts";
import type { Action, Plan } from "./plan.ts";

export type Outcome = Action | "onlyThere";

export type Tally = Record<Outcome, number>;

export interface RecordPlace {
  /** null for a line without a record. */
  type: string | null;
  /** The number in the source. */
  id: number | null;
  label: string | null;
  line: number | null;
}

/** A record, or a part of it, that the target refused. */
export interface Refusal extends RecordPlace {
  violations: readonly Violation[];
}

export interface Report {
  /** By type, in the order of the source. */
  tallies: ReadonlyMap<string, Tally>;
  refused: readonly Refusal[];
}

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

export function totalOf({ tallies }: Report, ...outcomes: readonly Outcome[]): number {
  const all = [...tallies.values()];
  return outcomes.reduce((sum, outcome) => all.reduce((more, tally) => more + tally[outcome], sum), 0);
}

export function countAll(report: Report): number {
  return totalOf(report, "create", "update", "same", "readOnly", "reject");
}

export function countChangedSince({ refused }: Report): number {
  const isChanged = ({ violations }: Refusal) =>
    violations.some(({ code }) => code === "precondition_failed");
  return refused.filter(isChanged).length;
}

export function describeRefusal({ violations }: Pick<Refusal, "violations">): string {
  return violations.map(({ detail }) => detail).join(" ");
}

const nothing: Tally = { create: 0, update: 0, same: 0, readOnly: 0, onlyThere: 0, reject: 0 };

export interface Course<R> {
  report: ReportInProgress;
  placeOf(record: R): RecordPlace & { type: string };
  plan(record: R): Plan;
  /** null only plans. */
  applier: Applier | null;
  /** Gets the planned or final result of each record. */
  onRecord?(record: R, plan: Plan): void;
  /** false stops before the record. May throw. */
  mayGoOn?(): Promise<boolean>;
}

/** Continues after a refused record. After other errors, the report still holds everything done. */
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
