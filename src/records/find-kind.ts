import type { RecordKind } from "./record-kind.ts";
import { kindOf, type Noun, recordKinds } from "./record-kinds.ts";

/** The kind that a command's noun means; null for other words. */
export function kindOfNoun(word: string): Kind | null {
  return recordKinds.find(({ noun }) => noun === word) ?? null;
}

/** The kind that a name means: its noun, or the field in which a record holds one or all of them (`asset_type`). */
export function kindOfName(name: string): Kind | null {
  const words = name.replaceAll(/[_-]/g, " ");
  return (
    recordKinds.find(({ label, noun }) => label === words || noun.replaceAll("-", " ") === words) ?? null
  );
}

/** The kind whose records an operation works on: the first half of its name says it. Throws where there is none. */
export function kindOfOperation(name: string): Kind {
  const kind = findKindOfOperation(name);
  if (!kind) throw new Error(`${name} works on no kind of record; src/records/record-kinds.ts lists them.`);
  return kind;
}

/** The same; null for an operation that is about no records, such as one of a server. */
export function findKindOfOperation(name: string): Kind | null {
  return kindOfNoun(name.slice(0, name.indexOf(".")));
}

/** The kind that an operation lists, for the tenant or for a location; null for one that lists none. */
export function kindOfList(name: string): Kind | null {
  return recordKinds.find(({ list, listAtLocation }) => list === name || listAtLocation === name) ?? null;
}

/** The kind whose records a field or a parameter names: `truck_id`, `requested_by`; null for one that names none. */
export function kindOfField(field: string): Kind | null {
  return recordKinds.find(({ namedBy }) => namedBy?.includes(field)) ?? null;
}

/** The kinds whose records a field may name: a field for a person takes a user or a driver. */
export function kindsOfField(field: string): readonly Kind[] {
  if (personFields.includes(field)) return [kindOf("users"), kindOf("drivers")];
  const kind = kindOfField(field);
  return kind === null ? [] : [kind];
}

const personFields: readonly string[] = ["approved_by", "completed_by", "created_by", "returned_by"];

type Kind = RecordKind & { noun: Noun };
