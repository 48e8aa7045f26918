import type { Database } from "../schema/database.ts";
import type { Connection } from "./connection.ts";

/** The columns that hold JSON as its text, but for those of roles, which have a check of their own (wrong-roles.ts). */
export const jsonColumns = {
  assets: ["location"],
  audit: ["after", "before"],
  delivery_attempts: ["request_headers", "response_headers"],
  drivers: ["can_assign_to", "can_dispatch_to"],
  events: ["data", "previous"],
  hooks: ["events"],
  idempotency_keys: ["answer_headers"],
  jobs: ["record"],
  locations: ["address", "contact"],
  users: ["customer_ids"],
} satisfies { [Table in keyof Database]?: (keyof Database[Table])[] };

/**
 * A job's record is its members in segments, each behind a separator that JSON cannot hold, after the name of its layout
 * (models/stored-record.ts). Two commas become one, in texts too, where that changes nothing of what is asked here.
 */
function toJsonText(table: string, column: string): string {
  if (table !== "jobs") return `"${column}"`;
  const members = "replace(substr(record, instr(record, char(31)) + 1), char(31), ',')";
  return `'{' || trim(replace(replace(${members}, ',,', ','), ',,', ','), ',') || '}'`;
}

/** Counts the texts that should be JSON and are not, by column: `2 of jobs.record`. Reads every row of these tables. */
export function findBrokenJson(connection: Connection): string[] {
  return Object.entries(jsonColumns).flatMap(([table, columns]) => {
    const counts = columns.map(
      (column) => `count(*) filter (where not json_valid(${toJsonText(table, column)})) as "${column}"`,
    );
    const row =
      connection.prepare<[], Record<string, number>>(`select ${counts.join(", ")} from "${table}"`).get() ??
      {};
    return columns.flatMap((column) => (row[column] === 0 ? [] : [`${row[column]} of ${table}.${column}`]));
  });
}
