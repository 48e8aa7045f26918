import type { RecordKind } from "./record-kind.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What people call a record: the first of its names that has a text; null where it has none. */
export function nameOf({ knownBy = [] }: RecordKind, record: Fields): string | null {
  return knownBy.map((field) => record[field]).find(isText) ?? null;
}

/** What people call a record, and what tells it from others of that name; each a text of its own. */
export function namesOf(kind: RecordKind, record: Fields): string[] {
  const beside = (kind.toldApartBy ?? []).map((paths) =>
    paths
      .map((path) => toText(path, record))
      .filter(isText)
      .join(", "),
  );
  return [...new Set([nameOf(kind, record), ...beside])].filter(isText);
}

/** The texts that a dotted path leads to, through lists too: `contacts.name` gives each contact's. */
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

/** A flag that is set says its own name: out_of_service is "out of service". */
function toText(path: string, record: Fields): string | null {
  const value = valueAt(path.split("."), record);
  if (value === true) return path.replaceAll("_", " ");
  return isText(value) ? value : null;
}

function valueAt([name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined || value === null || typeof value !== "object") return value;
  return valueAt(rest, (value as Fields)[name]);
}
