import { fieldKinds } from "../../models/fields.ts";
import type { Shape } from "../../models/model.ts";
import { fromText, unwrap } from "../../models/parse.ts";
import type { Json } from "../snapshot-record.ts";
import { cellsOf, type Row, type RowFile } from "./row-file.ts";
import type { RowKind } from "./row-kind.ts";

/** The values of a field in several entries, in one cell: `Ann Lee; Bo Lin`. The value itself for a single entry. */
export function joinEntries(values: readonly Json[]): Json {
  if (values.every((value) => value === null || value === "")) return null;
  const [only, ...others] = values;
  if (others.length === 0 && typeof only !== "string") return only ?? null;
  return values.map((value) => quote(value === null ? "" : String(value))).join("; ");
}

const quote = (text: string) => (/[;"]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function splitEntries(cell: string): string[] {
  // Each entry follows a semicolon: an empty match at the start would skip the first one.
  const parts = `;${cell}`.matchAll(/;\s*(?:"((?:[^"]|"")*)"|([^;]*))/g);
  return [...parts].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain?.trim() ?? "");
}

/**
 * Gathers an exported sheet of customers, with a row for each address and the contacts in columns, to a row for each
 * customer. Leaves other files unchanged.
 */
export function gatherEntries(file: RowFile, { parts }: RowKind): RowFile {
  const { form, headers } = file;
  if (form !== "csv" || !parts || !headers.includes("id")) return file;
  if (!headers.includes("address_id") && !namesSeveral(file)) return file;
  const address = { ...parts.address.create.body?.shape };
  const addressFields = new Map(
    headers.map((header) => [header, Object.hasOwn(address, header) ? header : addressColumns.get(header)]),
  );
  const isOwn = (header: string) =>
    addressFields.get(header) === undefined && !/^(?:contact_|locations\.)/.test(header);
  const own = headers.filter(isOwn);
  const hasLocations = headers.some((header) => header.startsWith("locations."));
  const customers = new Map<string, { addresses: object[]; cells: Cells; row: Row }>();
  const broken = file.rows.filter(({ problem }) => problem !== null);
  for (const row of file.rows) {
    if (row.problem !== null) continue;
    const cells: Cells = new Map(
      headers.map((header, index) => [header, cellsOf(file, row)[index] as string]),
    );
    const texts = [...addressFields].flatMap(([header, field]) => {
      const text = cells.get(header);
      return field === undefined || text === undefined ? [] : [[field, text] as const];
    });
    const key = cells.get("id") ?? `line ${row.line}`;
    const customer = customers.get(key) ?? { addresses: [], cells, row };
    if (texts.length > 0) customer.addresses.push(toTyped(address, texts));
    customers.set(key, customer);
  }
  const rows = [...customers.values()].map(({ addresses, cells, row }): Row => {
    const lists = [
      toList(addresses),
      toList(readEntries(cells, "contact_", parts.contact.create.body?.shape ?? {})),
      ...(hasLocations
        ? [toList(readEntries(cells, "locations.", parts.location.update?.body?.shape ?? {}))]
        : []),
    ];
    return { ...row, text: JSON.stringify([...own.map((header) => cells.get(header) ?? ""), ...lists]) };
  });
  return {
    ...file,
    headers: [...own, "addresses", "contacts", ...(hasLocations ? ["locations"] : [])],
    isRaw: true,
    rows: [...rows, ...broken].toSorted((one, other) => one.line - other.line),
  };
}

/** An export of chosen columns may lack the address. */
function namesSeveral(file: RowFile): boolean {
  const at = file.headers.indexOf("contact_name");
  const nameOf = (row: Row) => (row.problem === null ? cellsOf(file, row)[at] : null);
  return at >= 0 && file.rows.some((row) => splitEntries(String(nameOf(row) ?? "")).length > 1);
}

type Cells = Map<string, string | undefined>;

const addressColumns = new Map([
  ["address_id", "id"],
  ["address_is_active", "is_active"],
  ["is_physical", "is_physical"],
]);

const toList = (entries: readonly object[]) => (entries.length === 0 ? "" : JSON.stringify(entries));

function readEntries(cells: Cells, prefix: string, shape: Shape): object[] {
  const columns = [...cells].flatMap(([header, text]) =>
    header.startsWith(prefix) && text !== undefined
      ? [[header.slice(prefix.length), splitEntries(text)] as const]
      : [],
  );
  const count = Math.max(0, ...columns.map(([, texts]) => texts.length));
  return Array.from({ length: count }, (_, index) => {
    const texts = columns.map(([field, values]) => [field, values[index] ?? ""] as const);
    return toTyped(
      shape,
      texts.filter(([, text]) => text !== ""),
    );
  });
}

function toTyped(shape: Shape, texts: readonly (readonly [string, string])[]): object {
  const typed = fromText(shape, Object.fromEntries(texts));
  return Object.fromEntries(
    Object.entries(typed).map(([field, value]) => {
      if (/^(?:is|notify)_/.test(field) && /^(?:true|false)$/.test(String(value)))
        return [field, value === "true"];
      if (field === "id" || field.endsWith("_id")) return [field, Number(value)];
      const isTime = shape[field] && fieldKinds.get(unwrap(shape[field]))?.name === "timestamp";
      return [field, isTime && /^\d{4}-\d\d-\d\d$/.test(String(value)) ? `${value}T00:00:00.000000` : value];
    }),
  );
}
