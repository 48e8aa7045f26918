import type * as z from "zod";
import { DispatchError, type Violation } from "../../errors/errors.ts";
import { type FieldKind, fieldKinds } from "../../models/fields.ts";
import type { JsonObject } from "../../models/json.ts";
import { parseJsonBody } from "../../models/json-body.ts";
import { fromText, unwrap } from "../../models/parse.ts";
import type { Column } from "./match-columns.ts";
import type { RowField } from "./row-kind.ts";

/** What a row says of a record, as JSON values that are still to be checked. A row says nothing of a field that is absent. */
export interface Draft {
  /** Its own fields. */
  record: JsonObject;
  /** Its one address and contact, when they have columns of their own. */
  address: JsonObject | null;
  contact: JsonObject | null;
  /** The id of the row's record, or the one it had in the tenant that it was exported from. */
  id: number | null;
}

/** A draft, or why the row cannot become one. */
export type Drafted = { draft: Draft; violations: [] } | { draft: null; violations: Violation[] };

/** Makes a draft of the cells of a row. With `isText`, for CSV, texts become the values of their fields. */
export function toDraft(
  cells: readonly unknown[],
  headers: readonly string[],
  columns: readonly Column[],
  { isText, locationId }: { isText: boolean; locationId: number },
): Drafted {
  const parts: Record<RowField["group"], Record<string, unknown>> = { record: {}, address: {}, contact: {} };
  const violations: Violation[] = [];
  let kept: JsonObject = {};
  let id: number | null = null;
  for (const [index, cell] of cells.entries()) {
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
    } else if (column === "locations") kept = readLocations(cell, isText, locationId, violations, fail);
    else readCell(parts[column.group], column, cell, isText, fail);
  }
  if (violations.length > 0) return { draft: null, violations };
  const orNull = (part: JsonObject) => (Object.keys(part).length === 0 ? null : part);
  const { address, contact, record } = parts;
  return {
    draft: { record: { ...kept, ...record }, address: orNull(address), contact: orNull(contact), id },
    violations: [],
  };
}

function readCell(
  part: Record<string, unknown>,
  { inner, schema }: RowField,
  cell: unknown,
  isText: boolean,
  fail: (error: unknown) => void,
): void {
  try {
    part[inner] = isText && typeof cell === "string" ? toValue(schema, cell) : cell;
  } catch (error) {
    fail(error);
  }
}

/** The value that a text stands for. A text that is no such value stays a text, and the model refuses it. */
function toValue(wrapped: z.ZodType, text: string): unknown {
  const schema = unwrap(wrapped);
  const kind = fieldKinds.get(schema);
  if (kind) return fromText({ value: schema }, { value: text }).value;
  const element = schema.type === "array" ? unwrap((schema as z.ZodArray<z.ZodType>).element) : null;
  const elementKind: FieldKind | undefined = element ? fieldKinds.get(element) : undefined;
  if (element && elementKind && !text.trimStart().startsWith("["))
    return text.split(",").map((part) => fromText({ value: element }, { value: part.trim() }).value);
  return parseJsonBody(text);
}

/** Picks what the location that is imported to keeps of a customer. The row's own columns win over it. */
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
      const detail = `locations has no record at location ${locationId}, to which this import goes.`;
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
