import { exitCodes } from "../../errors/errors.ts";
import { countChangedSince, type Report } from "../../sync/report.ts";

/** What the exit code says of refused records: to run the command again helps where some were changed meanwhile. */
export function exitCodeOfRefusals(report: Report): number {
  if (countChangedSince(report) > 0) return exitCodes.conflict;
  return report.refused.length > 0 ? exitCodes.invalid : exitCodes.done;
}

/** Says what helps where records were changed meanwhile; nothing where none was. */
export function describeChangedSince(report: Report): string[] {
  const count = countChangedSince(report);
  const which = count === 1 ? "1 record was" : `${count} records were`;
  return count === 0
    ? []
    : [`${which} changed after the plan was made, and left alone; the same command makes a new plan.`];
}
