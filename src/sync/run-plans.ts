import type { Violation } from "../errors/errors.ts";
import type { Applier } from "./applier.ts";
import type { Plan } from "./plan.ts";
import type { RecordPlace, ReportInProgress } from "./report.ts";

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
