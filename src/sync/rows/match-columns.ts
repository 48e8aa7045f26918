import { DispatchError, type Violation } from "../../errors/errors.ts";
import { nearestWord } from "../../errors/nearest.ts";
import { synonymsOf, toPlainName } from "./column-synonyms.ts";
import type { RowField, RowKind } from "./row-kind.ts";

/** null for an ignored column. */
export type Column = RowField | "id" | "location_id" | "locations" | null;

export interface ColumnOptions {
  /** Column → field, from the user; null ignores the column. */
  mapped: ReadonlyMap<string, string | null>;
  /** Asks for the meaning of an unknown column. */
  ask?: ((header: string, index: number, taken: ReadonlySet<string>) => Promise<string | null>) | undefined;
  ignoresUnknown: boolean;
}

/** Ignores case and punctuation; knows the synonyms of offices. Throws a DispatchError for unclear columns. */
export async function matchColumns(
  headers: readonly string[],
  rowKind: RowKind,
  options: ColumnOptions,
): Promise<Column[]> {
  const { ask, ignoresUnknown, mapped } = options;
  const known = toKnownColumns(rowKind);
  const violations: Violation[] = checkMapped(headers, known, mapped);
  const named = headers.map((header) => findNamed(header, known, mapped, headers.includes("id")));
  const taken = takeNamed(headers, named, violations);
  const guessed = guessColumns(headers, named, rowKind, new Set(taken.keys()));
  for (const [index, field] of guessed) taken.set(field.name, headers[index] ?? "");
  const columns: Column[] = [];
  let asked = 0;
  for (const [index, header] of headers.entries()) {
    const column = named[index] === undefined ? guessed.get(index) : named[index];
    const isKnown = column !== undefined || findKnown(known, header) === null;
    if (isKnown) columns.push(column ?? null);
    else if (ask && asked++ < questionsMax) columns.push(await askColumn(ask, header, index, known, taken));
    else {
      if (!ignoresUnknown) violations.push(toUnknown(header, rowKind));
      columns.push(null);
    }
  }
  violations.push(...findDoubled(columns));
  if (violations.some(({ code }) => code === "unknown_field")) violations.push(toKnown(rowKind));
  const [first, ...rest] = violations;
  if (first) throw new DispatchError([first, ...rest]);
  return columns;
}

const questionsMax = 40;

/** Two headers for one field are an error. */
function takeNamed(
  headers: readonly string[],
  named: readonly (Column | undefined)[],
  violations: Violation[],
): Map<string, string> {
  const taken = new Map<string, string>();
  for (const [index, header] of headers.entries()) {
    const column = named[index];
    if (column === undefined || column === null) continue;
    const key = nameOf(column);
    const other = taken.get(key);
    if (other !== undefined) violations.push(toTwice(other, header, key));
    taken.set(key, header);
  }
  return taken;
}

async function askColumn(
  ask: NonNullable<ColumnOptions["ask"]>,
  header: string,
  index: number,
  known: KnownColumns,
  taken: Map<string, string>,
): Promise<Column> {
  const answer = await ask(header, index, new Set(taken.keys()));
  const column = answer === null ? null : (known.get(answer) ?? null);
  if (column === null) return null;
  taken.set(nameOf(column), header);
  return column;
}

/** Returns a test that distinguishes a header from a title. */
export function toColumnNames(rowKind: RowKind): (name: string) => boolean {
  const known = toKnownColumns(rowKind);
  const synonyms = new Set(Object.values(synonymsOf(rowKind.noun)).flat());
  return (name) => findKnown(known, name) !== undefined || synonyms.has(toPlainName(name));
}

export const nameOf = (column: NonNullable<Column>) => (typeof column === "string" ? column : column.name);

/** null ignores the column; undefined means unknown. */
function findNamed(
  header: string,
  known: KnownColumns,
  mapped: ColumnOptions["mapped"],
  isExport: boolean,
): Column | undefined {
  // A value in a column without a name is an error of its row.
  if (header === "") return null;
  const name = mappedName(header, mapped);
  if (name === null) return null;
  // A job has both an asset_id and an asset with an id.
  const column = findKnown(known, name ?? header);
  // Offices use the same words as fields that the service sets, so these need their exact name.
  return column === null && !isExport && name === undefined ? undefined : column;
}

/** Only for fields that no other column has. */
function guessColumns(
  headers: readonly string[],
  named: readonly (Column | undefined)[],
  { fields, noun }: RowKind,
  taken: ReadonlySet<string>,
): Map<number, RowField> {
  const plain = headers.map((header, index) => (named[index] === undefined ? toPlainName(header) : null));
  const guessed = new Map<number, RowField>();
  for (const [name, synonyms] of Object.entries(synonymsOf(noun))) {
    const field = fields.find((known) => known.name === name);
    if (!field || taken.has(name)) continue;
    const found = synonyms
      .map((synonym) => plain.indexOf(synonym))
      .find((index) => index !== -1 && !guessed.has(index));
    if (found !== undefined) guessed.set(found, field);
  }
  return guessed;
}

const toPlain = (name: string) =>
  name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s._-]/g, "");

function mappedName(header: string, mapped: ColumnOptions["mapped"]): string | null | undefined {
  const exact = mapped.get(header);
  if (exact !== undefined) return exact;
  return [...mapped].find(([column]) => toPlain(column) === toPlain(header))?.[1];
}

/** The meaning of names; null for a field that the service sets. */
type KnownColumns = ReadonlyMap<string, Column>;

function findKnown(known: KnownColumns, name: string): Column | undefined {
  const exact = known.get(name);
  return exact === undefined ? known.get(toPlain(name)) : exact;
}

/** If a name is both a field and ignored, it means the field. */
function toKnownColumns({ fields, parts, passedOver }: RowKind): KnownColumns {
  const special: [string, NonNullable<Column>][] = [
    ["id", "id"],
    ["location_id", "location_id"],
  ];
  if (parts) special.push([parts.location.def.field, "locations"]);
  const own = fields.flatMap((field): [string, RowField][] => {
    const named: [string, RowField] = [field.name, field];
    // `address.line_1` means the same as `line_1`.
    return field.group === "record" || field.group === "named"
      ? [named]
      : [named, [`${field.group}.${field.inner}`, field]];
  });
  const passed = [...passedOver, "error", "time_zone"].map((name) => [name, null] as const);
  const known = new Map<string, Column>();
  const all = [...own, ...special, ...passed];
  for (const [name, column] of all) if (!known.has(name)) known.set(name, column);
  for (const [name, column] of all) if (!known.has(toPlain(name))) known.set(toPlain(name), column);
  return known;
}

function checkMapped(
  headers: readonly string[],
  known: KnownColumns,
  mapped: ColumnOptions["mapped"],
): Violation[] {
  const found: Violation[] = [];
  for (const [header, field] of mapped) {
    if (!headers.some((other) => toPlain(other) === toPlain(header)))
      found.push(toViolation("usage", `--map names the column "${header}", which the file does not have.`));
    if (field !== null && !findKnown(known, field))
      found.push(toViolation("unknown_field", `--map ${header}=${field}: no field ${field} exists.`));
  }
  return found;
}

function toUnknown(header: string, { fields, noun }: RowKind): Violation {
  const nearest = nearestWord(
    header,
    fields.map(({ name }) => name),
  );
  const hint = nearest ? `; did you mean ${nearest}?` : "";
  return toViolation("unknown_field", `Column "${header}" is not a field of ${noun}${hint || "."}`);
}

function toTwice(first: string, second: string, field: string): Violation {
  const detail =
    first === second
      ? `Column "${first}" is in the file twice.`
      : `Columns "${first}" and "${second}" both mean ${field}.`;
  return toViolation("repeated_value", detail);
}

/** A row must not have both a list of addresses (or contacts) and separate columns. */
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

function toKnown({ fields, noun }: RowKind): Violation {
  const detail = `The columns of ${noun} are ${fields.map(({ name }) => name).join(", ")}. Map a column with --map column=field, or ignore such columns with --ignore-unknown.`;
  return toViolation("unknown_field", detail);
}

function toViolation(code: Violation["code"], detail: string): Violation {
  return { code, detail, field: null };
}
