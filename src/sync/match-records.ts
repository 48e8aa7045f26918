import type { LoadedKind, LoadedPart } from "./load-kinds.ts";
import { type Body, type Json, toCanonical } from "./snapshot-record.ts";

export type Keys = readonly (string | null)[];

/** One key for each level of the kind. References in the record are ids of the target already. */
export function toKeys({ def }: LoadedKind | LoadedPart, record: Body): Keys {
  const place = (def.pathFields ?? []).map((field) => record[field] ?? null);
  return (def.matchKeys ?? []).map(({ fields, isUnique }) => {
    const values = fields.map((field) => valueAt(record, field.split(".")));
    // Two records without a reference number do not match.
    if (isUnique && fields.length > 0 && values[0] === null) return null;
    return JSON.stringify([place, values]);
  });
}

function valueAt(value: Json | undefined, path: readonly string[]): Json {
  const [name, ...rest] = path;
  if (name === undefined || value === null || typeof value !== "object") return toCanonical(value);
  const inner = Array.isArray(value) ? value[Number(name)] : value[name];
  return valueAt(inner, rest);
}

/** Pairs records with equal keys, as an index. Strong keys pair first, so that a weak key cannot take their record. */
export function pairRecords(
  { def }: LoadedKind | LoadedPart,
  ours: readonly Keys[],
  theirs: readonly Keys[],
  canPair: (our: number, their: number) => boolean = () => true,
): (number | undefined)[] {
  const pairs = new Array<number | undefined>(ours.length).fill(undefined);
  const taken = new Set<number>();
  for (const [level, { isUnique }] of (def.matchKeys ?? []).entries()) {
    const unpaired = groupByKey(ours, level, (index) => pairs[index] === undefined);
    const free = groupByKey(theirs, level, (index) => !taken.has(index));
    for (const [key, our] of unpaired) {
      const their = free.get(key) ?? [];
      if (isUnique && (our.length > 1 || their.length > 1)) continue;
      for (const [index, one] of our.entries()) {
        const other = their[index];
        if (other === undefined || !canPair(one, other)) continue;
        pairs[one] = other;
        taken.add(other);
      }
    }
  }
  return pairs;
}

function groupByKey(
  records: readonly Keys[],
  level: number,
  isWanted: (index: number) => boolean,
): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const [index, keys] of records.entries()) {
    const key = keys[level];
    if (key === null || key === undefined || !isWanted(index)) continue;
    const group = groups.get(key);
    if (group) group.push(index);
    else groups.set(key, [index]);
  }
  return groups;
}
