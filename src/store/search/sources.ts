import type { FoundKind } from "../../models/search.ts";

export interface SearchSource {
  /** The number in the index. Lower ones are read first. */
  field: number;
  kind: FoundKind;
  /** How it is matched. A phone number: by digits. A reference: also as one word. */
  words: "phone" | "reference" | "text";
  table: string;
  record: string;
  /** The column that distinguishes a record's rows. */
  row: string;
  columns: readonly string[];
}

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

/** A job's reference number is a JSON string in its stored text. */
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

/** The key cannot occur earlier, because JSON escapes quotes in texts. Escaped characters separate words. */
function toReference(record: string, find: "instr" | "strpos"): string {
  const at = `${find}(${record}, '${referenceKey}')`;
  const value = `substr(${record}, ${at} + ${referenceKey.length}, ${referenceCharsMax})`;
  const unescaped = `replace(replace(${value}, '\\\\', '  '), '\\"', '  ')`;
  return `(case ${at} when 0 then '' else substr(${unescaped}, 1, ${find}(${unescaped} || '"', '"') - 1) end)`;
}
