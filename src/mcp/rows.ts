import { toAddressLine, toContactText, toCustomerText } from "../board/job-words.ts";
import type { ListedJob } from "../board/load-board.ts";
import { readLocations } from "../board/read-locations.ts";
import { readWhole } from "../board/read-whole.ts";
import { readZones } from "../board/read-zones.ts";
import { toBoardJob } from "../board/to-board.ts";
import type { Client } from "../client/client.ts";
import type { Operation } from "../core/operation.ts";
import { DispatchError } from "../errors/errors.ts";
import { showPlanned } from "../local-time/show-time.ts";
import type { ApiVersion } from "../models/api-versions.ts";
import { pickFields } from "../models/chosen-fields.ts";
import type { JobTypeNames } from "../models/job-types.ts";
import { isObject, type JsonObject } from "../models/json.ts";
import type { AnswerModel } from "../models/model.ts";
import { fieldPathsOf } from "../models/versions/field-paths.ts";
import type { McpTarget } from "./mcp-target.ts";

/** About 8,000 tokens, at four characters each. */
export const answerTextMax = 32_000;

export interface RowOptions {
  /** How many records of the list come before the first row. */
  cursor: number;
  fields: readonly string[];
  isFull: boolean;
  limit: number;
}

/**
 * Shortens a list for a model's window: records become rows, and an answer has at most 32,000 characters.
 * `next_cursor` continues at the first row that the answer lacks.
 */
export async function toShortList(
  list: JsonObject,
  options: RowOptions,
  target: McpTarget,
): Promise<JsonObject> {
  const { current_limit: _limit, current_page: _page, total_pages: _pages, ...rest } = list;
  const { cursor, limit } = options;
  const records = Array.isArray(list.results) ? list.results.filter(isObject) : [];
  const toRow = records.some(isJob) ? await createJobRows(records, target) : toPlainRow;
  const rows = toFitting(records.slice(cursor % limit), options, toRow);
  const next = cursor + rows.length;
  const isMore = typeof list.total_count === "number" ? next < list.total_count : records.length === limit;
  return { ...rest, results: rows, ...(isMore && rows.length > 0 && { next_cursor: next }) };
}

/** Leaves out empty values, and adds to a job the parts of its row that a person reads. */
export async function toShortRecord(record: JsonObject, target: McpTarget): Promise<JsonObject> {
  const short = withoutEmpty(record);
  if (!isJob(record)) return short;
  const { address, contact, state, truck, when } = (await createJobRows([record], target))(record);
  return { ...short, ...withoutEmpty({ address, contact, state, truck, when }) };
}

/** Without null, false, and empty texts. They stay in `before` and `after`, where they are a change. */
export function withoutEmpty(record: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) => {
      if (changeFields.includes(name)) return [[name, value]];
      return isEmpty(value) ? [] : [[name, toShort(value)]];
    }),
  );
}

export function toShort(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toShort);
  return isObject(value) ? withoutEmpty(value) : value;
}

const isEmpty = (value: unknown) => value === null || value === undefined || value === false || value === "";

const changeFields: readonly string[] = ["before", "after"];

/** Cuts long texts and lists, such as the bodies in the attempts of a delivery, until the answer fits. */
export function toFittingAnswer(answer: JsonObject): JsonObject {
  for (const max of cuts) {
    if (JSON.stringify(answer).length <= answerTextMax) break;
    answer = Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, cut(value, max)]));
  }
  return answer;
}

const cuts = [
  { text: 4000, entries: 100 },
  { text: 1000, entries: 20 },
  { text: 200, entries: 10 },
  { text: 100, entries: 3 },
] as const;

function cut(value: unknown, max: (typeof cuts)[number]): unknown {
  const tellRest = (length: number, kept: number) => `… ${length - kept} more left out`;
  if (typeof value === "string" && value.length > max.text)
    return value.slice(0, max.text) + tellRest(value.length, max.text);
  if (Array.isArray(value)) {
    const kept = value.slice(0, max.entries).map((entry) => cut(entry, max));
    return value.length > max.entries ? [...kept, tellRest(value.length, max.entries)] : kept;
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cut(inner, max)]));
}

/** Shortens a row that fits no answer, because a list must not end at it. */
function toFitting(
  records: readonly JsonObject[],
  { fields, isFull }: RowOptions,
  toRow: (record: JsonObject) => JsonObject,
): JsonObject[] {
  const toAnswered = (record: JsonObject) => {
    if (fields.length > 0) return pickFields({ ...toRow(record), ...record }, fields);
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

/** The names that `fields` accepts: fields of a record, and fields of a row. */
export function fieldNamesOf({ output }: Pick<Operation, "output">, version: ApiVersion): string[] {
  const names = fieldPathsOf(output as AnswerModel, version);
  return names.includes("is_completed") ? [...names, "state", "when", "address", "contact", "truck"] : names;
}

const isJob = (record: JsonObject) => "schedule_date" in record && "is_completed" in record;

/**
 * Makes the row of a job as a dispatcher reads it: its state in words, its time in the zone of its location, its address,
 * and its contact.
 */
async function createJobRows(
  jobs: readonly JsonObject[],
  target: McpTarget,
): Promise<(job: JsonObject) => JsonObject> {
  const { client, clock, isUtc } = target;
  const [zones, locations, trucks] = await Promise.all([
    readZones(target, isUtc),
    readLocations(client),
    jobs.some(({ truck_id: id }) => id) ? readTrucks(client) : [],
  ]);
  const now = clock.now();
  const zoneOf = (job: JsonObject) => zones.of(job.location_id as number);
  const hasSeveralZones = new Set(jobs.map((job) => zoneOf(job).name)).size > 1;
  return (job) => {
    const zone = zoneOf(job);
    const location = locations.find(({ id }) => id === job.location_id);
    // Every version of a job has the fields that a board needs, except for the customer, which may be absent.
    const told = toBoardJob(job as unknown as ListedJob, location ?? noLocation, { now, zone });
    const planned = {
      end: told.desired_end_time,
      scheduled: told.schedule_date,
      start: told.desired_start_time,
    };
    const { moment, text } = showPlanned(planned, { zone, today: zone.dateOf(now) });
    return toPlainRow({
      id: job.id,
      state: told.state,
      type: told.type_name,
      when: hasSeveralZones && moment !== null ? `${text} ${zone.abbreviationAt(moment)}` : text,
      customer: toCustomerText(told),
      address: toAddressLine(told.address),
      contact: toContactText(told),
      truck: trucks.find(({ id }) => id === job.truck_id)?.name ?? null,
      ...Object.fromEntries(jobRowFields.map((name) => [name, job[name]])),
    });
  };
}

const noLocation: JobTypeNames = {
  delivery_name: null,
  dropoff_name: null,
  exchange_name: null,
  pickup_name: null,
  service_name: null,
};

/** Some roles see a job without its truck. */
function readTrucks(client: Client) {
  return readWhole(client, "trucks.all").catch((error: unknown) => {
    if (error instanceof DispatchError) return [];
    throw error;
  });
}

const jobRowFields = [
  ...["location_id", "customer_id", "address_id", "truck_id", "asset", "asset_type", "reference_number"],
  ...["flags", "dispatcher_notes", "customer_notes", "driver_notes", "fail_reason"],
];

/** Leaves out empty values and flags that are false. An inner record becomes its name; changes and lists of texts stay. */
function toPlainRow(record: JsonObject): JsonObject {
  const cells = Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
    if (changeFields.includes(name) && isObject(value)) return [[name, value]];
    if (Array.isArray(value)) return value.length === 0 || value.some(isObject) ? [] : [[name, value]];
    const shown = isObject(value) ? (value.name ?? value.description ?? value.number) : value;
    return isEmpty(shown) || isObject(shown) ? [] : [[name, shown]];
  });
  return Object.fromEntries(cells);
}
