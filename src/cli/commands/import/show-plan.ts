import { toSentence } from "../../../sync/rows/rejects.ts";
import type { RowAction, RowPlan } from "../../../sync/rows/row-plan.ts";
import type { JsonValue } from "../../output/answer.ts";
import { cutText, openScreen, type Screen, wrapText } from "../../output/screen.ts";
import { toCellText, toVisible } from "../../output/text.ts";

/** How many rows there are of each kind, and the first of them. */
export interface PlanSummary {
  counts: Record<RowAction, number>;
  first: Record<RowAction, { place: string; key: string; plan: RowPlan }[]>;
}

/** Of each kind so many are shown. */
const shownMax = 5;

export function createSummary(): PlanSummary {
  return {
    counts: { create: 0, update: 0, same: 0, reject: 0 },
    first: { create: [], update: [], same: [], reject: [] },
  };
}

/** Counts a row in, and keeps it when it is one of the first. */
export function addToSummary(
  { counts, first }: PlanSummary,
  place: string,
  keyOf: () => string,
  plan: RowPlan,
): void {
  counts[plan.action] += 1;
  if (plan.action !== "same" && first[plan.action].length < shownMax)
    first[plan.action].push({ place, key: keyOf(), plan });
}

/** The plan as people read it: the counts, and of each kind the first rows, field by field. */
export async function describePlan(
  { counts, first }: PlanSummary,
  options: Parameters<typeof openScreen>[1],
): Promise<string[]> {
  const screen = await openScreen(JSON.stringify(first), options);
  const { bold, accent, alarm } = screen.paint;
  const widest = Math.max(...Object.values(counts).map((count) => String(count).length));
  const lines = Object.entries(counts).map(
    ([action, count]) => `  ${action.padEnd(8)}${String(count).padStart(widest)}`,
  );
  for (const action of ["create", "update", "reject"] as const) {
    const rows = first[action];
    if (rows.length === 0) continue;
    const more = counts[action] > rows.length ? ` (the first ${rows.length} of ${counts[action]})` : "";
    lines.push("", `${action === "reject" ? alarm(action) : bold(action)}${more}`);
    for (const { place, key, plan } of rows) {
      const name = key === "" ? "" : `  ${accent(cutText(toVisible(key), screen.columns - 20, screen))}`;
      lines.push(`  ${place}${name}`, ...describeRow(plan, screen).map((line) => `    ${line}`));
    }
  }
  return lines;
}

function describeRow(plan: RowPlan, screen: Screen): string[] {
  const columns = screen.columns - 4;
  if (plan.action === "reject")
    return plan.violations.flatMap((violation) =>
      wrapText(toVisible(toSentence(violation)), columns, screen),
    );
  if (plan.action === "create") return [cutText(describeBody(plan.body), columns, screen)];
  if (plan.action === "same") return [];
  return plan.changes.map(({ field, before, after }) =>
    cutText(`${toVisible(field)}: ${toShown(before)} → ${toShown(after)}`, columns, screen),
  );
}

function describeBody(body: Readonly<Record<string, unknown>>): string {
  return Object.entries(body)
    .filter(([, value]) => !(Array.isArray(value) && value.length === 0))
    .map(([field, value]) => `${toVisible(field)}: ${toShown(value)}`)
    .join(", ");
}

/** A list of one object, an address say, reads best as its values. */
function toShown(value: unknown): string {
  if (Array.isArray(value) && value.every((entry) => typeof entry === "object"))
    return value.map(toShown).join("; ");
  if (typeof value === "object" && value !== null) {
    return Object.values(value)
      .filter((part) => typeof part === "string" || typeof part === "number")
      .map((part) => toVisible(String(part)))
      .join(", ");
  }
  return toCellText((value ?? null) as JsonValue, "minute");
}
