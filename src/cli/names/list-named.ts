import { type Client, untyped } from "../../client/client.ts";
import { idOfListed } from "../../core/listing.ts";
import type { Operation } from "../../core/operation.ts";
import { failure } from "../../errors/errors.ts";
import { loadOperation } from "../../operations/index.ts";
import { isNumber, type Matched, matchNames } from "../../records/match-names.ts";
import { namesOf } from "../../records/name-record.ts";
import type { RecordKind } from "../../records/record-kind.ts";
import type { JsonRecord } from "../output/answer.ts";
import { readLocations } from "../target/locations.ts";
import type { ListedKind, NamedRecord, Scope } from "./named-record.ts";

/** The records that words may mean, looked for in the list of their kind: of those that the search does not know. */
export async function listNamed(
  client: Client,
  kind: ListedKind,
  words: string,
  scope: Scope,
): Promise<Matched<NamedRecord>[]> {
  let nearest: Matched<NamedRecord>[] = [];
  for (const query of await toQueries(kind, words)) {
    const records = await listEverywhere(client, kind, scope, query);
    const named = new Map(records.map((record) => [record.fields, record.named]));
    const matched = matchNames(kind, [...named.keys()], words).flatMap(({ record, ...match }) => {
      const found = named.get(record);
      return found ? [{ ...match, record: found }] : [];
    });
    if (matched.some(({ match }) => match !== "near")) return matched;
    nearest = matched.length > 0 ? matched : nearest;
  }
  return nearest;
}

type Query = Readonly<Record<string, string>>;

/**
 * What the list of a kind is asked for, one after the other until something fits: the words as a part of the name, where the
 * list has such a filter; then all of it, or for misspellings those whose names begin alike.
 */
async function toQueries(kind: ListedKind, words: string): Promise<Query[]> {
  const operation = await loadOperation(kind.list);
  const field = (kind.knownBy ?? []).find((name) => name in operation.query);
  const text = words.trim().replaceAll("*", "");
  if (field === undefined || text === "") return [{}];
  const likely = text.split(/\s+/).map((word) => ({ [field]: `*${word.slice(0, alikeMin)}*` }));
  return [{ [field]: `*${text}*` }, ...(isNumber(words) ? [{}] : [...likely, {}])];
}

/** So many letters of a misspelled name are taken to be right. */
const alikeMin = 3;

/** A record as it was listed, and as people know it. */
interface Listed {
  fields: JsonRecord;
  named: NamedRecord;
}

async function listEverywhere(
  client: Client,
  kind: ListedKind,
  scope: Scope,
  query: Query,
): Promise<Listed[]> {
  const operation = await loadOperation(kind.list);
  const places = await findPlaces(client, operation, scope);
  const lists = await Promise.all(places.map((params) => listAt(client, kind, operation, params, query)));
  return lists.flat();
}

/** The paths of a list: the one that is known, else that of each location. Throws a usage error for another that is missing. */
async function findPlaces(client: Client, { params }: Operation, scope: Scope): Promise<Scope[]> {
  const names = Object.keys(params);
  const known = Object.fromEntries(names.flatMap((name) => (scope[name] ? [[name, scope[name]]] : [])));
  const missing = names.filter((name) => known[name] === undefined);
  if (missing.length === 0) return [known];
  if (missing.join() !== "location_id") {
    const options = missing.map((name) => `--${name.replace(/_id$/, "").replaceAll("_", "-")}`);
    throw failure("usage", `Missing: ${options.join(", ")}.`);
  }
  return (await readLocations(client)).map(({ id }) => ({ ...known, location_id: String(id) }));
}

const pageMax = 1000;
/** Further no list goes by pages. */
const pagesMax = 100;

async function listAt(
  client: Client,
  kind: RecordKind,
  operation: Operation,
  params: Scope,
  query: Query,
): Promise<Listed[]> {
  const records: JsonRecord[] = [];
  for (let page = 1; page <= pagesMax; page++) {
    const paging = "page_limit" in operation.query ? { page_index: page, page_limit: pageMax } : {};
    // What a target answers is JSON.
    const found = (await untyped(client).list(operation.name, {
      params,
      query: { ...query, ...paging },
    })) as readonly JsonRecord[];
    records.push(...found);
    if (found.length < pageMax || !("page_limit" in operation.query)) break;
  }
  return records.map((fields) => ({ fields, named: toNamed(kind, operation, params, fields) }));
}

function toNamed(
  kind: RecordKind,
  { reads: { listing } }: Operation,
  params: Scope,
  fields: JsonRecord,
): NamedRecord {
  const { driver_id: driver, location_id: location } = fields;
  return {
    ...(kind.noun === "users" && typeof driver === "number" && { driverId: String(driver) }),
    id: String(idOfListed(listing, fields) ?? ""),
    names: namesOf(kind, fields),
    params: { ...(typeof location === "number" && { location_id: String(location) }), ...params },
  };
}
