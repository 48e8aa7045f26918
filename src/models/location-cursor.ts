import { defineField, refuse } from "./fields.ts";

/** Where a record stands in a list of all locations. It says so itself: what happens to the record moves no page (OP-411). */
export interface LocationCursor {
  location_id: number;
  id: number;
}

/** The place that a page begins after, in a list by location and then by id. */
export function locationCursor() {
  const schema = { type: "string", pattern: pattern.source, examples: ["1,17"] };
  return defineField<LocationCursor>({ name: "text", input: schema, output: schema }, (value) => {
    const parts = typeof value === "string" ? pattern.exec(value) : null;
    if (!parts) return refuse("invalid_format", "must be location_id,id of the record before");
    return { value: { id: Number(parts[2]), location_id: Number(parts[1]) } };
  });
}

const pattern = /^(0|[1-9][0-9]{0,14}),(0|[1-9][0-9]{0,14})$/;
