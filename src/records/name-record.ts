import type { RecordKind } from "./record-kind.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The first text among the name fields. */
export function nameOf({ knownBy = [] }: RecordKind, record: Fields): string | null {
  return knownBy.map((field) => record[field]).find(isText) ?? null;
}

/** The name, and texts that distinguish records of the same name. */
export function namesOf(kind: RecordKind, record: Fields): string[] {
  const beside = (kind.toldApartBy ?? []).map((paths) =>
    paths
      .map((path) => readText(path, record))
      .filter(isText)
      .join(", "),
  );
  return [...new Set([nameOf(kind, record), ...beside])].filter(isText);
}

/** `path` is dotted and enters lists: `contacts.name` returns each contact's name. */
export function textsAt(path: string, record: Fields): string[] {
  const follow = (value: unknown, [name, ...rest]: readonly string[]): unknown[] => {
    if (Array.isArray(value))
      return value.flatMap((entry) => follow(entry, name === undefined ? [] : [name, ...rest]));
    if (name === undefined) return [value];
    return value !== null && typeof value === "object" ? follow((value as Fields)[name], rest) : [];
  };
  return follow(record, path.split(".")).filter(isText);
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** A set flag gives its name: "out of service". */
function readText(path: string, record: Fields): string | null {
  const value = valueAt(path.split("."), record);
  if (value === true) return path.replaceAll("_", " ");
  return isText(value) ? value : null;
}

function valueAt([name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined || value === null || typeof value !== "object") return value;
  return valueAt(rest, (value as Fields)[name]);
}
