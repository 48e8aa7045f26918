import { type ActualRecord, type Plan, toReject } from "../planner.ts";
import type { Pace, SyncTarget } from "../target.ts";
import { type Existing, findExisting, toKeyText } from "./find-existing.ts";
import { addCoordinates, joinCoordinates } from "./guess-coordinates.ts";
import { findNamed } from "./named-records.ts";
import { planDraft } from "./plan-draft.ts";
import { resolveNames } from "./resolve-names.ts";
import { placeOf, type Row } from "./row-file.ts";
import { type Draft, type Drafted, type RowReading, toDraft } from "./to-draft.ts";

/** A row with its plan. */
export interface PlannedRow {
  row: Row;
  /** The value that identifies the record; empty without one. */
  key: string;
  plan: Plan;
}

/** Reads each row, finds the records that the rows name, and plans each row once. */
export async function planRows(target: SyncTarget, reading: RowReading, pace: Pace): Promise<PlannedRow[]> {
  const { file, key, locationId } = reading;
  const drafts = await draftRows(target, reading, pace);
  const places = new Map<string, string[]>();
  const ids = new Set<number>();
  for (const [index, row] of file.rows.entries()) {
    const draft = drafts[index]?.draft;
    if (!draft) continue;
    const keyText = keyOf(reading, draft);
    if (keyText !== null) places.set(keyText, [...(places.get(keyText) ?? []), placeOf(file, row)]);
    if (draft.id !== null && (keyText === null || key === "id")) ids.add(draft.id);
  }
  const keys = key === "id" ? new Set<string>() : new Set(places.keys());
  const sought = { fields: fieldsOf(reading), ids, key, keys, locationId, pace };
  const existing = await findExisting(target, reading.rowKind, sought);
  const planned: PlannedRow[] = [];
  for (const [index, row] of file.rows.entries()) {
    await pace.step(() => `comparing ${index} of ${file.rows.length}`);
    const { draft = null, violations = [] } = drafts[index] ?? {};
    const keyText = draft && keyOf(reading, draft);
    const plan: Plan = draft
      ? joinCoordinates(planFound(reading, places, existing, draft), reading.guess, draft)
      : { action: "reject", violations };
    if (draft) noteOutOfUse(reading, existing, draft, row.line);
    planned.push({ row, key: keyText === null ? "" : String(JSON.parse(keyText)), plan });
  }
  return planned;
}

/** The drafts of the rows, with the ids of the records that they name and with coordinates. */
async function draftRows(target: SyncTarget, reading: RowReading, pace: Pace): Promise<Drafted[]> {
  const { cells, file, guess, locationId, rowKind } = reading;
  const drafts: Drafted[] = [];
  for (const row of file.rows) {
    await pace.step(() => "reading the rows");
    drafts.push(toDraft(row, reading));
  }
  if (rowKind.namedIds.length > 0) {
    const found = await findNamed(target, drafts, locationId, pace);
    for (const [index, row] of file.rows.entries()) {
      const draft = drafts[index]?.draft;
      if (draft) drafts[index] = resolveNames(found, draft, row.line, reading);
    }
  }
  if (!guess || !cells) return drafts;
  return drafts.map((drafted, index) =>
    drafted.draft
      ? { ...drafted, draft: addCoordinates(drafted.draft, guess, file.rows[index]?.line ?? 0, cells.tally) }
      : drafted,
  );
}

function fieldsOf({ columns, rowKind, key }: RowReading): Set<string> {
  const fields = new Set([key]);
  for (const column of columns) {
    if (column === "locations") for (const { inner } of rowKind.fields) fields.add(inner);
    else if (typeof column === "object" && column?.group === "named")
      for (const field of rowKind.namedIds) fields.add(field);
    else if (typeof column === "object" && column !== null)
      fields.add(
        column.group === "record" ? column.inner : column.group === "address" ? "addresses" : "contacts",
      );
  }
  return fields;
}

function planFound(
  reading: RowReading,
  rows: ReadonlyMap<string, readonly string[]>,
  existing: Existing,
  draft: Draft,
): Plan {
  const { rowKind, key } = reading;
  const keyText = keyOf(reading, draft);
  if (keyText === null) return planKeyless(reading, existing, draft);
  const places = rows.get(keyText) ?? [];
  if (places.length > 1)
    return toReject("repeated_value", `${key} ${keyText} is in ${listed(places)}; keep one of them.`, key);
  if (key === "id") {
    const found = draft.id === null ? undefined : existing.byId.get(draft.id);
    return found
      ? planDraft(reading, draft, found)
      : toReject("unknown_reference", `The location has no ${rowKind.label} ${keyText}.`, "id");
  }
  const [found = null, ...others] = existing.byKey.get(keyText) ?? [];
  if (found && others.length > 0) return toAmbiguous(reading, keyText, [found, ...others]);
  return planDraft(reading, draft, found);
}

/** A sheet rarely says that a record is in use, and the record may be out of use because an import was undone. */
function noteOutOfUse({ cells, key, rowKind }: RowReading, existing: Existing, draft: Draft, line: number) {
  const value = key === "id" ? draft.id : draft.record[key];
  const found = key === "id" ? existing.byId.get(Number(value)) : existing.byKey.get(toKeyText(value))?.[0];
  for (const [field, outOfUse, state] of outOfUseBy) {
    if (found?.record[field] !== outOfUse || draft.record[field] !== undefined) continue;
    const rule = `the ${rowKind.label} is ${state} and stays so; --set ${field}=${!outOfUse} changes that`;
    cells?.tally.note(rule, line, () => String(value));
  }
}

const outOfUseBy = [
  ["is_active", false, "inactive"],
  ["is_deleted", true, "deleted"],
] as const;

/** A later import cannot find a row without a key, unless the record with its id has the same values. */
function planKeyless(reading: RowReading, existing: Existing, draft: Draft): Plan {
  const known = draft.id === null ? undefined : existing.byId.get(draft.id);
  const plan = known && planDraft(reading, draft, known);
  if (plan?.action === "same") return plan;
  if (reading.createsWithoutKey) return planDraft(reading, draft, null);
  const { key } = reading;
  const fix = known
    ? "Match the rows by id with --key id, or give it one."
    : "Give it one, match rows by another field with --key, or pass --create-without-key.";
  const detail = `${key} is empty, so a later import could not find the row. ${fix}`;
  return toReject("missing_value", detail, key);
}

function keyOf({ key }: RowReading, draft: Draft): string | null {
  const value = key === "id" ? draft.id : (draft.record[key] ?? null);
  return value === null || value === "" ? null : toKeyText(value);
}

function toAmbiguous({ key, rowKind }: RowReading, keyText: string, records: readonly ActualRecord[]): Plan {
  const ids = records.map(({ record }) => String(record.id));
  const detail = `${key} ${keyText} belongs to the ${rowKind.noun} ${listed(ids)}; use a key that only one has.`;
  return toReject("duplicate_record", detail, key);
}

function listed(names: readonly string[]): string {
  const shown = names.length > 5 ? [...names.slice(0, 4), `${names.length - 4} more`] : names;
  return `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}
