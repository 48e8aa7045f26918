import type { Caller } from "../../core/caller.ts";
import type { Operation, VerbHints } from "../../core/operation.ts";
import { newestVersion } from "../../models/api-versions.ts";
import type { AnswerModel } from "../../models/model.ts";
import { isOperationName, loadOperation } from "../../operations/index.ts";
import { fieldPathsOf } from "../../versions/field-paths.ts";
import type { CliContext } from "../context.ts";
import { nounOfField } from "../input/noun-of-field.ts";
import type { JsonRecord, JsonValue } from "../output/answer.ts";
import { valueAt } from "../output/fields.ts";
import { readSettings } from "../settings.ts";
import { openTarget } from "../target/target.ts";
import type { Given } from "./given.ts";
import type { Candidate } from "./replies.ts";

/** What may be given for an option that names something of the target: ids with what they are, or usernames. */
export async function findReferences(context: CliContext, field: string, given: Given): Promise<Candidate[]> {
  if (field === "as") return findNames(context, "users", "username", given);
  if (field === "tenant") return listRecords(context, "tenants", { ...given, tenant: "" }, {});
  // Some options leave "id" out: --location.
  const noun = nounOfField(field) ?? nounOfField(`${field}_id`);
  return noun === null ? [] : listRecords(context, noun, given, {});
}

/**
 * The records that a command of a noun may act on: those that are active, for what brings one back those that are not;
 * of jobs whose state it changes the open ones.
 */
export async function findRecords(
  context: CliContext,
  noun: string,
  shorthand: VerbHints | undefined,
  given: Given,
): Promise<Candidate[]> {
  const list = await loadList(noun);
  const isRestore = shorthand?.body.is_deleted === false;
  const kept = list?.cli?.shorthands?.[isRestore ? "inactive" : "active"];
  const isOpen = shorthand !== undefined && !("is_deleted" in shorthand.body) && list?.query.completed;
  return listRecords(context, noun, given, { ...kept?.query, ...(isOpen && { completed: "false" }) });
}

/** The fields that an operation's answer has. */
export function findFields(operation: Operation): Candidate[] {
  const version = operation.lifetime?.until ?? newestVersion;
  return fieldPathsOf(operation.output as AnswerModel, version).map((value) => ({ value, description: "" }));
}

async function loadList(noun: string): Promise<Operation | null> {
  const name = `${noun}.list`;
  return isOperationName(name) ? loadOperation(name) : null;
}

const recordsMax = "100";

/** The records of a noun; of one whose lists belong to a location that is not given, those of the first locations. */
async function listRecords(
  context: CliContext,
  noun: string,
  given: Given,
  query: Readonly<Record<string, string>>,
): Promise<Candidate[]> {
  const records = await inTime(readRecords(context, noun, given, query));
  return records.map(({ operation, record }) => ({
    value: String(record.id ?? record.uuid ?? ""),
    description: describeRecord(operation, record),
  }));
}

async function findNames(
  context: CliContext,
  noun: string,
  field: string,
  given: Given,
): Promise<Candidate[]> {
  const records = await inTime(readRecords(context, noun, { ...given, as: "" }, {}));
  return records.map(({ record }) => ({ value: String(record[field]), description: toText(record.roles) }));
}

/** Who types waits for no target: what it has not answered until then is not offered. */
function inTime<T>(reading: Promise<T[]>): Promise<T[]> {
  const late = new Promise<T[]>((resolve) => {
    setTimeout(() => resolve([]), readMsMax).unref();
  });
  // What fails afterwards is nobody's business.
  return Promise.race([reading.catch(() => []), late]);
}

const readMsMax = 1_500;

interface Listed {
  operation: Operation;
  record: JsonRecord;
}

async function readRecords(
  context: CliContext,
  noun: string,
  given: Given,
  query: Readonly<Record<string, string>>,
): Promise<Listed[]> {
  const operation = await loadList(noun);
  if (!operation) return [];
  // Standard input is the shell's.
  const { output: _form, tokenFile, ...target } = given;
  const named = Object.entries({ ...target, ...(tokenFile !== "-" && { tokenFile }) }).filter(
    ([, value]) => value,
  );
  const settings = readSettings(context, Object.fromEntries(named));
  const { caller } = await openTarget(context, settings);
  try {
    const places = await findPlaces(caller, operation, given);
    const lists = await Promise.all(places.map((params) => readList(caller, operation, params, query)));
    return lists.flat().map((record) => ({ operation, record }));
  } finally {
    await caller.close();
  }
}

const placesMax = 5;

/** The path parameters of a list: as given on the line, else of each of the first locations. */
async function findPlaces(
  caller: Caller,
  { params }: Operation,
  given: Given,
): Promise<Record<string, string>[]> {
  const names = Object.keys(params);
  const known = Object.fromEntries(names.map((name) => [name, given[toKey(name)]]));
  const missing = names.filter((name) => !known[name]);
  if (missing.length === 0) return [known as Record<string, string>];
  if (missing.join() !== "location_id") return [];
  const locations = await readList(caller, await loadOperation("locations.list"), {}, {});
  return locations.slice(0, placesMax).map(({ id }) => ({ ...known, location_id: String(id) }));
}

/** `location_id` is --location on the line. */
const toKey = (parameter: string) =>
  parameter.replace(/_id$/, "").replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

async function readList(
  caller: Caller,
  operation: Operation,
  params: Record<string, string>,
  query: Readonly<Record<string, string>>,
): Promise<JsonRecord[]> {
  const page = "page_limit" in operation.query ? { page_limit: recordsMax } : {};
  const answer = await caller.call(operation, {
    params,
    query: { ...query, ...page },
    body: undefined,
    version: newestVersion,
    dryRun: false,
  });
  if (answer.kind === "file") return [];
  return (JSON.parse(answer.text) as { results: JsonRecord[] }).results;
}

const partsMax = 3;

/** What a table shows of the record first, besides its id. */
function describeRecord({ cli, output }: Operation, record: JsonRecord): string {
  const columns = cli?.columns ?? Object.keys((output as AnswerModel & { shape?: object }).shape ?? {});
  const texts = columns
    .filter((column) => column !== "id" && column !== "uuid")
    .map((column) => cli?.cells?.[column]?.(record) ?? toText(valueAt(record, column)));
  return texts
    .filter((text) => text !== "")
    .slice(0, partsMax)
    .join(", ");
}

function toText(value: JsonValue | undefined): string {
  if (value === null || value === undefined || typeof value === "boolean") return "";
  if (Array.isArray(value)) return value.map(toText).join(" ");
  if (typeof value === "object") return "";
  // Of a timestamp the day.
  return String(value).replace(/^(\d{4}-\d{2}-\d{2})T.*$/, "$1");
}
