import type { RecordKind } from "./record-kind.ts";
import { kindOf, type Noun, recordKinds } from "./record-kinds.ts";

export function kindOfNoun(word: string): Kind | null {
  return recordKinds.find(({ noun }) => noun === word) ?? null;
}

/** The kind with this noun, or whose records a field holds (`asset_type`). */
export function kindOfName(name: string): Kind | null {
  const words = name.replaceAll(/[_-]/g, " ");
  return (
    recordKinds.find(({ label, noun }) => label === words || noun.replaceAll("-", " ") === words) ?? null
  );
}

/** The kind in the name of an operation. Throws for an operation without records. */
export function kindOfOperation(name: string): Kind {
  const kind = findKindOfOperation(name);
  if (!kind) throw new Error(`${name} works on no kind of record; src/records/record-kinds.ts lists them.`);
  return kind;
}

/** The same, or null. */
export function findKindOfOperation(name: string): Kind | null {
  return kindOfNoun(name.slice(0, name.indexOf(".")));
}

/** The kind that an operation lists; null for other operations. */
export function kindOfList(name: string): Kind | null {
  return recordKinds.find(({ list, listAtLocation }) => list === name || listAtLocation === name) ?? null;
}

/** The kind that a field or parameter refers to (`truck_id`, `requested_by`); null for other fields. */
export function kindOfField(field: string): Kind | null {
  return recordKinds.find(({ namedBy }) => namedBy?.includes(field)) ?? null;
}

/** The kinds that a field may refer to: a field for a person takes a user or a driver. */
export function kindsOfField(field: string): readonly Kind[] {
  if (personFields.includes(field)) return [kindOf("users"), kindOf("drivers")];
  const kind = kindOfField(field);
  return kind === null ? [] : [kind];
}

const personFields: readonly string[] = ["approved_by", "completed_by", "created_by", "returned_by"];

type Kind = RecordKind & { noun: Noun };
