import type { JsonObject } from "../../versions/change.ts";
import type { Body } from "../snapshot-record.ts";

/** The fields for which a rule holds, by default all. What rows and models hold is JSON. */
export function pickFields(
  said: JsonObject,
  rule: (name: string, value: unknown) => boolean = () => true,
): Body {
  return Object.fromEntries(Object.entries(said).filter(([name, value]) => rule(name, value))) as Body;
}

/** The fields without those that are null: for a new record null says no more than nothing. */
export const dropNull = (said: JsonObject): Body => pickFields(said, (_, value) => value !== null);
