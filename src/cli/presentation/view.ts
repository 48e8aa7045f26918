import type { TimeView } from "../../local-time/show-time.ts";
import { utc } from "../../local-time/zone.ts";
import type { JobType } from "../../models/job-types.ts";
import { jobTypeNames } from "../../models/job-types.ts";
import type { JsonObject } from "../../models/json.ts";
import { kindOfField } from "../../records/find-kind.ts";

export interface View {
  /** One request for each kind. */
  learn(records: readonly JsonObject[], fields: readonly string[]): Promise<void>;
  timesOf(record: JsonObject): TimeView;
  /** `Truck 7`, or `truck 13` if the caller cannot see it; null for none. */
  nameIn(record: JsonObject, field: string): string | null;
  typeOf(record: JsonObject): string;
  /** If so, each time must show its zone. */
  hasSeveralZones(): boolean;
}

/** Without names: `truck 13`, times in UTC. */
export const plainView: View = {
  learn: async () => undefined,
  timesOf: () => ({ zone: utc, today: "" }),
  nameIn: (record, field) => toPlainName(field, record[field]),
  typeOf: ({ type }) => jobTypeNames[type as JobType] ?? String(type),
  hasSeveralZones: () => false,
};

/** `truck 13`; null for none. */
export function toPlainName(field: string, id: unknown): string | null {
  if (id === null || id === undefined) return null;
  return `${kindOfField(field)?.label ?? toWords(field.replace(/_id$/, ""))} ${id}`;
}

/** Adds the field's name unless the text begins with it. */
export function labelled(field: string, text: string): string {
  const label = toWords(field);
  return text.startsWith(label) ? text : `${label} ${text}`;
}

export function toWords(field: string): string {
  return field.replace(/_id$/, "").replace(/^is_/, "").replaceAll("_", " ");
}
