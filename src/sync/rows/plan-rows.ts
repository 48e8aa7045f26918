import type { JsonObject } from "../../models/json.ts";
import type { ActualRecord } from "../expected-state.ts";
import type { Pace } from "../pace.ts";
import { type Plan, toReject } from "../plan.ts";
import type { SnapshotRecord } from "../snapshot-record.ts";
import { type Existing, toKeyText } from "./find-existing.ts";
import { addCoordinates, type CoordinateGuess, joinCoordinates } from "./guess-coordinates.ts";
import type { Column } from "./match-columns.ts";
import { planDraft, type RowSetting } from "./plan-draft.ts";
import type { CellReading } from "./read-cell.ts";
import type { NameResolver } from "./resolve-names.ts";
import type { RowWords } from "./row-file.ts";
import { cellsOf, placeOf, type Row, type RowFile } from "./row-file.ts";
import { type Draft, type Drafted, type DraftSetting, toDraft } from "./to-draft.ts";

export interface RowReading extends RowSetting {
  file: RowFile;
  columns: readonly Column[];
  /** The field that identifies records; `id` for ids. */
  key: string;
  createsWithoutKey: boolean;
  words: Pick<RowWords, "onEmptyKey">;
  constants: DraftSetting["constants"];
  cells: CellReading | null;
  /** null before the named records are found. */
  names: NameResolver | null;
  /** null adds no coordinates. */
  guess: CoordinateGuess | null;
}

export async function* draftRows(reading: RowReading, pace: Pace): AsyncGenerator<Draft> {
  for (const row of reading.file.rows) {
    await pace.step(() => "reading the rows");
    const { draft } = draftOf({ ...reading, guess: null, names: null }, row);
    if (draft) yield draft;
  }
}

/** Collected before planning. */
export interface NamedByRows {
  /** Key text → positions of the rows. */
  places: ReadonlyMap<string, string[]>;
  keys: ReadonlySet<string>;
  ids: ReadonlySet<number>;
  fields: ReadonlySet<string>;
}

export async function readNames(reading: RowReading, pace: Pace): Promise<NamedByRows> {
  const places = new Map<string, string[]>();
  const ids = new Set<number>();
  for (const row of reading.file.rows) {
    await pace.step(() => "reading the keys");
    const { draft } = draftOf(reading, row);
    if (!draft) continue;
    const key = keyOf(reading, draft);
    if (key !== null) {
      const known = places.get(key);
      if (known) known.push(placeOf(reading.file, row));
      else places.set(key, [placeOf(reading.file, row)]);
    }
    if (draft.id !== null && (key === null || reading.key === "id")) ids.add(draft.id);
  }
  const keys = reading.key === "id" ? new Set<string>() : new Set(places.keys());
  return { places, keys, ids, fields: fieldsOf(reading) };
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

/** Empty for a row without a key. */
export function showKey(reading: RowReading, row: Row): string {
  const { draft } = draftOf(reading, row);
  const key = draft && keyOf(reading, draft);
  return key === null ? "" : String(JSON.parse(key));
}

/** Deterministic, so plans need not be stored. */
export function planRow(reading: RowReading, named: NamedByRows, existing: Existing, row: Row): Plan {
  const { draft, violations } = draftOf(reading, row);
  if (!draft) return { action: "reject", violations };
  return joinCoordinates(planFound(reading, named, existing, draft), reading.guess, draft);
}

function planFound(reading: RowReading, named: NamedByRows, existing: Existing, draft: Draft): Plan {
  const { rowKind, key } = reading;
  const keyText = keyOf(reading, draft);
  if (keyText === null) return planKeyless(reading, existing, draft);
  const places = named.places.get(keyText) ?? [];
  if (places.length > 1)
    return toReject("repeated_value", `${key} ${keyText} is in ${listed(places)}; keep one of them.`, key);
  if (key === "id") {
    const record = draft.id === null ? null : existing.byId(draft.id);
    return record
      ? planDraft(reading, draft, toFound(reading, existing, record))
      : toReject("unknown_reference", `The location has no ${rowKind.label} ${keyText}.`, "id");
  }
  const [record = null, ...others] = existing.byKey(keyText);
  if (record && others.length > 0) return toAmbiguous(reading, keyText, [record, ...others]);
  return planDraft(reading, draft, record && toFound(reading, existing, record));
}

const toFound = ({ rowKind }: RowReading, existing: Existing, record: JsonObject): ActualRecord => ({
  // Records of lists are JSON and have an id.
  record: record as SnapshotRecord,
  etag: existing.etagOf(Number(record.id)),
  unread: rowKind.kind.def.hidden?.fields ?? [],
});

/** A later import cannot find a row without a key, unless the record with its id has the same values. */
function planKeyless(reading: RowReading, existing: Existing, draft: Draft): Plan {
  const known = draft.id === null ? null : existing.byId(draft.id);
  const plan = known && planDraft(reading, draft, toFound(reading, existing, known));
  if (plan?.action === "same") return plan;
  if (reading.createsWithoutKey) return planDraft(reading, draft, null);
  const { key } = reading;
  const detail = `${key} is empty, so a later import could not find the row. ${reading.words.onEmptyKey}`;
  return toReject("missing_value", detail, key);
}

function draftOf(reading: RowReading, row: Row): Drafted {
  const { columns, constants, file, locationId, names } = reading;
  if (row.problem !== null)
    return { draft: null, violations: [{ code: "malformed_file", detail: row.problem, field: null }] };
  const setting = { columns, constants, headers: file.headers, locationId, reading: reading.cells };
  const drafted = toDraft(cellsOf(file, row), row.line, setting);
  if (!drafted.draft) return drafted;
  const resolved = names ? names.resolve(drafted.draft, row.line) : drafted;
  if (!resolved.draft || !reading.guess || !reading.cells) return resolved;
  return { ...resolved, draft: addCoordinates(resolved.draft, reading.guess, row.line, reading.cells.tally) };
}

function keyOf({ key }: RowReading, draft: Draft): string | null {
  const value = key === "id" ? draft.id : (draft.record[key] ?? null);
  return value === null || value === "" ? null : toKeyText(value);
}

function toAmbiguous({ key, rowKind }: RowReading, keyText: string, records: readonly JsonObject[]): Plan {
  const ids = records.map(({ id }) => String(id));
  const detail = `${key} ${keyText} belongs to the ${rowKind.noun} ${listed(ids)}; use a key that only one has.`;
  return toReject("duplicate_record", detail, key);
}

function listed(names: readonly string[]): string {
  const shown = names.length > 5 ? [...names.slice(0, 4), `${names.length - 4} more`] : names;
  return `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}
