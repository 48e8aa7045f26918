import { newestVersion } from "../../models/api-versions.ts";
import { type LoadedKind, loadKinds } from "../load-kinds.ts";
import { mapReferences } from "../placeholders.ts";
import { readTenant } from "../read-tenant.ts";
import { partsOf, type SnapshotRecord } from "../snapshot-record.ts";
import type { NumberedType } from "../sync-kinds.ts";
import type { SyncTarget } from "../target.ts";
import { walkList } from "../walk-list.ts";

export interface Written {
  records: Record<string, number>;
  leftOut: string[];
}

/** Writes line by line, with numbers from 1 in file order. Only the numbers stay in memory. */
export async function writeSnapshot(
  target: SyncTarget,
  write: (line: string) => Promise<void>,
  onProgress: (type: string, done: number) => void,
): Promise<Written> {
  const types = await loadKinds();
  const written: Written = { records: {}, leftOut: [] };
  const source = readTenant(target, (problem) => written.leftOut.push(problem));
  const numbers = createNumbers();
  await write(toHeadLine(target.tenant));
  for (const type of types) {
    await numberAhead(target, type, numbers);
    let count = 0;
    for await (const { record } of source.records(type)) {
      await write(toRecordLine(type.def.type, renumber(type, record, numbers)));
      count += 1;
      onProgress(type.def.type, count);
    }
    written.records[type.def.type] = count;
  }
  const total = Object.values(written.records).reduce((sum, count) => sum + count, 0);
  await write(toEndLine(total));
  return written;
}

interface Numbers {
  /** Numbers follow the order of first use. */
  give(kind: NumberedType, id: number): number;
  find(kind: NumberedType, id: number): number | undefined;
}

function createNumbers(): Numbers {
  const byKind = new Map<NumberedType, Map<number, number>>();
  const of = (kind: NumberedType) => {
    const known = byKind.get(kind) ?? new Map<number, number>();
    byKind.set(kind, known);
    return known;
  };
  return {
    find: (kind, id) => of(kind).get(id),
    give(kind, id) {
      const numbers = of(kind);
      const number = numbers.get(id) ?? numbers.size + 1;
      numbers.set(id, number);
      return number;
    },
  };
}

/** Records may refer to later ones of their own kind, so these kinds get numbers in advance. */
async function numberAhead(target: SyncTarget, { def, list }: LoadedKind, numbers: Numbers): Promise<void> {
  if (!Object.values(def.references).includes(def.type)) return;
  for await (const { id } of walkList(target, list.name, {})) numbers.give(def.type, Number(id));
}

function renumber(type: LoadedKind, record: SnapshotRecord, numbers: Numbers): SnapshotRecord {
  const id = numbers.give(type.def.type, record.id);
  const mapped = mapReferences(type, record, (kind, other) => numbers.find(kind, other));
  for (const { def } of type.parts) {
    const entries = partsOf(mapped, def.field);
    if (mapped[def.field] === undefined) continue;
    mapped[def.field] = entries.map(({ id: entryId, ...entry }) =>
      def.type ? { id: numbers.give(def.type, entryId), ...entry } : entry,
    );
  }
  return { ...mapped, id };
}

/** A program with another format refuses the file. */
export const snapshotFormat = 1;

export const headType = "dispatch-export";
export const endType = "dispatch-export-end";

function toHeadLine(tenant: { name: string }): string {
  return toLine({
    type: headType,
    format: snapshotFormat,
    api_version: newestVersion,
    tenant: { name: tenant.name },
  });
}

function toRecordLine(type: string, record: SnapshotRecord): string {
  return toLine({ type, record });
}

/** A file without this last line was truncated. */
function toEndLine(records: number): string {
  return toLine({ type: endType, records });
}

const toLine = (value: object) => `${JSON.stringify(value)}\n`;
