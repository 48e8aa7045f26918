import type { FoundKind } from "../../models/search.ts";

/** A text of a record that it is found by, as the index keeps it. */
export interface SearchSource {
  /** The number that the index has for it: those of the first are looked at first. */
  field: number;
  kind: FoundKind;
  /** How it is read: a phone number is found by its digits, a reference also as one word. */
  words: "phone" | "reference" | "text";
  table: string;
  /** The column that holds the id of the record. */
  record: string;
  /** The column that tells rows of one record apart. */
  row: string;
  /** The columns that the text is made of. */
  columns: readonly string[];
}

/** All that is found, in the order in which it is looked at. */
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

/** The text of a row of a source. Jobs keep their reference number in their stored text, where it is a JSON string. */
export function toSourceText(
  { columns, table }: SearchSource,
  row: string,
  find: "instr" | "strpos",
): string {
  if (table === "jobs") return toReference(`${row}.record`, find);
  return columns.map((column) => `coalesce(${row}.${column}, '')`).join(" || ' ' || ");
}

const referenceKey = '"reference_number":"';
/** Enough for the longest reference number, escapes included. */
const referenceCharsMax = 300;

/**
 * The reference number that stands in the stored text of a job. No text before it can hold its key: JSON escapes the quotes
 * in texts. What the text escapes stands between words.
 */
function toReference(record: string, find: "instr" | "strpos"): string {
  const at = `${find}(${record}, '${referenceKey}')`;
  const value = `substr(${record}, ${at} + ${referenceKey.length}, ${referenceCharsMax})`;
  const unescaped = `replace(replace(${value}, '\\\\', '  '), '\\"', '  ')`;
  return `(case ${at} when 0 then '' else substr(${unescaped}, 1, ${find}(${unescaped} || '"', '"') - 1) end)`;
}
