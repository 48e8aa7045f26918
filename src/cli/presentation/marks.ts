import type { JsonObject } from "../../models/json.ts";
import type { Cells } from "./presentation.ts";
import { toWords } from "./view.ts";

/** The flags of a record that are set, in words; that it is in use goes without saying. */
export function tellMarks(record: JsonObject, besides: readonly string[] = []): string[] {
  const set = Object.keys(record).filter(
    (field) => record[field] === true && field !== "is_active" && !besides.includes(field),
  );
  return [...(record.is_active === false ? ["deactivated"] : []), ...set.map(toWords)];
}

/** The column of a table that says them, in place of one for each flag; but those that most records have. */
export function toMarkCells(besides: readonly string[] = []): Cells {
  return { marks: (record) => tellMarks(record, besides).join(", ") };
}
