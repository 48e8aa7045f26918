import { type Client, untyped } from "../../client/client.ts";
import { idOfListed } from "../../core/listing.ts";
import type { Operation } from "../../core/operation.ts";
import { newestVersion } from "../../models/api-versions.ts";
import type { AnswerModel } from "../../models/model.ts";
import { fieldPathsOf } from "../../models/versions/field-paths.ts";

import { loadOperation } from "../../operations/index.ts";
import { kindOfField, kindOfNoun } from "../../records/find-kind.ts";
import { onlyMatch } from "../../records/match-names.ts";
import { nameOf } from "../../records/name-record.ts";
import type { RecordKind } from "../../records/record-kind.ts";
import { kindOf } from "../../records/record-kinds.ts";
import type { CliContext } from "../context.ts";
import { searchNamed } from "../names/search-named.ts";
import type { JsonRecord, JsonValue } from "../output/answer.ts";
import { valueAt } from "../output/fields.ts";
import { loadPresentation } from "../presentation/index.ts";
import type { Presentation, VerbPresentation } from "../presentation/presentation.ts";
import { plainView } from "../presentation/view.ts";
import { readSettings } from "../settings.ts";
import { readWhole } from "../target/read-whole.ts";
import { openTarget } from "../target/target.ts";
import type { Candidate, Given } from "./replies.ts";

/** What may be given for an option that names something of the target: ids with what they are, or usernames. */
export async function findReferences(
  context: CliContext,
  field: string,
  line: TypedLine,
): Promise<Candidate[]> {
  const { given, typed } = line;
  if (field === "as") return findUsernames(context, given);
  if (field === "tenant")
    return listRecords(context, kindOf("tenants"), { given: { ...given, tenant: "" }, typed }, {});
  // Some options leave "id" out: --location.
  const kind = kindOfField(field) ?? kindOfField(`${field}_id`);
  return kind === null ? [] : listRecords(context, kind, line, {});
}

/** The options of a line, and what is typed of the value at the cursor. */
interface TypedLine {
  given: Given;
  typed: string;
}

/**
 * The records that a command of a noun may act on: those in use, or those out of use for a command that brings one back.
 * A command that changes the state of a record is offered those that something is still to be done with.
 */
export async function findRecords(
  context: CliContext,
  noun: string,
  shorthand: VerbPresentation | undefined,
  line: TypedLine,
): Promise<Candidate[]> {
  const kind = kindOfNoun(noun);
  if (!kind?.list) return [];
  const list = await loadOperation(kind.list);
  const isRestore = shorthand?.body.is_deleted === false;
  const { shorthands } = await loadPresentation(list.name);
  const kept = shorthands?.[isRestore ? "inactive" : "active"];
  const changesState = shorthand !== undefined && !("is_deleted" in shorthand.body);
  return listRecords(context, kind, line, { ...kept?.query, ...(changesState && kind.openQuery) });
}

/** The fields that an operation's answer has. */
export function findFields(operation: Operation): Candidate[] {
  const version = operation.lifetime?.until ?? newestVersion;
  return fieldPathsOf(operation.output as AnswerModel, version).map((value) => ({ value, description: "" }));
}

const recordsMax = 100;

/**
 * The records of a kind that what is typed may mean: of names the search has them at once, however many there are; else they
 * are listed, and where each location has a list and none is given, those of the first locations; of trucks and drivers all,
 * where the target can.
 */
async function listRecords(
  context: CliContext,
  kind: RecordKind,
  { given, typed }: TypedLine,
  query: Readonly<Record<string, string>>,
): Promise<Candidate[]> {
  // The first line of an address begins with a number, and nobody knows its id.
  const isName = /^\D/.test(typed) || kind.noun === "addresses";
  const isWanted = ({ isActive }: { isActive: boolean }) => isActive !== (query.deleted === "false");
  const found = isName ? await inTime(searchRecords(context, kind, { given, typed }, isWanted)) : [];
  if (found.length > 0) return found;
  const named = isName && kind.knownBy?.includes("name") ? { name: `${typed.replaceAll("*", "")}*` } : {};
  const records = await inTime(readRecords(context, kind, given, { ...query, ...named }));
  const presentation = kind.list ? await loadPresentation(kind.list) : {};
  return records.flatMap(({ operation, record }) => {
    const id = String(idOfListed(operation.reads.listing, record) ?? "");
    const description = describeRecord(operation, presentation, record);
    const name = isName ? nameOf(kind, record) : null;
    // Who types letters names the record; digits, or nothing yet, are for its id.
    if (name !== null) return [{ value: name, description: `id ${id}, ${description}` }];
    return [{ value: id, description }];
  });
}

async function findUsernames(context: CliContext, given: Given): Promise<Candidate[]> {
  const records = await inTime(readRecords(context, kindOf("users"), { ...given, as: "" }, {}));
  return records.map(({ record }) => ({ value: String(record.username), description: toText(record.roles) }));
}

/** Offers nothing from a target that is slow to answer: nobody who types should wait for it. */
function inTime<T>(reading: Promise<T[]>): Promise<T[]> {
  const late = new Promise<T[]>((resolve) => {
    setTimeout(() => resolve([]), readMsMax).unref();
  });
  // A failure has nobody to be told to: the shell shows candidates only.
  return Promise.race([reading.catch(() => []), late]);
}

const readMsMax = 1_500;

/** What begins with what is typed, by the search; empty for kinds that it does not know. */
async function searchRecords(
  context: CliContext,
  kind: RecordKind,
  { given, typed }: TypedLine,
  isWanted: (matched: { isActive: boolean }) => boolean,
): Promise<Candidate[]> {
  const target = await open(context, given);
  try {
    const scope = /^\d+$/.test(given.location ?? "") ? { location_id: String(given.location) } : {};
    const matched = (await searchNamed(target.client, kind, typed, scope)) ?? [];
    return matched.filter(isWanted).map(({ record: { id, names } }) => ({
      value: names[0] ?? id,
      description: [`id ${id}`, ...names.slice(1)].join(", "),
    }));
  } finally {
    await target.close();
  }
}

function open(context: CliContext, given: Given) {
  // A token cannot come from standard input: it is the shell's.
  const { output: _form, tokenFile, ...target } = given;
  const named = Object.entries({ ...target, ...(tokenFile !== "-" && { tokenFile }) }).filter(
    ([, value]) => value,
  );
  return openTarget(context, readSettings(context, Object.fromEntries(named)), { isSilent: true });
}

interface Listed {
  operation: Operation;
  record: JsonRecord;
}

async function readRecords(
  context: CliContext,
  kind: RecordKind,
  given: Given,
  query: Readonly<Record<string, string>>,
): Promise<Listed[]> {
  if (!kind.list) return [];
  const operation = await loadOperation(kind.list);
  const target = await open(context, given);
  try {
    const { noun } = kind;
    if ((noun === "trucks" || noun === "drivers") && !given.location) {
      const all = await readWhole(target.client, `${noun}.all`);
      // They were read from JSON.
      return all.map((record) => ({ operation, record: record as JsonRecord }));
    }
    const places = await findPlaces(target.client, operation, given);
    const lists = await Promise.all(
      places.map((params) => readList(target.client, operation, params, query)),
    );
    return lists.flat().map((record) => ({ operation, record }));
  } finally {
    await target.close();
  }
}

const placesMax = 5;

/** The path parameters of a list: those that the line gives, else those of each of the first locations. */
async function findPlaces(
  client: Client,
  { params }: Operation,
  given: Given,
): Promise<Record<string, string>[]> {
  const names = Object.keys(params);
  const known = Object.fromEntries(names.map((name) => [name, given[toKey(name)]]));
  if (names.includes("customer_id"))
    known.customer_id = await findCustomer(client, given.customer ?? given.requestedBy);
  const missing = names.filter((name) => !known[name]);
  if (missing.length === 0) return [known as Record<string, string>];
  if (missing.join() !== "location_id") return [];
  const locations = await readList(client, await loadOperation(kindOf("locations").list), {}, {});
  return locations.slice(0, placesMax).map(({ id }) => ({ ...known, location_id: String(id) }));
}

/** The id of the customer that the line names, in whatever words. */
async function findCustomer(client: Client, words: string | undefined): Promise<string | undefined> {
  if (words === undefined || /^\d+$/.test(words)) return words;
  const matched = await searchNamed(client, kindOf("customers"), words, {});
  return onlyMatch(matched ?? [])?.record.id;
}

/** `location_id` is --location on the line. */
const toKey = (parameter: string) =>
  parameter.replace(/_id$/, "").replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

async function readList(
  client: Client,
  operation: Operation,
  params: Record<string, string>,
  query: Readonly<Record<string, string>>,
): Promise<readonly JsonRecord[]> {
  const limit = "page_limit" in operation.query ? recordsMax : null;
  const records = await untyped(client).list(operation.name, {
    params,
    query: { ...pick(query, operation.query), page_limit: limit },
  });
  // They were read from JSON.
  return records as readonly JsonRecord[];
}

/** Only some lists can be asked for names. */
function pick(query: Readonly<Record<string, string>>, known: object): Record<string, string> {
  return Object.fromEntries(Object.entries(query).filter(([name]) => name in known));
}

const partsMax = 3;

/** The first columns that a table shows of the record, without its id. */
function describeRecord(
  { output }: Operation,
  { cells, columns: shown }: Presentation,
  record: JsonRecord,
): string {
  const columns = shown ?? Object.keys((output as AnswerModel & { shape?: object }).shape ?? {});
  const texts = columns
    .filter((column) => column !== "id" && column !== "uuid")
    .map((column) => cells?.[column]?.(record, plainView) ?? toText(valueAt(record, column)));
  return texts
    .filter((text) => text !== "")
    .slice(0, partsMax)
    .join(", ");
}

function toText(value: JsonValue | undefined): string {
  if (value === null || value === undefined || typeof value === "boolean") return "";
  if (Array.isArray(value)) return value.map(toText).join(" ");
  if (typeof value === "object") return "";
  // A timestamp is cut to its day.
  return String(value).replace(/^(\d{4}-\d{2}-\d{2})T.*$/, "$1");
}
