import { readWhole } from "../../board/read-whole.ts";
import { type Client, untyped } from "../../client/client.ts";
import { DispatchError } from "../../errors/errors.ts";
import { isObject, type JsonObject } from "../../models/json.ts";
import { kindOfField, kindsOfField } from "../../records/find-kind.ts";
import { nameOf } from "../../records/name-record.ts";
import type { RecordKind } from "../../records/record-kind.ts";
import { locate } from "./locate.ts";

export interface Names {
  /** Reads one list for each kind and location. */
  learn(
    records: readonly JsonObject[],
    fields: readonly string[],
    placeOf: (record: JsonObject) => number | null,
  ): Promise<void>;
  /** null for an unknown or hidden record. */
  nameIn(record: JsonObject, field: string): string | null;
}

type Id = number | string;

export function createNames(client: Client): Names {
  const known = new Map<string, string | null>();
  const whole = new Set<string>();
  /** One list of all locations instead of many lists. */
  const readEverywhere = async (noun: "drivers" | "trucks", groups: readonly Group[]) => {
    const wanted = groups.filter(({ kinds }) => kinds[0]?.noun === noun);
    if (wanted.length <= listsMax || whole.has(noun)) return;
    const records = await ignoreRefusal(readWhole(client, `${noun}.all`), null);
    for (const { id, name } of records ?? []) known.set(toKey({ noun }, id), name);
    if (records) whole.add(noun);
  };
  const read = async (kind: RecordKind, ids: readonly Id[], locationId: number | null) => {
    const missing = ids.filter((id) => !known.has(toKey(kind, id)));
    const records = whole.has(kind.noun) ? [] : await readRecords(client, kind, missing, locationId);
    for (const record of records) known.set(toKey(kind, record.id as Id), nameOf(kind, record));
    // Hidden records are not requested again.
    for (const id of missing) if (!known.has(toKey(kind, id))) known.set(toKey(kind, id), null);
  };
  const readGroup = async ({ ids, kinds, locationId }: Group) => {
    for (const [index, kind] of kinds.entries()) {
      // An ID can be of this kind only if no earlier kind has it.
      const before = kinds.slice(0, index);
      const rest = [...ids].filter((id) => findName(known, before, id) === null);
      await read(kind, rest, locationId);
    }
  };
  return {
    async learn(records, fields, placeOf) {
      const groups = [...groupIds(records, fields, placeOf)];
      await Promise.all([readEverywhere("trucks", groups), readEverywhere("drivers", groups)]);
      await Promise.all(groups.map(readGroup));
    },
    nameIn(record, field) {
      const id = record[field];
      if (!isId(id)) return null;
      return nameWithin(record, field) ?? findName(known, lookedUpKinds(field), id);
    },
  };
}

function findName(
  known: ReadonlyMap<string, string | null>,
  kinds: readonly RecordKind[],
  id: Id,
): string | null {
  for (const kind of kinds) {
    const name = known.get(toKey(kind, id));
    if (name) return name;
  }
  return null;
}

/** Up to this many locations are read one by one. */
const listsMax = 5;

const toKey = ({ noun }: Pick<RecordKind, "noun">, id: Id) => `${noun} ${id}`;

const isId = (value: unknown): value is Id =>
  typeof value === "number" || (typeof value === "string" && value !== "");

const lookedUpKinds = (field: string): readonly RecordKind[] =>
  kindsOfField(field).filter(({ within }) => within === undefined || within === "locations");

/** ID field → field of the embedded record, where the names differ. */
const besideIds: Readonly<Record<string, string>> = {
  asset_dropped_id: "dropped_asset",
  requested_by: "customer",
};

/** From the embedded record: `customer` next to `customer_id`. */
function nameWithin(record: JsonObject, field: string): string | null {
  const beside = besideIds[field] ?? field.replace(/_id$/, "");
  const inner = record[beside];
  const kind = kindOfField(field);
  if (beside === field || kind === null || !isObject(inner)) return null;
  return inner.id === record[field] ? nameOf(kind, inner) : null;
}

interface Group {
  ids: Set<Id>;
  kinds: readonly RecordKind[];
  locationId: number | null;
}

function groupIds(
  records: readonly JsonObject[],
  fields: readonly string[],
  placeOf: (record: JsonObject) => number | null,
): Iterable<Group> {
  const groups = new Map<string, Group>();
  for (const field of fields) {
    const kinds = lookedUpKinds(field);
    for (const record of records) {
      const id = record[field];
      if (!isId(id) || kinds.length === 0 || nameWithin(record, field) !== null) continue;
      const locationId = kinds[0]?.within === "locations" ? placeOf(record) : null;
      const key = `${kinds.map(({ noun }) => noun)} ${locationId}`;
      const group = groups.get(key) ?? { ids: new Set(), kinds, locationId };
      groups.set(key, group);
      group.ids.add(id);
    }
  }
  return groups.values();
}

async function readRecords(
  client: Client,
  kind: RecordKind,
  ids: readonly Id[],
  locationId: number | null,
): Promise<JsonObject[]> {
  if (ids.length === 0) return [];
  if (kind.within === "locations" && locationId === null) return readPlaced(client, kind, ids);
  const path = locationId === null ? {} : { location_id: locationId };
  const listed = ids.length === 1 && kind.get ? [] : await listRecords(client, kind, path);
  const rest = ids.filter((id) => !listed.some((record) => record.id === id)).slice(0, readAloneMax);
  const alone = await Promise.all(rest.map((id) => getRecord(client, kind, id, path)));
  return [...listed, ...alone.filter((record) => record !== null)];
}

/** Asks the target for the location first. */
async function readPlaced(client: Client, kind: RecordKind, ids: readonly Id[]): Promise<JsonObject[]> {
  const found = await Promise.all(
    ids.slice(0, readAloneMax).map(async (id) => {
      const place = await ignoreRefusal(locate(client, kind, String(id)), null);
      return place ? getRecord(client, kind, id, place) : null;
    }),
  );
  return found.filter((record) => record !== null);
}

/** Further records are shown by their IDs. */
const readAloneMax = 20;

async function listRecords(
  client: Client,
  { list }: RecordKind,
  params: JsonObject,
): Promise<readonly JsonObject[]> {
  if (!list) return [];
  const request = { params: params as Record<string, number>, query: { page_limit: 1000 } };
  const listed = untyped(client).call(list, request) as Promise<{ results: readonly JsonObject[] }>;
  return ignoreRefusal(
    listed.then(({ results }) => results),
    [],
  );
}

async function getRecord(
  client: Client,
  { get, idParam }: RecordKind,
  id: Id,
  path: JsonObject,
): Promise<JsonObject | null> {
  if (!get || !idParam) return null;
  const request = { params: { ...(path as Record<string, number>), [idParam]: id } };
  return ignoreRefusal(untyped(client).call(get, request) as Promise<JsonObject>, null);
}

/** An unreadable record is shown by its ID. */
function ignoreRefusal<T>(reading: Promise<T>, otherwise: T): Promise<T> {
  return reading.catch((error: unknown) => {
    if (error instanceof DispatchError) return otherwise;
    throw error;
  });
}
