import pg from "pg";

/**
 * How values are read from PostgreSQL: whole numbers as numbers, times in the fixed form of clock.ts. The driver's own
 * readers fit for all other types.
 */
export const valueTypes = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    parsers[oid] ?? pg.types.getTypeParser(oid, format as "text"),
};

/** int8 (ids stay below 2^53), numeric (sums of them), timestamp. */
const parsers: Record<number, (text: string) => unknown> = {
  20: Number,
  1700: Number,
  1114: toFixedForm,
};

/** `2026-03-02 10:00:00.25` as `2026-03-02T10:00:00.250000`. */
function toFixedForm(text: string): string {
  const fraction = text.slice(20).padEnd(6, "0");
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}`;
}
