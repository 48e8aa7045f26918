import { readLocations } from "../../board/read-locations.ts";
import { readZones } from "../../board/read-zones.ts";
import { type AnswerNamed, type Client, untyped } from "../../client/client.ts";
import { idOfListed } from "../../core/listing.ts";
import type { Operation } from "../../core/operation.ts";
import { failure } from "../../errors/errors.ts";
import { isOffFrom, sayAbsence } from "../../local-time/absence.ts";
import type { Absence } from "../../models/absence.ts";
import { type FoundKind, foundKinds, hitsMax, searchCharsMax } from "../../models/search.ts";
import { isOperationName, loadOperation } from "../../operations/index.ts";
import { isNumber, type Matched, matchNames, oneLess, toRanked } from "../../records/match-names.ts";
import { namesOf } from "../../records/name-record.ts";
import type { RecordKind } from "../../records/record-kind.ts";
import type { CommandInput } from "../input/input.ts";
import type { JsonRecord } from "../output/answer.ts";
import { toVisible } from "../output/text.ts";
import { findTarget } from "../target/target.ts";

export interface NamedRecord {
  id: string;
  /** The name, and texts that distinguish the record from others of that name. */
  names: readonly string[];
  /** Known path parameters of its operations, without its ID. */
  params: Scope;
  driverId?: string;
}

/** `also` is a second kind for the same field. */
export type ListedKind = RecordKind & Required<Pick<RecordKind, "list">> & { also?: ListedKind };

export type Scope = Readonly<Record<string, string>>;

export interface Listed {
  fields: JsonRecord;
  named: NamedRecord;
  operation: Operation;
}

type Query = Readonly<Record<string, string>>;

/** Best first. `scope` limits to a location or customer. */
export async function findRecords(
  client: Client,
  kind: ListedKind,
  words: string,
  scope: Scope,
): Promise<Matched<NamedRecord>[]> {
  const find = async (one: ListedKind) =>
    (await searchRecords(client, one, words, scope)) ?? matchListed(client, one, words, scope);
  if (!kind.also) return find(kind);
  const [users, drivers] = await Promise.all([find(kind), find(kind.also)]);
  // A driver with a login is one person with two IDs.
  const ids = drivers.map(({ record }) => record.id);
  return toRanked([...users.filter(({ record: { driverId = "" } }) => !ids.includes(driverId)), ...drivers]);
}

export function toChoice({ id, names }: Pick<NamedRecord, "id" | "names">): string {
  return toVisible([...names, `id ${id}`].join(" · "));
}

/** null for kinds that the search does not cover. Looks for a customer at the location first. */
export async function searchRecords(
  client: Client,
  kind: RecordKind,
  words: string,
  scope: Scope,
): Promise<Matched<NamedRecord>[] | null> {
  const found = foundKinds.find((known) => known === kind.label);
  if (found === undefined) return null;
  const place = scope.location_id ?? null;
  const there = await search(client, found, words, place);
  const isEnough = place === null || found !== "customer" || there.some(({ match }) => match !== "near");
  return isEnough ? there : search(client, found, words, null);
}

async function search(client: Client, kind: FoundKind, words: string, place: string | null) {
  const q = [...words].slice(0, searchCharsMax).join("");
  const query = { kind, limit: hitsMax, location_id: place, q };
  const { nearest, results } = await client.call("search.find", { query });
  // The words are a name here, not an ID.
  const named = [...results, ...nearest].filter(({ matched }) => matched !== "id");
  const matched = named.map(toMatched);
  for (const [index, hit] of named.entries())
    if (matched[index]) await addAbsence(client, hit, matched[index].record, kind === "truck");
  return toRanked(matched);
}

type Hit = AnswerNamed<"search.find">["results"][number];

function toMatched(hit: Hit): Matched<NamedRecord> {
  const { id, is_active, location_id, match, matched } = hit;
  const params: Scope = location_id === null ? {} : { location_id: String(location_id) };
  return {
    record: { id: String(id), names: toNames(hit), params },
    // A contact, an email address, or a street ranks below the customer's own name.
    match: ownTexts.includes(matched) ? match : oneLess(match),
    isActive: is_active,
  };
}

const ownTexts: readonly string[] = [
  ...["name", "phone", "reference_number", "account_number_1", "account_number_2"],
];

/** The name and distinguishing texts: customer, address, day, and the matched text. */
function toNames(hit: Hit): string[] {
  const { address, contact_name, customer_name, kind, matched, matched_text, name, next_job } = hit;
  const shown = [name, address, contact_name, customer_name];
  const beside = matched === "name" || shown.includes(matched_text) ? null : matched_text;
  const day = kind === "job" ? (next_job?.schedule_date?.slice(0, 10) ?? null) : null;
  const texts = [name, customer_name, kind === "customer" ? address : null, day, beside];
  return texts.filter((text) => text !== null && text !== "") as string[];
}

/** For kinds that the search does not cover. */
async function matchListed(client: Client, kind: ListedKind, words: string, scope: Scope) {
  let nearest: Matched<NamedRecord>[] = [];
  for (const query of await toQueries(kind, words)) {
    const named = new Map(
      (await listRecords(client, kind, scope, { query })).map((listed) => [listed.fields, listed.named]),
    );
    const matched = matchNames(kind, [...named.keys()], words).flatMap(({ record, ...match }) => {
      const found = named.get(record);
      return found ? [{ ...match, record: found }] : [];
    });
    if (matched.some(({ match }) => match !== "near")) return matched;
    nearest = matched.length > 0 ? matched : nearest;
  }
  return nearest;
}

/** Queries in order: a part of the name, the beginnings of words (for misspellings), all records. */
async function toQueries(kind: ListedKind, words: string): Promise<Query[]> {
  const { query } = await loadOperation(kind.list);
  const field = (kind.knownBy ?? []).find((name) => name in query);
  const text = words.trim().replaceAll("*", "");
  if (field === undefined || text === "") return [{}];
  const likely = text.split(/\s+/).map((word) => ({ [field]: `*${word.slice(0, alikeMin)}*` }));
  return [{ [field]: `*${text}*` }, ...(isNumber(words) ? [{}] : [...likely, {}])];
}

/** A misspelled word probably begins with this many correct letters. */
const alikeMin = 3;

/** Throws a usage error if the scope lacks a parameter of the list, such as the customer. `max` reads one page. */
export async function listRecords(
  client: Client,
  kind: ListedKind,
  scope: Scope,
  { max, query }: { max?: number; query: Query },
): Promise<Listed[]> {
  const operation = await loadOperation(chooseList(kind, scope));
  const known = Object.entries(query).filter(([name]) => name in operation.query);
  const paths = await findPaths(client, operation, scope);
  const lists = await Promise.all(
    paths.map(async (params) => {
      const records: JsonRecord[] = [];
      const request = { params, query: { ...Object.fromEntries(known), ...toPaging(operation, max) } };
      if (max === undefined && "page_limit" in operation.query)
        for await (const record of untyped(client).pages(operation.name, request))
          records.push(record as JsonRecord);
      else {
        const list = (await untyped(client).call(operation.name, request)) as { results: JsonRecord[] };
        records.push(...list.results);
      }
      const named = records.map((fields) => ({
        fields,
        named: toNamed(kind, operation, params, fields),
        operation,
      }));
      // Records of the newest version have the types of the model; other kinds are never off.
      for (const { fields, named: one } of named)
        await addAbsence(client, fields as unknown as Absence, one, kind.noun === "trucks");
      return named;
    }),
  );
  return lists.flat();
}

function chooseList(kind: ListedKind, { location_id: location }: Scope) {
  if (location !== undefined) return kind.listAtLocation ?? kind.list;
  const everywhere = `${kind.noun}.all`;
  return isOperationName(everywhere) ? everywhere : kind.list;
}

const pageMax = 1000;

const toPaging = ({ query }: Operation, max = pageMax) =>
  "page_limit" in query ? { page_limit: String(max) } : {};

/** The scope's own path, or one for each location. */
async function findPaths(client: Client, { params }: Operation, scope: Scope): Promise<Scope[]> {
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

function toNamed(kind: RecordKind, { reads }: Operation, params: Scope, fields: JsonRecord): NamedRecord {
  const { driver_id: driver, location_id: location } = fields;
  return {
    ...(kind.noun === "users" && typeof driver === "number" && { driverId: String(driver) }),
    id: String(idOfListed(reads.listing, fields) ?? ""),
    names: namesOf(kind, fields),
    params: { ...(typeof location === "number" && { location_id: String(location) }), ...params },
  };
}

/** Says a present or coming absence of a driver or a truck beside its name, by the day of its location. */
async function addAbsence(
  client: Client,
  { off_from, off_reason, off_until }: Absence,
  named: NamedRecord,
  isTruck: boolean,
) {
  const target = off_from || off_until ? findTarget(client) : null;
  if (target === null) return;
  const absence = { off_from, off_reason, off_until };
  const zone = (await readZones(target, false)).of(Number(named.params.location_id));
  const today = zone.dateOf(target.clock.now());
  const word = isTruck ? "out of service" : "off";
  if (isOffFrom(absence, today, zone))
    named.names = [...named.names, sayAbsence(absence, { today, zone }, word)];
}

/** The body of a job names its customer. */
export function toScope({ params, body }: CommandInput, { within }: RecordKind): Scope {
  if (within !== "customers") return params;
  const customer = params.customer_id ?? body?.requested_by ?? body?.customer_id;
  return customer === undefined || customer === null ? params : { ...params, customer_id: String(customer) };
}
