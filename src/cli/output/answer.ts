export type JsonValue = string | number | boolean | null | JsonValue[] | JsonRecord;

export interface JsonRecord {
  [field: string]: JsonValue;
}

/** `text` is the exact body. */
export interface Answer {
  value: JsonValue;
  text: string;
}

export interface Page {
  limit: number;
  index: number;
  totalCount: number;
  totalPages: number;
}

/** A list, with or without pages, or one record. */
export type Records =
  | { isList: true; records: JsonRecord[]; page: Page | null }
  | { isList: false; record: JsonRecord };

/** Other values become `{ value }`. */
export function toRecords(value: JsonValue): Records {
  if (Array.isArray(value)) return { isList: true, records: value.map(toRecord), page: null };
  const results = listedResults(value);
  if (!isRecord(value) || !results) return { isList: false, record: toRecord(value) };
  const page = {
    limit: Number(value.current_limit),
    index: Number(value.current_page),
    totalCount: Number(value.total_count),
    totalPages: Number(value.total_pages),
  };
  return { isList: true, records: results.map(toRecord), page };
}

export function mapRecords(value: JsonValue, change: (record: JsonRecord) => JsonRecord): JsonValue {
  const changeIfRecord = (entry: JsonValue) => (isRecord(entry) ? change(entry) : entry);
  if (Array.isArray(value)) return value.map(changeIfRecord);
  const results = listedResults(value);
  if (isRecord(value) && results) return { ...value, results: results.map(changeIfRecord) };
  return changeIfRecord(value);
}

export function isRecord(value: JsonValue | undefined): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listedResults(value: JsonValue): JsonValue[] | null {
  if (!isRecord(value) || !Array.isArray(value.results) || value.current_page === undefined) return null;
  return value.results;
}

function toRecord(value: JsonValue): JsonRecord {
  return isRecord(value) ? value : { value };
}
