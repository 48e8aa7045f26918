import { kindOfField } from "../../records/find-kind.ts";
import type { Cells } from "./presentation.ts";

/**
 * The cells that tell the records which fields name: `truck` of truck_id, `completed_by` of itself. `nameFields` says which
 * field each tells.
 */
export function toNameCells(knownFields: readonly string[]): {
  cells: Cells;
  nameFields: Record<string, string>;
} {
  const fields = knownFields.filter((field) => !field.includes(".") && kindOfField(field)?.knownBy);
  const nameFields = Object.fromEntries(fields.map((field) => [field.replace(/_id$/, ""), field]));
  const cells = Object.entries(nameFields).map(([name, field]): [string, Cells[string]] => [
    name,
    (record, view) => view.nameIn(record, field) ?? "",
  ]);
  return { cells: Object.fromEntries(cells), nameFields };
}
