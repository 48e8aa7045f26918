import type * as z from "zod";
import { DispatchError, type Violation } from "../../errors/errors.ts";
import { parseAddress } from "../../geography/parse-address.ts";
import type { Place } from "../../geography/projection.ts";
import { type FieldKind, fieldKinds } from "../../models/fields.ts";
import type { JsonObject } from "../../models/json.ts";
import { parseJsonBody } from "../../models/json-body.ts";
import type { Shape } from "../../models/model.ts";
import { fromText, unwrap } from "../../models/parse.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import { zipZeros } from "./clean-text.ts";
import type { Column } from "./match-columns.ts";
import { type CellReading, readCell } from "./read-cell.ts";
import { cellsOf, type Row, type RowFile } from "./row-file.ts";
import type { RowField, RowKind } from "./row-kind.ts";

/** Unchecked JSON. A missing field is absent. */
export interface Draft {
  record: JsonObject;
  /** null without separate columns. */
  address: JsonObject | null;
  contact: JsonObject | null;
  named: Readonly<Record<string, string>>;
  /** Guesses, which never change an existing record. */
  onlyNew: { record: JsonObject; address: JsonObject };
  /** The id of the record, or of its original in the exporting tenant. */
  id: number | null;
}

export type Drafted = { draft: Draft; violations: [] } | { draft: null; violations: Violation[] };

export interface CoordinateGuess {
  /** The approximate coordinates of an address; null if unknown. */
  placeOf(address: JsonObject): Place | null;
  /** An address without one of these fields gets no coordinates. */
  needs: readonly string[];
}

/** A file of rows, and the rules for reading it and for identifying records. */
export interface RowReading {
  file: RowFile;
  rowKind: RowKind;
  columns: readonly Column[];
  /** For fields without a cell. */
  constants: readonly (readonly [RowField, string])[];
  /** Cells are texts, as in CSV, that are parsed into the values of their fields; null means JSON values. */
  cells: CellReading | null;
  /** The field that identifies records; `id` for ids. */
  key: string;
  createsWithoutKey: boolean;
  /** null adds no coordinates. */
  guess: CoordinateGuess | null;
  locationId: number;
  now: Timestamp;
}

/** Creates a draft from a row. */
export function toDraft(row: Row, reading: RowReading): Drafted {
  const { cells, columns, file, locationId } = reading;
  const { headers } = file;
  const { line } = row;
  if (row.problem !== null)
    return { draft: null, violations: [{ code: "malformed_file", detail: row.problem, field: null }] };
  const parts: Parts = { record: {}, address: {}, contact: {}, named: {} };
  const violations: Violation[] = [];
  let kept: JsonObject = {};
  let id: number | null = null;
  for (const [index, cell] of cellsOf(file, row).entries()) {
    const column = columns[index];
    if (cell === undefined || (cell === null && typeof column === "string")) continue;
    if (column === undefined || column === null) {
      if (headers[index] === "") violations.push(toNameless(index));
      continue;
    }
    const fail = (error: unknown) => violations.push(toViolation(error, headers[index] ?? ""));
    if (column === "id") id = toId(cell);
    else if (column === "location_id") {
      if (toId(cell) !== locationId) violations.push(toElsewhere(cell, locationId));
    } else if (column === "locations")
      kept = readLocations(cell, cells !== null, locationId, violations, fail);
    else readField(parts, column, cell, line, cells, fail);
  }
  fillConstants(parts, line, reading, violations);
  if (cells) finishAddress(parts.address, line, cells);
  if (violations.length > 0) return { draft: null, violations };
  const orNull = (part: JsonObject) => (Object.keys(part).length === 0 ? null : part);
  const { address, contact, named, record } = parts;
  return {
    draft: {
      record: { ...kept, ...record },
      address: orNull(address),
      contact: orNull(contact),
      named: named as Record<string, string>,
      onlyNew: { record: {}, address: {} },
      id,
    },
    violations: [],
  };
}

/** `--set` fills the fields that the row omits. A country alone does not give a row an address. */
function fillConstants(
  parts: Parts,
  line: number,
  { cells, constants }: RowReading,
  violations: Violation[],
): void {
  const hasAddress =
    Object.keys(parts.address).length > 0 || constants.some(([{ inner }]) => inner === "line_1");
  for (const [field, text] of constants) {
    if (parts[field.group][field.inner] !== undefined || (field.group === "address" && !hasAddress)) continue;
    readField(parts, field, text, line, cells, (error) => violations.push(toViolation(error, field.name)));
  }
}

type Parts = Record<RowField["group"], Record<string, unknown>>;

function readField(
  parts: Parts,
  field: RowField,
  cell: unknown,
  line: number,
  reading: CellReading | null,
  fail: (error: unknown) => void,
): void {
  const { group, inner, schema } = field;
  try {
    const isText = typeof cell === "string";
    const other = isText && group === "record" ? namedBy[inner] : undefined;
    if (other !== undefined && !/^\s*\d+\s*$/.test(String(cell))) parts.named[other] = String(cell).trim();
    else if (group === "named")
      parts.named[inner] = String(reading && isText ? readCell(field, cell, line, reading) : cell);
    else if (isText && reading && timeOfDay.test(cell.trim()) && dayTimes.has(inner))
      parts.named[inner] = cell.trim();
    else
      parts[group][inner] = isText && reading ? toValue(schema, readCell(field, cell, line, reading)) : cell;
  } catch (error) {
    fail(error);
  }
}

/** Cells of these id fields may hold a name: field → the column of names. */
const namedBy: Readonly<Record<string, string>> = {
  requested_by: "customer",
  customer_id: "customer",
  address_id: "address",
  truck_id: "truck",
  driver_id: "driver",
};

/** Without a day, these times belong to the job's planned day. */
const dayTimes: ReadonlySet<string> = new Set(["desired_start_time", "desired_end_time"]);

const timeOfDay = /^(?:\d{1,2}(?::\d{2}){0,2}\s*(?:[ap]\.?m?\.?)?|noon)$/i;

function finishAddress(
  address: Record<string, unknown>,
  line: number,
  { isExport, tally }: CellReading,
): void {
  if (isExport) return;
  splitLine(address);
  const { country, postcode } = address;
  if (country !== "US" || typeof postcode !== "string") return;
  address.postcode = zipZeros.apply(postcode);
  if (address.postcode !== postcode)
    tally.note(zipZeros.rule, line, () => `${postcode} → ${address.postcode}`);
}

/** Splits a whole address in one cell. Other cells and `--set` take precedence. */
function splitLine(address: Record<string, unknown>): void {
  const { line_1: line, locality, postcode } = address;
  if (typeof line !== "string" || locality !== undefined || postcode !== undefined) return;
  const parts = parseAddress(line);
  if (parts?.locality && (parts.postcode || parts.region))
    Object.assign(address, { ...parts, ...address, line_1: parts.line_1 });
}

function toValue(wrapped: z.ZodType, text: string): unknown {
  const schema = unwrap(wrapped);
  const kind = fieldKinds.get(schema);
  if (kind) return fromText({ value: schema }, { value: text }).value;
  const element = schema.type === "array" ? unwrap((schema as z.ZodArray<z.ZodType>).element) : null;
  const elementKind: FieldKind | undefined = element ? fieldKinds.get(element) : undefined;
  if (!element || /^\s*\[/.test(text)) return parseJsonBody(text);
  if (elementKind)
    return text.split(",").map((part) => fromText({ value: element }, { value: part.trim() }).value);
  if (element.type !== "object" || !text.includes("=")) return parseJsonBody(text);
  // `route_id=14, day_of_week=4; route_id=15, …`, as a workbook shows a list.
  const toPairs = (entry: string) => entry.split(", ").map((pair) => pair.split(/=(.*)/s));
  const { shape } = element as z.ZodObject<Shape>;
  return text.split("; ").map((entry) => fromText(shape, Object.fromEntries(toPairs(entry))));
}

/** Selects the customer's record at the location of the import. The row's own columns override it. */
function readLocations(
  cell: unknown,
  isText: boolean,
  locationId: number,
  violations: Violation[],
  fail: (error: unknown) => void,
): JsonObject {
  try {
    const list = isText && typeof cell === "string" ? parseJsonBody(cell) : cell;
    const entries = Array.isArray(list) ? (list as JsonObject[]) : [];
    const own = entries.find((entry) => entry?.location_id === locationId);
    if (!own) {
      const detail = `This import is for location ${locationId}, and locations has no entry for it.`;
      violations.push({ code: "invalid_choice", detail, field: "locations" });
      return {};
    }
    const { created_on: _, customer_id: __, last_updated_on: ___, location_id: ____, ...settings } = own;
    return settings;
  } catch (error) {
    fail(error);
    return {};
  }
}

function toId(cell: unknown): number | null {
  const text = String(cell);
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

function toElsewhere(cell: unknown, locationId: number): Violation {
  const detail = `location_id is ${String(cell)}, and this import is for location ${locationId}.`;
  return { code: "invalid_choice", detail, field: "location_id" };
}

function toNameless(index: number): Violation {
  const detail = `The cell in column ${index + 1} has a value, but the column has no name.`;
  return { code: "unknown_field", detail, field: null };
}

function toViolation(error: unknown, header: string): Violation {
  if (!(error instanceof DispatchError)) throw error;
  return {
    code: error.code,
    detail: error.message.replace("The body", header),
    field: header,
  };
}
