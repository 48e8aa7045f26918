import { DispatchError, type Violation } from "../../errors/errors.ts";
import { nearestWord } from "../../errors/nearest.ts";
import type { RowField, RowKind } from "./row-kind.ts";
import type { RowWords } from "./row-words.ts";

/** What a column of a file is for; null for those that are passed over. */
export type Column = RowField | "id" | "location_id" | "locations" | null;

export interface ColumnOptions {
  /** Column → field, as the user maps them. */
  mapped: ReadonlyMap<string, string>;
  /** Columns that are no field are passed over. */
  ignoresUnknown: boolean;
  words: Pick<RowWords, "map" | "onUnknownColumn">;
}

/**
 * Finds the field of each column by its name; case, spaces, dots, dashes and underscores do not matter. Throws a
 * DispatchError that names every column that has none, or that another one stands for too.
 */
export function matchColumns(headers: readonly string[], rowKind: RowKind, options: ColumnOptions): Column[] {
  const { mapped, ignoresUnknown, words } = options;
  const known = toKnownColumns(rowKind);
  const violations: Violation[] = checkMapped(headers, known, options);
  const taken = new Map<string, string>();
  const columns = headers.map((header): Column => {
    // A value in a column without a name is a mistake of its row.
    if (header === "") return null;
    const name = mappedName(header, mapped) ?? header;
    // A job has both an asset_id and an asset with an id.
    const column = known.get(name) ?? known.get(toPlain(name));
    if (column === undefined) {
      if (!ignoresUnknown) violations.push(toUnknown(header, rowKind));
      return null;
    }
    const key = column === "passed over" ? header : typeof column === "string" ? column : column.name;
    const other = taken.get(key);
    if (other !== undefined) violations.push(toTwice(other, header, key));
    taken.set(key, header);
    return column === "passed over" ? null : column;
  });
  violations.push(...findDoubled(columns));
  if (violations.some(({ code }) => code === "unknown_field")) violations.push(toKnown(rowKind, words));
  const [first, ...rest] = violations;
  if (first) throw new DispatchError([first, ...rest]);
  return columns;
}

const toPlain = (name: string) =>
  name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s._-]/g, "");

function mappedName(header: string, mapped: ReadonlyMap<string, string>): string | undefined {
  const exact = mapped.get(header);
  if (exact !== undefined) return exact;
  return [...mapped].find(([column]) => toPlain(column) === toPlain(header))?.[1];
}

type KnownColumns = ReadonlyMap<string, NonNullable<Column> | "passed over">;

/** What each name stands for, as it is written and in its plain form. A field wins over a name that is passed over. */
function toKnownColumns({ fields, parts, passedOver }: RowKind): KnownColumns {
  const special: [string, NonNullable<Column>][] = [
    ["id", "id"],
    ["location_id", "location_id"],
  ];
  if (parts) special.push([parts.location.def.field, "locations"]);
  const own = fields.flatMap((field): [string, RowField][] => {
    const named: [string, RowField] = [field.name, field];
    // `address.line_1` says the same as `line_1`.
    return field.group === "record" ? [named] : [named, [`${field.group}.${field.inner}`, field]];
  });
  const passed = [...passedOver, "error"].map((name) => [name, "passed over"] as const);
  const known = new Map<string, NonNullable<Column> | "passed over">();
  const all = [...own, ...special, ...passed];
  for (const [name, column] of all) if (!known.has(name)) known.set(name, column);
  for (const [name, column] of all) if (!known.has(toPlain(name))) known.set(toPlain(name), column);
  return known;
}

function checkMapped(
  headers: readonly string[],
  known: KnownColumns,
  { mapped, words }: ColumnOptions,
): Violation[] {
  const found: Violation[] = [];
  for (const [header, field] of mapped) {
    if (!headers.some((other) => toPlain(other) === toPlain(header)))
      found.push(
        toViolation("usage", `${words.map} names the column "${header}"; the file has none of this name.`),
      );
    const column = known.get(field) ?? known.get(toPlain(field));
    if (column === undefined || column === "passed over")
      found.push(
        toViolation("unknown_field", `${words.map} ${header}=${field}: there is no field ${field}.`),
      );
  }
  return found;
}

function toUnknown(header: string, { fields, noun }: RowKind): Violation {
  const nearest = nearestWord(
    header,
    fields.map(({ name }) => name),
  );
  const hint = nearest ? `; did you mean ${nearest}?` : "";
  return toViolation("unknown_field", `Column "${header}" is no field of ${noun}${hint || "."}`);
}

function toTwice(first: string, second: string, field: string): Violation {
  const detail =
    first === second
      ? `Column "${first}" stands in the file twice.`
      : `Columns "${first}" and "${second}" both mean ${field}.`;
  return toViolation("repeated_value", detail);
}

/** Either a list of addresses or one address in columns of its own; the same for contacts. */
function findDoubled(columns: readonly Column[]): Violation[] {
  const fields = columns.filter((column) => typeof column === "object" && column !== null);
  return (["address", "contact"] as const).flatMap((group) => {
    const list = fields.find(({ name }) => name === (group === "address" ? "addresses" : "contacts"));
    const own = fields.find((field) => field.group === group);
    if (!list || !own) return [];
    const detail = `The file has both ${list.name} and ${own.name}; a row holds a list or one ${group}, not both.`;
    return [toViolation("repeated_value", detail)];
  });
}

function toKnown({ fields, noun }: RowKind, { onUnknownColumn }: ColumnOptions["words"]): Violation {
  const detail = `The columns of ${noun} are ${fields.map(({ name }) => name).join(", ")}. ${onUnknownColumn}`;
  return toViolation("unknown_field", detail);
}

function toViolation(code: Violation["code"], detail: string): Violation {
  return { code, detail, field: null };
}
