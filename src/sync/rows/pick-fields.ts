import type { JsonObject } from "../../models/json.ts";
import type { Body, Json } from "../snapshot-record.ts";

/** The fields that satisfy a rule, by default all. Rows and models hold JSON. */
export function pickFields(
  said: JsonObject,
  rule: (name: string, value: unknown) => boolean = () => true,
): Body {
  const picked: Body = {};
  // A loop, because every row passes here several times.
  for (const name of Object.keys(said)) if (rule(name, said[name])) picked[name] = said[name] as Json;
  return picked;
}

/** The fields without those that are null: for a new record null says no more than nothing. */
export const dropNull = (said: JsonObject): Body => pickFields(said, (_, value) => value !== null);
