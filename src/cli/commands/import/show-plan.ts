import { showDay, showMoment, type TimeView } from "../../../local-time/show-time.ts";
import { holdsDays, toWholeDay } from "../../../local-time/whole-day.ts";
import { isWrittenTimestamp } from "../../../models/timestamps.ts";
import type { Plan } from "../../../sync/planner.ts";
import { type Report, totalOf } from "../../../sync/report.ts";
import type { PlannedRow } from "../../../sync/rows/plan-rows.ts";
import { toSentence } from "../../../sync/rows/rejects.ts";
import { placeOf } from "../../../sync/rows/row-file.ts";
import type { RowReading } from "../../../sync/rows/to-draft.ts";
import type { JsonValue } from "../../output/answer.ts";
import { cutText, wrapText } from "../../output/fit-text.ts";
import { openScreen, type Screen } from "../../output/screen.ts";
import { toCellText, toVisible } from "../../output/text.ts";

const rowActions = ["create", "update", "same", "reject"] as const;
export type RowCounts = Record<(typeof rowActions)[number], number>;

export function rowCounts(report: Report): RowCounts {
  const [create, update, same, reject] = rowActions.map((action) => totalOf(report, action));
  return { create: create ?? 0, update: update ?? 0, same: same ?? 0, reject: reject ?? 0 };
}

/** The actions whose first rows are shown. */
const shownActions = ["create", "update", "reject"] as const;

const shownMax = 5;

export async function describePlan(
  counts: RowCounts,
  rows: readonly PlannedRow[],
  { cells, file }: RowReading,
  options: Parameters<typeof openScreen>[0],
): Promise<string[]> {
  const screen = await openScreen(options);
  const { bold, accent, alarm } = screen.paint;
  const times = cells && { zone: cells.zone, today: cells.zone.dateOf(cells.now) };
  const widest = Math.max(...Object.values(counts).map((count) => String(count).length));
  const lines = Object.entries(counts).map(
    ([action, count]) => `  ${action.padEnd(8)}${String(count).padStart(widest)}`,
  );
  for (const action of shownActions) {
    if (counts[action] === 0) continue;
    const shown = rows.filter(({ plan }) => plan.action === action).slice(0, shownMax);
    const more = counts[action] > shownMax ? ` (the first ${shownMax} of ${counts[action]})` : "";
    lines.push("", `${action === "reject" ? alarm(action) : bold(action)}${more}`);
    for (const { key, plan, row } of shown) {
      const name = key === "" ? "" : `  ${accent(cutText(toVisible(key), screen.columns - 20))}`;
      lines.push(`  ${placeOf(file, row)}${name}`);
      lines.push(...describeRow(plan, screen, times).map((line) => `    ${line}`));
    }
  }
  return lines;
}

export function toAnswer({ key, plan, row: { line } }: PlannedRow): object {
  const { action } = plan;
  if (action === "reject") return { action, errors: plan.violations, key, line };
  if (action === "create") return { action, body: plan.body, key, line };
  if (action === "same") return { action, id: plan.id, key, line };
  const changes = plan.changes.map(({ field, from, to }) => ({ field, before: from, after: to }));
  return { action, changes, id: plan.id, key, line };
}

function describeRow(plan: Plan, screen: Screen, times: TimeView | null): string[] {
  const columns = screen.columns - 4;
  if (plan.action === "reject")
    return plan.violations.flatMap((violation) => wrapText(toVisible(toSentence(violation)), columns));
  if (plan.action === "create") return [cutText(describeBody(plan.body, times), columns)];
  if (plan.action === "same") return [];
  return plan.changes.map(({ field, from, to }) =>
    cutText(`${toVisible(field)}: ${toShown(from, field, times)} → ${toShown(to, field, times)}`, columns),
  );
}

function describeBody(body: Readonly<Record<string, unknown>>, times: TimeView | null): string {
  return Object.entries(body)
    .filter(([, value]) => !(Array.isArray(value) && value.length === 0))
    .map(([field, value]) => `${toVisible(field)}: ${toShown(value, field, times)}`)
    .join(", ");
}

/** As on a letter. Other records keep their order. */
const addressOrder = "line_1 line_2 line_3 line_4 locality region postcode country latitude longitude".split(
  " ",
);

/** A time in its zone; an object, such as an address, as its texts and numbers. */
function toShown(value: unknown, field: string, times: TimeView | null): string {
  if (Array.isArray(value) && value.every((entry) => typeof entry === "object"))
    return value.map((entry) => toShown(entry, field, times)).join("; ");
  if (times && typeof value === "string" && isWrittenTimestamp(value)) {
    const day = holdsDays(field) ? toWholeDay(value) : null;
    return day === null ? showMoment(value, times) : showDay(day, times);
  }
  if (typeof value === "object" && value !== null) {
    const placeOf = ([name]: [string, unknown]) => addressOrder.indexOf(name);
    return Object.entries(value)
      .sort((one, other) => placeOf(one) - placeOf(other))
      .map(([, part]) => part)
      .filter((part) => typeof part === "string" || typeof part === "number")
      .map((part) => toVisible(String(part)))
      .join(", ");
  }
  return toCellText((value ?? null) as JsonValue, "minute");
}
