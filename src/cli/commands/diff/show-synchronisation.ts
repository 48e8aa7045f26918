import type { Json } from "../../../sync/snapshot-record.ts";
import type { Entry, Refusal, Tally } from "../../../sync/synchronise.ts";
import type { CliContext } from "../../context.ts";
import type { JsonRecord } from "../../output/answer.ts";
import { openScreen, type Screen } from "../../output/screen.ts";
import { toScreenOptions } from "../../output/show.ts";
import { drawTable, layoutTable } from "../../output/table.ts";
import type { Settings } from "../../settings.ts";

/** The counts of each type as the lines of a table; types of which there is nothing are left out. */
export async function drawTallies(
  context: CliContext,
  settings: Settings,
  tallies: ReadonlyMap<string, Tally>,
): Promise<string[]> {
  const rows = toCounts(tallies).filter((row) => Object.values(row).some((count) => Number(count) > 0));
  if (rows.length === 0) return ["There are no records on either side."];
  const screen = await openScreenFor(context, settings, JSON.stringify(rows));
  return drawTable(layoutTable(rows, Object.keys(rows[0] ?? {}), screen), screen);
}

/** The counts of each type, as JSON shows them. */
export function toCounts(tallies: ReadonlyMap<string, Tally>): JsonRecord[] {
  return [...tallies].map(([type, tally]) => ({ type, ...tally }));
}

/** The records that differ, a line for each field; the first ones, when there are many. */
export async function drawEntries(
  context: CliContext,
  settings: Settings,
  entries: readonly Entry[],
): Promise<string[]> {
  const rows = entries.flatMap(toRows);
  const shown = rows.slice(0, rowsMax);
  if (shown.length === 0) return [];
  const screen = await openScreenFor(context, settings, JSON.stringify(shown));
  const lines = await drawTable(layoutTable(shown, ["record", "field", "there", "here"], screen), screen);
  return rows.length > shown.length
    ? [...lines, `… and ${rows.length - shown.length} more · -o json shows all`]
    : lines;
}

const rowsMax = 60;

function toRows({ action, changes, label, type }: Entry): JsonRecord[] {
  const record = `${type} ${label}`;
  if (action === "create") return [{ record, field: "the whole record", there: null, here: "only here" }];
  if (action === "only_there")
    return [{ record, field: "the whole record", there: "only there", here: null }];
  return changes.map(({ field, from, stays, to }) => ({
    record,
    field: stays ? `${field} (stays)` : field,
    there: toText(from),
    here: toText(to),
  }));
}

const toText = (value: Json): Json =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : value;

async function openScreenFor(context: CliContext, settings: Settings, text: string): Promise<Screen> {
  const { isTerminal, width, colour } = toScreenOptions(context, settings);
  return openScreen(text, { isTerminal, width, colour });
}

/** Tells on stderr what could not be given, and where it stands in the file. */
export function tellRefusals({ stderr }: CliContext, refusals: readonly Refusal[]): void {
  for (const refusal of refusals.slice(0, refusalsMax)) stderr.write(`refused: ${toSentence(refusal)}\n`);
  const others = refusals.length - refusalsMax;
  if (others > 0) stderr.write(`refused: ${others} more; -o json shows all\n`);
}

const refusalsMax = 20;

function toSentence({ detail, label, line, type }: Refusal): string {
  const place = line === null ? "" : `line ${line}: `;
  return `${place}${type === null ? "" : `${type} ${label}: `}${detail}`;
}
