import { toEntityTag } from "../core/precondition.ts";
import type { JsonObject } from "../models/json.ts";
import { type LoadedKind, listsWholeRecords, toSnapshot } from "./load-kinds.ts";
import { createKnownNumbers, mapReferences } from "./placeholders.ts";
import { partsOf, type SnapshotRecord } from "./snapshot-record.ts";
import type { SyncTarget } from "./target.ts";
import { type Params, readWhole, walkList, walkLocated } from "./walk-list.ts";

export interface Source {
  /** Each call reads again. Read the kinds in their order. */
  records(kind: LoadedKind): AsyncIterable<SourceRecord>;
}

export interface SourceRecord {
  record: SnapshotRecord;
  line: number | null;
  /** Its entity tag, if the read returned it. */
  etag?: string | null;
  /** References to records that no list shows. */
  leftOut?: readonly string[];
}

/** Omits references to records that no list shows, and reports them. Read the kinds in order. */
export function readTenant(
  target: SyncTarget,
  onLeftOut: (problem: string) => void = () => undefined,
  isTagged = false,
): Source {
  const shown = createKnownNumbers();
  return {
    async *records(type) {
      const now = target.clock.now();
      for await (const { answer, etag } of walkType(target, type, isTagged)) {
        const record = toSnapshot(type, answer, now);
        shown.set(type.def.type, record.id, record.id);
        for (const { def } of type.parts)
          if (def.type) for (const { id } of partsOf(record, def.field)) shown.set(def.type, id, id);
        const leftOut: string[] = [];
        const seen = mapReferences(type, record, (kind, number, field) => {
          if (kind === type.def.type || shown.find(kind, number) !== undefined) return number;
          onLeftOut(`${type.def.type} ${record.id}: ${field} names ${kind} ${number}, which no list shows`);
          leftOut.push(field);
          return undefined;
        });
        yield { record: seen, line: null, etag, leftOut };
      }
    },
  };
}

interface Answered {
  answer: JsonObject;
  etag: string | null;
}

async function* walkType(target: SyncTarget, type: LoadedKind, isTagged: boolean): AsyncGenerator<Answered> {
  if (type.def.read) {
    for await (const answer of type.def.read(target)) yield { answer, etag: null };
    return;
  }
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
  return def.idParam === undefined ? {} : { [def.idParam]: String(id) };
}
