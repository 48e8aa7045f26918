import { describeRefusal, type Outcome, type Refusal, type Report } from "../../sync/report.ts";
import type { Json } from "../../sync/snapshot-record.ts";
import type { Entry } from "../../sync/synchronise.ts";
import type { CliContext } from "../context.ts";
import type { JsonRecord } from "../output/answer.ts";
import { openScreen } from "../output/screen.ts";
import { toScreenOptions } from "../output/show.ts";
import { drawTable, layoutTable } from "../output/table.ts";
import { tell } from "../output/tell.ts";
import type { Settings } from "../settings.ts";

export async function drawTallies(
  context: CliContext,
  settings: Settings,
  report: Report,
): Promise<string[]> {
  const rows = toCounts(report).filter((row) => Object.values(row).some((count) => Number(count) > 0));
  if (rows.length === 0) return ["Both sides are empty."];
  const screen = await openScreen(toScreenOptions(context, settings));
  return drawTable(layoutTable(rows, Object.keys(rows[0] ?? {}), screen), screen);
}

export function toCounts({ tallies }: Report): JsonRecord[] {
  return [...tallies].map(([type, { create, onlyThere, readOnly, same, update }]) => ({
    type,
    create,
    update,
    same,
    stays: readOnly,
    only_there: onlyThere,
  }));
}

export function toRefused({ refused }: Report): JsonRecord[] {
  return refused.map((refusal) => {
    const { id, label, line, type } = refusal;
    return { type, id, label, line, detail: describeRefusal(refusal) };
  });
}

export function toDiffering(entries: readonly Entry[]): JsonRecord[] {
  return entries.map(({ changes, id, label, outcome, type }) => ({
    type,
    id,
    label,
    action: words[outcome],
    changes: changes.map(({ field, from, readOnly, to }) => ({ field, from, to, stays: readOnly })),
  }));
}

const words: Record<Outcome, string> = {
  create: "create",
  update: "update",
  same: "same",
  readOnly: "stays",
  onlyThere: "only_there",
  reject: "reject",
};

export async function drawEntries(
  context: CliContext,
  settings: Settings,
  entries: readonly Entry[],
): Promise<string[]> {
  const rows = entries.flatMap(toRows);
  const shown = rows.slice(0, rowsMax);
  if (shown.length === 0) return [];
  const screen = await openScreen(toScreenOptions(context, settings));
  const lines = drawTable(layoutTable(shown, ["record", "field", "there", "here"], screen), screen);
  return rows.length > shown.length
    ? [...lines, `… and ${rows.length - shown.length} more · -o json shows all`]
    : lines;
}

const rowsMax = 60;

function toRows({ changes, label, outcome, type }: Entry): JsonRecord[] {
  const record = `${type} ${label}`;
  if (outcome === "create") return [{ record, field: "the whole record", there: null, here: "only here" }];
  if (outcome === "onlyThere")
    return [{ record, field: "the whole record", there: "only there", here: null }];
  return changes.map(({ field, from, readOnly, to }) => ({
    record,
    field: readOnly ? `${field} (stays)` : field,
    there: toShownValue(from),
    here: toShownValue(to),
  }));
}

const toShownValue = (value: Json): Json =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : value;

export function tellRefusals({ stderr }: CliContext, refusals: readonly Refusal[]): void {
  for (const refusal of refusals.slice(0, refusalsMax)) tell(stderr, `refused: ${toSentence(refusal)}`);
  const others = refusals.length - refusalsMax;
  if (others > 0) tell(stderr, `refused: ${others} more; -o json shows all`);
}

const refusalsMax = 20;

function toSentence(refusal: Refusal): string {
  const { label, line, type } = refusal;
  const place = line === null ? "" : `line ${line}: `;
  return `${place}${type === null ? "" : `${type} ${label}: `}${describeRefusal(refusal)}`;
}
