import type { JsonObject } from "../../models/json.ts";

/** Where something is, as maps take it: `38.867, -76.979`; empty where that is not known. */
export function toPosition({ latitude, longitude }: JsonObject): string {
  return typeof latitude === "number" && typeof longitude === "number" ? `${latitude}, ${longitude}` : "";
}
