import { untyped } from "../../client/client.ts";
import type { JsonObject } from "../../models/json.ts";
import type { OperationName } from "../../operations/index.ts";
import { toNameKey, toPhoneDigits } from "../../records/same-name.ts";
import type { Pace, SyncTarget } from "../target.ts";
import type { Drafted } from "./to-draft.ts";

export interface FoundCustomer {
  id: number;
  name: string;
  addresses: readonly {
    id: number;
    line1: string;
    locality: string;
    postcode: string;
    isShipping: boolean;
  }[];
}

export interface NamedRecords {
  customers: {
    byId(id: number): FoundCustomer | null;
    /** May be empty. */
    find(column: string, text: string): readonly FoundCustomer[];
    /** Their names, for the nearest one. */
    names: readonly { name: string }[];
  };
  trucks: readonly { id: number; name: string; driverId: number | null }[];
  drivers: readonly { id: number; name: string }[];
}

/** Reads all records of the location once and keeps those that the drafts name. */
export async function findNamed(
  target: SyncTarget,
  drafts: readonly Drafted[],
  locationId: number,
  pace: Pace,
): Promise<NamedRecords> {
  const { hasDrivers, hasTrucks, wanted } = findWanted(drafts);
  const walk = async function* (operation: OperationName) {
    const request = { params: { location_id: locationId }, query: { page_limit: 1000 } };
    for await (const record of untyped(target.client).pages(operation, request)) {
      await pace.step(() => "finding what the rows name");
      yield record;
    }
  };
  const found = new Map<string, FoundCustomer[]>();
  const names: { name: string }[] = [];
  if (wanted.size > 0)
    for await (const record of walk("locations.customers")) {
      keepCustomer(found, wanted, record);
      if (record.is_active !== false) names.push({ name: String(record.name) });
    }
  const trucks = [];
  if (hasTrucks || hasDrivers)
    for await (const { driver_id, id, name } of walk("trucks.list"))
      trucks.push({
        id: Number(id),
        name: String(name),
        driverId: typeof driver_id === "number" ? driver_id : null,
      });
  const drivers = [];
  if (hasDrivers)
    for await (const { id, name } of walk("drivers.list"))
      drivers.push({ id: Number(id), name: String(name) });
  return {
    customers: {
      byId: (id) => found.get(`id ${id}`)?.[0] ?? null,
      find: (column, text) => found.get(keyOf(column, text)) ?? [],
      names,
    },
    trucks,
    drivers,
  };
}

function findWanted(drafts: readonly Drafted[]) {
  const wanted = new Set<string>();
  let hasDrivers = false;
  let hasTrucks = false;
  for (const { draft } of drafts) {
    if (!draft) continue;
    const { named, record } = draft;
    for (const column of customerColumns) if (named[column]) wanted.add(keyOf(column, named[column] ?? ""));
    if (typeof record.requested_by === "number") wanted.add(`id ${record.requested_by}`);
    hasDrivers ||= Boolean(named.driver);
    hasTrucks ||= Boolean(named.truck);
  }
  return { hasDrivers, hasTrucks, wanted };
}

const customerColumns = ["customer_number", "customer", "customer_phone", "address"] as const;

/** The key for a lookup. A name also finds a reference number. */
function keyOf(column: string, text: string): string {
  if (column === "customer_phone") return `phone ${toPhoneDigits(text).slice(-10)}`;
  if (column === "address") return `address ${toNameKey(text)}`;
  return `${column === "customer" ? "name" : "number"} ${toNameKey(text)}`;
}

function keepCustomer(
  found: Map<string, FoundCustomer[]>,
  wanted: ReadonlySet<string>,
  record: JsonObject,
): void {
  if (record.is_active === false) return;
  const addresses = listOf(record.addresses).filter(({ is_active }) => is_active !== false);
  const contacts = listOf(record.contacts);
  const number = typeof record.reference_number === "string" ? toNameKey(record.reference_number) : null;
  const keys = new Set([
    `id ${record.id}`,
    `name ${toNameKey(String(record.name))}`,
    ...(number === null ? [] : [`number ${number}`, `name ${number}`]),
    ...contacts.map((contact) => keyOf("customer_phone", String(contact.number ?? ""))),
    ...addresses.map(({ line_1 }) => keyOf("address", String(line_1))),
  ]);
  const named = [...keys].filter((key) => wanted.has(key) && key !== "phone ");
  if (named.length === 0) return;
  const customer: FoundCustomer = {
    id: Number(record.id),
    name: String(record.name),
    addresses: addresses.map((address) => ({
      id: Number(address.id),
      line1: toNameKey(String(address.line_1)),
      locality: toNameKey(String(address.locality)),
      postcode: String(address.postcode),
      isShipping: address.is_shipping === true,
    })),
  };
  for (const key of named) found.set(key, [...(found.get(key) ?? []), customer]);
}

const listOf = (value: unknown) => (Array.isArray(value) ? (value as JsonObject[]) : []);
