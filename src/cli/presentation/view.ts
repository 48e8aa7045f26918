import type { TimeView } from "../../local-time/show-time.ts";
import { utc } from "../../local-time/zone.ts";
import type { JobType } from "../../models/job-types.ts";
import { jobTypeNames } from "../../models/job-types.ts";
import type { JsonObject } from "../../models/json.ts";
import { kindOfField } from "../../records/find-kind.ts";

/** What is known beside a record to tell of it in words: the zone of its location, and what others are called. */
export interface View {
  /** Learns what is needed to tell these records, one request for a kind: `fields` name other records. */
  learn(records: readonly JsonObject[], fields: readonly string[]): Promise<void>;
  /** How the times of a record are shown. */
  timesOf(record: JsonObject): TimeView;
  /** What people call the record that a field names: `Truck 7`, or `truck 13` where it cannot be seen; null for none. */
  nameIn(record: JsonObject, field: string): string | null;
  /** What the record's location calls a type of job. */
  typeOf(record: JsonObject): string;
  /** Whether the records that were learned have several zones, so that each time says its own. */
  hasSeveralZones(): boolean;
}

/** A view that knows nothing: times as the wire has them, `truck 13`, the usual names of types. */
export const plainView: View = {
  learn: async () => undefined,
  timesOf: () => ({ zone: utc, today: "" }),
  nameIn: (record, field) => toPlainName(field, record[field]),
  typeOf: ({ type }) => jobTypeNames[type as JobType] ?? String(type),
  hasSeveralZones: () => false,
};

/** A record by its id alone: `truck 13`; null for none. */
export function toPlainName(field: string, id: unknown): string | null {
  if (id === null || id === undefined) return null;
  return `${kindOfField(field)?.label ?? toWords(field.replace(/_id$/, ""))} ${id}`;
}

/** A value after its field's name, unless it says that name itself: `truck 13` needs no second mention. */
export function labelled(field: string, text: string): string {
  const label = toWords(field);
  return text.startsWith(label) ? text : `${label} ${text}`;
}

/** A field's name in words: `driver_notes` is "driver notes". */
export function toWords(field: string): string {
  return field.replace(/_id$/, "").replace(/^is_/, "").replaceAll("_", " ");
}
