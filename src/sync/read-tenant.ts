import { toEntityTag } from "../core/entity-tag.ts";
import type { JsonObject } from "../models/json.ts";
import { listsWholeRecords } from "./expected-state.ts";
import { type LoadedKind, toSnapshot } from "./load-kinds.ts";
import { mapReferences } from "./placeholders.ts";
import { partsOf, type SnapshotRecord } from "./snapshot-record.ts";
import type { Source } from "./source.ts";
import type { NumberedType } from "./sync-kinds.ts";
import type { SyncTarget } from "./target.ts";
import { type Params, readWhole, walkList, walkLocated } from "./walk-list.ts";

/** Omits references to records that no list shows, and reports them. Read the kinds in order. */
export function readTenant(
  target: SyncTarget,
  onLeftOut: (problem: string) => void = () => undefined,
  isTagged = false,
): Source {
  const shown = new Map<NumberedType, Set<number>>();
  return {
    async *records(type) {
      const now = target.clock.now();
      const own = new Set<number>();
      shown.set(type.def.type, own);
      const walk = type.def.read ? readUntagged(type.def.read(target)) : walkType(target, type, isTagged);
      for await (const { answer, etag } of walk) {
        const record = toSnapshot(type, answer, now);
        own.add(record.id);
        keepParts(type, record, shown);
        const leftOut: string[] = [];
        const seen = mapReferences(type, record, (kind, number, field) => {
          if (kind === type.def.type || shown.get(kind)?.has(number)) return number;
          onLeftOut(`${type.def.type} ${record.id}: ${field} names ${kind} ${number}, which no list shows`);
          leftOut.push(field);
          return undefined;
        });
        yield { record: seen, line: null, etag, leftOut };
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

interface Answered {
  answer: JsonObject;
  etag: string | null;
}

async function* readUntagged(answers: AsyncGenerator<JsonObject>): AsyncGenerator<Answered> {
  for await (const answer of answers) yield { answer, etag: null };
}

async function* walkType(target: SyncTarget, type: LoadedKind, isTagged: boolean): AsyncGenerator<Answered> {
  const isTenantWide = type.list.params.location_id === undefined;
  const walk = isTenantWide ? walkList(target, type.list.name, {}) : walkLocated(target, type.list.name);
  const isTextTagged = isTagged && listsWholeRecords(type);
  for await (const record of walk) {
    const place: Params = isTenantWide ? {} : { location_id: String(record.location_id) };
    yield type.get
      ? await readWhole(target, type.get, { ...place, ...ownId(type, record) })
      : { answer: record, etag: isTextTagged ? toEntityTag(JSON.stringify(record)) : null };
  }
}

function ownId({ def }: LoadedKind, { id }: JsonObject): Params {
  return def.idParam === null ? {} : { [def.idParam]: String(id) };
}
