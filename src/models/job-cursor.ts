import type { Timestamp } from "../runtime/clock.ts";
import { defineField, refuse } from "./fields.ts";
import { parseTimestamp } from "./timestamps.ts";

export interface JobCursor {
  schedule_date: Timestamp | null;
  priority: number | null;
  id: number;
}

/** The job before the page: an id (`17`), or a position (`schedule_date,priority,id`). */
export function jobCursor() {
  const schema = {
    type: "string",
    pattern: pattern.source,
    examples: ["17", "2026-11-21T08:00:00.000000,-5,17"],
  };
  return defineField<number | JobCursor>({ name: "text", input: schema, output: schema }, (value) => {
    const parts = typeof value === "string" ? pattern.exec(value)?.groups : undefined;
    if (!parts)
      return refuse(
        "invalid_format",
        "must be an id, or schedule_date,priority,id; the date or the priority may be empty",
      );
    const id = Number(parts.id);
    if (parts.place === undefined) return { value: id };
    const schedule_date = parts.date ? parseTimestamp(parts.date) : null;
    if (parts.date && schedule_date === null)
      return refuse("invalid_format", "must begin with an ISO 8601 date");
    return { value: { id, priority: parts.priority ? Number(parts.priority) : null, schedule_date } };
  });
}

const pattern = /^(?<place>(?<date>[^,]*),(?<priority>-[1-9][0-9]{0,5})?,)?(?<id>0|[1-9][0-9]{0,14})$/;
