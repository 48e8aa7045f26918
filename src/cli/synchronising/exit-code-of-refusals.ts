import { exitCodes } from "../../errors/errors.ts";
import { countChangedSince, type Report } from "../../sync/report.ts";

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
