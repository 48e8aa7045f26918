import type { RecordKind } from "./record-kind.ts";
import { kindOf, type Noun, recordKinds } from "./record-kinds.ts";

export function kindOfNoun(word: string): Kind | null {
  return recordKinds.find(({ noun }) => noun === word) ?? null;
}

/** `name` is a noun, or a field with a record, like `asset_type`. */
export function kindOfName(name: string): Kind | null {
  const words = name.replaceAll(/[_-]/g, " ");
  return (
    recordKinds.find(({ label, noun }) => label === words || noun.replaceAll("-", " ") === words) ?? null
  );
}

/** Throws for an operation without records. */
export function kindOfOperation(name: string): Kind {
  const kind = findKindOfOperation(name);
  if (!kind) throw new Error(`${name} works on no kind of record; src/records/record-kinds.ts lists them.`);
  return kind;
}

export function findKindOfOperation(name: string): Kind | null {
  return kindOfNoun(name.slice(0, name.indexOf(".")));
}

/** null unless the operation lists records. */
export function kindOfList(name: string): Kind | null {
  return recordKinds.find(({ list, listAtLocation }) => list === name || listAtLocation === name) ?? null;
}

/** The kind that a field or parameter refers to (`truck_id`, `requested_by`). */
export function kindOfField(field: string): Kind | null {
  return recordKinds.find(({ namedBy }) => namedBy?.includes(field)) ?? null;
}

/** A field for a person may refer to a user or a driver. */
export function kindsOfField(field: string): readonly Kind[] {
  if (personFields.includes(field)) return [kindOf("users"), kindOf("drivers")];
  const kind = kindOfField(field);
  return kind === null ? [] : [kind];
}

const personFields: readonly string[] = ["approved_by", "completed_by", "created_by", "returned_by"];

type Kind = RecordKind & { noun: Noun };
