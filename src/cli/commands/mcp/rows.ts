import { toJobState } from "../../../models/job-state.ts";
import { isObject, type JsonObject } from "../../../models/json.ts";

/** About 8,000 tokens, at four characters each. */
const answerTextMax = 32_000;

export interface RowOptions {
  fields: readonly string[];
  isFull: boolean;
}

/**
 * Shortens a list for a model's window: records become rows, and an answer has at most 32,000 characters. Other answers
 * stay as they are.
 */
export function toShortAnswer(value: unknown, { fields, isFull }: RowOptions): unknown {
  if (!isObject(value) || !Array.isArray(value.results)) return value;
  const records = value.results.filter(isObject);
  const rows = fields.length > 0 ? records.map((record) => pick(record, fields)) : records.map(toRow);
  const results = isFull && fields.length === 0 ? records : rows;
  let length = 0;
  const fitting = results.findIndex((row) => {
    length += JSON.stringify(row).length + 1;
    return length > answerTextMax;
  });
  if (fitting === -1) return { ...value, results };
  const more = `Only ${fitting} of the page's ${results.length} records fit. Ask with a smaller page_limit, or with fields.`;
  return { ...value, results: results.slice(0, fitting), more };
}

function pick(record: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(fields.map((name) => [name, record[name] ?? null]));
}

/** Leaves out empty values and flags that are false; an inner record becomes its name. A job gets its state. */
function toRow(record: JsonObject): JsonObject {
  const cells = Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
    const shown = isObject(value) ? (value.name ?? value.description ?? value.number) : value;
    const isEmpty = shown === null || shown === undefined || shown === false || shown === "";
    return isEmpty || typeof shown === "object" ? [] : [[name, shown]];
  });
  const isJob = "schedule_date" in record && "is_completed" in record;
  return Object.fromEntries([...(isJob ? [["state", toJobState(record)]] : []), ...cells]);
}
