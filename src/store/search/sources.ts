import type { FoundKind } from "../../models/search.ts";

/** A text of a record by which the search finds it, as the index stores it. */
export interface SearchSource {
  /** Its number in the index; lower ones are read first. */
  field: number;
  kind: FoundKind;
  /** How it is matched: a phone number by its digits, a reference also as one word. */
  words: "phone" | "reference" | "text";
  table: string;
  /** The column with the id of the record. */
  record: string;
  /** The column that distinguishes the rows of one record. */
  row: string;
  columns: readonly string[];
}

/** In the order of reading. */
export const searchSources: readonly SearchSource[] = [
  of("customer", 1, "text", "customers", ["name"]),
  of("truck", 2, "text", "trucks", ["name"]),
  of("driver", 3, "text", "drivers", ["name"]),
  of("job", 4, "reference", "jobs", ["record"]),
  ofCustomer(5, "reference", "customer_locations", "location_id", ["reference_number"]),
  ofCustomer(6, "reference", "customer_locations", "location_id", ["account_number_1"]),
  ofCustomer(7, "reference", "customer_locations", "location_id", ["account_number_2"]),
  ofCustomer(8, "text", "contacts", "id", ["name", "email"]),
  ofCustomer(9, "phone", "contacts", "id", ["number"]),
  of("driver", 10, "phone", "drivers", ["phone_number"]),
  ofCustomer(11, "text", "addresses", "id", ["line_1", "line_2", "line_3", "line_4", "locality", "postcode"]),
];

function of(
  kind: FoundKind,
  field: number,
  words: SearchSource["words"],
  table: string,
  columns: readonly string[],
): SearchSource {
  return { columns, field, kind, record: "id", row: "id", table, words };
}

function ofCustomer(
  field: number,
  words: SearchSource["words"],
  table: string,
  row: string,
  columns: readonly string[],
): SearchSource {
  return { columns, field, kind: "customer", record: "customer_id", row, table, words };
}

/** Jobs have their reference number in their stored text, as a JSON string. */
export function toSourceText(
  { columns, table }: SearchSource,
  row: string,
  find: "instr" | "strpos",
): string {
  if (table === "jobs") return toReference(`${row}.record`, find);
  return columns.map((column) => `coalesce(${row}.${column}, '')`).join(" || ' ' || ");
}

const referenceKey = '"reference_number":"';
/** Enough for the longest reference number with escapes. */
const referenceCharsMax = 300;

/**
 * The reference number in the stored text of a job. No text before it can contain its key, because JSON escapes the
 * quotes in texts. Escaped characters separate words.
 */
function toReference(record: string, find: "instr" | "strpos"): string {
  const at = `${find}(${record}, '${referenceKey}')`;
  const value = `substr(${record}, ${at} + ${referenceKey.length}, ${referenceCharsMax})`;
  const unescaped = `replace(replace(${value}, '\\\\', '  '), '\\"', '  ')`;
  return `(case ${at} when 0 then '' else substr(${unescaped}, 1, ${find}(${unescaped} || '"', '"') - 1) end)`;
}
