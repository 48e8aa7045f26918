import { isObject, type JsonObject } from "../../../models/json.ts";
import { jobCells } from "../../presentation/job-cells.ts";
import type { View } from "../../presentation/view.ts";

/** About 8,000 tokens of four characters. */
export const answerTextMax = 32_000;

export interface RowOptions {
  /** The number of records before the first row. */
  cursor: number;
  fields: readonly string[];
  isFull: boolean;
  /** The records of a page. */
  limit: number;
}

/** Turns records into rows, within 32,000 characters. `next_cursor` continues at the first missing row. */
export async function toShortList(list: JsonObject, options: RowOptions, view: View): Promise<JsonObject> {
  const { current_limit: _limit, current_page: _page, total_pages: _pages, ...rest } = list;
  const { cursor, limit } = options;
  const records = Array.isArray(list.results) ? list.results.filter(isObject) : [];
  if (records.some(isJob)) await view.learn(records, ["location_id", "truck_id"]);
  const rows = toFitting(records.slice(cursor % limit), options, view);
  const next = cursor + rows.length;
  const isMore = typeof list.total_count === "number" ? next < list.total_count : records.length === limit;
  return { ...rest, results: rows, ...(isMore && rows.length > 0 && { next_cursor: next }) };
}

/** A row that fits no response becomes shorter: otherwise the list would end at it. */
function toFitting(records: readonly JsonObject[], { fields, isFull }: RowOptions, view: View): JsonObject[] {
  const toRow = (record: JsonObject) => (isJob(record) ? toJobRow(record, view) : toPlainRow(record));
  const toAnswered = (record: JsonObject) => {
    if (fields.length > 0) return pick(record, fields);
    return isFull ? record : toRow(record);
  };
  const rows: JsonObject[] = [];
  let left = answerTextMax;
  for (const record of records) {
    const answered = toAnswered(record);
    const row = JSON.stringify(answered).length < answerTextMax ? answered : toRow(record);
    left -= JSON.stringify(row).length + 1;
    if (left < 0 && rows.length > 0) break;
    rows.push(row);
  }
  return rows;
}

function pick(record: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(fields.map((name) => [name, record[name] ?? null]));
}

const isJob = (record: JsonObject) => "schedule_date" in record && "is_completed" in record;

/** In a dispatcher's words, with local time. */
function toJobRow(job: JsonObject, view: View): JsonObject {
  const { address, contact, customer, state, type, when } = jobCells;
  return toPlainRow({
    id: job.id,
    state: state?.(job, view),
    type: type?.(job, view),
    when: when?.(job, view),
    customer: customer?.(job, view),
    address: address?.(job, view),
    contact: contact?.(job, view),
    truck: view.nameIn(job, "truck_id"),
    ...Object.fromEntries(jobRowFields.map((name) => [name, job[name]])),
  });
}

const jobRowFields = [
  ...["location_id", "customer_id", "address_id", "truck_id", "asset", "asset_type", "reference_number"],
  ...["flags", "dispatcher_notes", "customer_notes", "driver_notes", "fail_reason"],
];

/** Omits empty values and false flags. An inner record becomes its name. */
function toPlainRow(record: JsonObject): JsonObject {
  const cells = Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
    const shown = isObject(value) ? (value.name ?? value.description ?? value.number) : value;
    const isEmpty = shown === null || shown === undefined || shown === false || shown === "";
    return isEmpty || typeof shown === "object" ? [] : [[name, shown]];
  });
  return Object.fromEntries(cells);
}
