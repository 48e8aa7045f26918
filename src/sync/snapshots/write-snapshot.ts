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
  onProgress: (text: string) => void,
): Promise<Written> {
  const types = await loadKinds();
  const written: Written = { records: {}, leftOut: [] };
  const source = readTenant(target, (problem) => written.leftOut.push(problem));
  const numbers: Numbers = new Map();
  const { name } = target.tenant;
  const head = { type: headType, format: snapshotFormat, api_version: newestVersion, tenant: { name } };
  await write(toLine(head));
  for (const type of types) {
    await numberAhead(target, type, numbers);
    let count = 0;
    for await (const { record } of source.records(type)) {
      await write(toLine({ type: type.def.type, record: renumber(type, record, numbers) }));
      count += 1;
      if (count % 100 === 0) onProgress(`${type.def.type} ${count}`);
    }
    written.records[type.def.type] = count;
  }
  const total = Object.values(written.records).reduce((sum, count) => sum + count, 0);
  // A file without this line was truncated.
  await write(toLine({ type: endType, records: total }));
  return written;
}

/** The numbers of records in the file, by their IDs. */
type Numbers = Map<NumberedType, Map<number, number>>;

/** The number of a record, in the order of first use. */
function give(numbers: Numbers, kind: NumberedType, id: number): number {
  const own = numbers.get(kind) ?? new Map<number, number>();
  const number = own.get(id) ?? own.size + 1;
  numbers.set(kind, own.set(id, number));
  return number;
}

/** Records may refer to later ones of their own kind, so these kinds get numbers in advance. */
async function numberAhead(target: SyncTarget, { def, list }: LoadedKind, numbers: Numbers): Promise<void> {
  if (!Object.values(def.references).includes(def.type)) return;
  for await (const { id } of walkList(target, list.name, {})) give(numbers, def.type, Number(id));
}

function renumber(type: LoadedKind, record: SnapshotRecord, numbers: Numbers): SnapshotRecord {
  const id = give(numbers, type.def.type, record.id);
  const mapped = mapReferences(type, record, (kind, other) => numbers.get(kind)?.get(other));
  for (const { def } of type.parts) {
    const entries = partsOf(mapped, def.field);
    if (mapped[def.field] === undefined) continue;
    mapped[def.field] = entries.map(({ id: entryId, ...entry }) =>
      def.type ? { id: give(numbers, def.type, entryId), ...entry } : entry,
    );
  }
  return { ...mapped, id };
}

/** A program with another format refuses the file. */
export const snapshotFormat = 1;

export const headType = "dispatch-export";
export const endType = "dispatch-export-end";

const toLine = (value: object) => `${JSON.stringify(value)}\n`;
