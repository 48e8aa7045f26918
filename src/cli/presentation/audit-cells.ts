import type { Cells } from "./presentation.ts";

/** What a table shows of an audit entry in place of its objects: the record, and each changed field in few words. */
export const auditCells: Cells = {
  changes: ({ after, before }) => describeChanges(toFields(before), toFields(after)),
  record: ({ record_id, record_type }) => `${record_type} ${record_id}`,
};

type Fields = Readonly<Record<string, unknown>> | null;

function toFields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : null;
}

/** `notes: old → new` for a changed record; the values for a new one. */
function describeChanges(before: Fields, after: Fields): string {
  const names = Object.keys(after ?? before ?? {}).filter((name) => !shownBesides.has(name));
  if (before !== null) {
    return names.map((name) => `${name}: ${toWords(before[name])} → ${toWords(after?.[name])}`).join(", ");
  }
  return names
    .filter((name) => after?.[name] !== false)
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .map((name) => `${name}: ${toWords(after?.[name])}`)
    .join(", ");
}

/** The line itself says which record it was, when, and who did it. */
const shownBesides = new Set(["created_by", "created_on", "id", "last_updated_on", "revision", "tenant_id"]);

/** What a record is called comes first. */
const rankOf = (name: string) => (name === "name" || name === "username" || name === "type" ? 0 : 1);

function toWords(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" ? shortenDate(value) : JSON.stringify(value);
}

/** A timestamp to the minute, midnight as the date alone. */
const shortenDate = (text: string) =>
  text.replace(/^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}):\d{2}\.\d{6}$/, "$1 $2").replace(/ 00:00$/, "");
