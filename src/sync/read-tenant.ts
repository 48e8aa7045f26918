import { walkPages } from "../core/lists/walk-records.ts";
import type { Operation } from "../core/operation.ts";
import { newestVersion } from "../models/api-versions.ts";
import { loadOperation } from "../operations/index.ts";
import type { JsonObject } from "../versions/change.ts";
import type { LoadedKind } from "./load-kinds.ts";
import { mapReferences } from "./map-references.ts";
import { partsOf, type SnapshotRecord } from "./snapshot-record.ts";
import type { Source } from "./source.ts";
import type { NumberedType } from "./sync-kinds.ts";
import type { SyncTarget } from "./target.ts";
import { toSnapshot } from "./to-snapshot-record.ts";

/**
 * Reads the records of a tenant page by page; only their ids stay in memory. A reference to a record that no list shows,
 * such as a removed dump destination, is left out, and `onLeftOut` is called with it. Kinds must be read in order.
 */
export function readTenant(
  target: SyncTarget,
  onLeftOut: (problem: string) => void = () => undefined,
): Source {
  const shown = new Map<NumberedType, Set<number>>();
  return {
    async *records(type) {
      const now = target.clock.now();
      const own = new Set<number>();
      shown.set(type.def.type, own);
      const walk = type.def.type === "Customer" ? walkCustomers(target) : walkType(target, type);
      for await (const answer of walk) {
        const record = toSnapshot(type, answer, now);
        own.add(record.id);
        keepParts(type, record, shown);
        const seen = mapReferences(type, record, (kind, number, field) => {
          if (kind === type.def.type || shown.get(kind)?.has(number)) return number;
          onLeftOut(`${type.def.type} ${record.id}: ${field} names ${kind} ${number}, which no list shows`);
          return undefined;
        });
        yield { record: seen, line: null };
      }
    },
  };
}

function keepParts(type: LoadedKind, record: SnapshotRecord, shown: Map<NumberedType, Set<number>>): void {
  for (const { def } of type.parts) {
    if (!def.type) continue;
    const ids = shown.get(def.type) ?? new Set<number>();
    shown.set(def.type, ids);
    for (const { id } of partsOf(record, def.field)) ids.add(id);
  }
}

async function* walkType(target: SyncTarget, type: LoadedKind): AsyncGenerator<JsonObject> {
  const isTenantWide = type.list.params.location_id === undefined;
  const places: Params[] = isTenantWide ? [{}] : await locationsOf(target);
  for (const params of places) {
    for await (const record of walkList(target, type.list, params)) {
      yield type.get ? await readWhole(target, type.get, { ...params, ...ownId(type, record) }) : record;
    }
  }
}

type Params = Record<string, string>;

const readWhole = ({ client }: SyncTarget, get: Operation, params: Params): Promise<JsonObject> =>
  client.call(get, { params });

function ownId({ def }: LoadedKind, { id }: JsonObject): Params {
  return def.idParam === null ? {} : { [def.idParam]: String(id) };
}

async function locationsOf(target: SyncTarget): Promise<Params[]> {
  const places: Params[] = [];
  for await (const { id } of walkList(target, await loadOperation("locations.list"), {}))
    places.push({ location_id: String(id) });
  return places;
}

/** Every record of a list, by id: no change that is made meanwhile moves a record in that order. */
async function* walkList(
  target: SyncTarget,
  operation: Operation,
  params: Params,
): AsyncGenerator<JsonObject> {
  const request = { params, query: {}, version: newestVersion, order: "id" } as const;
  for await (const { records } of walkPages(target.caller, operation, request)) yield* records;
}

/**
 * Reads customers by id, each with what all its locations keep of it, by reading the lists of the locations side by side:
 * they have the same order. Only the list of a customer's addresses shows those that are inactive.
 */
async function* walkCustomers(target: SyncTarget): AsyncGenerator<JsonObject> {
  const list = await loadOperation("locations.customers");
  const listAddresses = await loadOperation("addresses.list");
  const walks = (await locationsOf(target)).map((params) => walkList(target, list, params));
  const heads = await Promise.all(walks.map((walk) => walk.next()));
  for (;;) {
    const id = Math.min(
      ...heads.map(({ done, value }) => (done ? Number.POSITIVE_INFINITY : Number(value.id))),
    );
    if (id === Number.POSITIVE_INFINITY) return;
    const locations: JsonObject[] = [];
    for (const [index, walk] of walks.entries()) {
      const head = heads[index];
      if (!head || head.done || head.value.id !== id) continue;
      locations.push(head.value);
      heads[index] = await walk.next();
    }
    const addresses: JsonObject[] = [];
    for await (const address of walkList(target, listAddresses, { customer_id: String(id) }))
      addresses.push(address);
    yield { ...locations[0], addresses, locations };
  }
}
