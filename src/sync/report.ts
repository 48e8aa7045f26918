import { exitCodes, type Violation } from "../errors/errors.ts";
import type { Applier } from "./applier.ts";
import type { Plan } from "./planner.ts";

export type Outcome = Plan["action"] | "onlyThere";

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
  tallies: Map<string, Tally>;
  refused: Refusal[];
}

export const createReport = (): Report => ({ tallies: new Map(), refused: [] });

/** The tally of a type, which begins with the first use. */
export function tallyOf({ tallies }: Report, type: string): Tally {
  const tally = tallies.get(type) ?? {
    create: 0,
    update: 0,
    same: 0,
    readOnly: 0,
    onlyThere: 0,
    reject: 0,
  };
  tallies.set(type, tally);
  return tally;
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

/** A second run helps if records have changed since the plan. */
export function exitCodeOfRefusals(report: Report): number {
  if (countChangedSince(report) > 0) return exitCodes.conflict;
  return report.refused.length > 0 ? exitCodes.invalid : exitCodes.done;
}

/** Empty if no record has changed since the plan. */
export function describeChangedSince(report: Report): string[] {
  const count = countChangedSince(report);
  const which = count === 1 ? "1 record was" : `${count} records were`;
  return count === 0
    ? []
    : [`${which} changed after the plan was made, and skipped. Run the same command for a new plan.`];
}

export function describeRefusal({ violations }: Pick<Refusal, "violations">): string {
  return violations.map(({ detail }) => detail).join(" ");
}

/**
 * Runs the plan of a record, and reports the result; without an applier it reports the plan. Returns the plan, or a
 * rejection if the target refused it. Throws errors that are not caused by the record.
 */
export async function runPlan(
  report: Report,
  applier: Applier | null,
  place: RecordPlace & { type: string },
  plan: Plan,
): Promise<Plan> {
  const refuse = (violations: readonly Violation[]) => void report.refused.push({ ...place, violations });
  if (plan.action === "reject") refuse(plan.violations);
  const before = report.refused.length;
  const isTaken = (await applier?.apply(plan, refuse)) ?? true;
  const refused = report.refused.slice(before).flatMap(({ violations }) => violations);
  const outcome: Plan = isTaken ? plan : { action: "reject", violations: refused };
  tallyOf(report, place.type)[outcome.action] += 1;
  return outcome;
}
