import type { Selectable } from "kysely";
import type { TenantAccess, TenantQueries } from "../access/access.ts";
import { defineStatement, type ListParameter } from "../access/compiled.ts";
import {
  type Customer,
  type CustomerSettings,
  toAddress,
  toContact,
  toSettings,
} from "../schema/customer.ts";
import type { Database } from "../schema/database.ts";

export type Revise = (id: number) => Promise<void>;

/** The caller may see these ids. The cache shares the customers while the revision is the same, so they are frozen. */
export async function loadCustomers(
  access: TenantAccess,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Customer>> {
  const customers = await loadWholeCustomers(access, ids);
  return hideUnseenLocations(access, customers);
}

export async function loadWholeCustomers(
  access: TenantAccess,
  ids: readonly number[],
): Promise<Map<number, Customer>> {
  const found = new Map(ids.map((id) => [id, access.customers.known(id)]));
  const asked = ids.filter((id) => !found.get(id));
  const rows = asked.length === 0 ? [] : await access.run(findRevisions, { ids: asked });
  // Read once: a concurrent reader may replace the cached customer with a newer one.
  for (const { id, revision } of rows) found.set(id, access.customers.get(id, revision));
  const missing = rows.flatMap(({ id }) => (found.get(id) === undefined ? [id] : []));
  for (const [id, customer] of await assemble(access, missing)) found.set(id, customer);
  return new Map([...found].flatMap(([id, customer]) => (customer ? [[id, customer] as const] : [])));
}

/** A caller with different roles for a location and for customers sees all locations of these customers only. */
export async function hideUnseenLocations(
  access: TenantAccess,
  customers: ReadonlyMap<number, Customer>,
): Promise<ReadonlyMap<number, Customer>> {
  if (access.coversAllLocations || customers.size === 0) return customers;
  const rows = await access.run(findSeenLocations, { ids: [...customers.keys()] });
  const seen = new Set(rows.map(({ customer_id, location_id }) => `${customer_id} ${location_id}`));
  const isSeen = ({ customer_id, location_id }: CustomerSettings) =>
    seen.has(`${customer_id} ${location_id}`);
  return new Map(
    [...customers].map(([id, customer]) => [
      id,
      customer.locations.every(isSeen)
        ? customer
        : { ...customer, locations: customer.locations.filter(isSeen) },
    ]),
  );
}

async function assemble(access: TenantAccess, ids: readonly number[]): Promise<Map<number, Customer>> {
  if (ids.length === 0) return new Map();
  const [customers, addresses, contacts, locations] = await Promise.all([
    access.run(findCustomers, { ids }),
    access.run(findAddresses, { ids }),
    access.run(findContacts, { ids }),
    access.run(findLocations, { ids }),
  ]);
  const found = new Map(customers.map((row) => [row.id, toCustomer(row)]));
  for (const row of addresses) found.get(row.customer_id)?.addresses.push(toAddress(row));
  for (const row of contacts) found.get(row.customer_id)?.contacts.push(toContact(row));
  for (const row of locations) found.get(row.customer_id)?.locations.push(toSettings(row));
  for (const { id, revision } of customers) access.customers.keep(id, revision, Object.freeze(found.get(id)));
  return found;
}

function toCustomer(row: Selectable<Database["customers"]>): Customer {
  const { created_on, id, last_updated_on, name, parent_id } = row;
  return { addresses: [], contacts: [], created_on, id, last_updated_on, locations: [], name, parent_id };
}

interface Ids {
  ids: ListParameter<number>;
}

const findRevisions = defineStatement(({ selectUnseen }: TenantQueries, { ids }: Ids) =>
  selectUnseen("customers")
    .where("id", ...ids)
    .select(["id", "revision"]),
);

const findCustomers = defineStatement(({ selectUnseen }: TenantQueries, { ids }: Ids) =>
  selectUnseen("customers")
    .where("id", ...ids)
    .selectAll(),
);

const findAddresses = defineStatement(({ selectUnseen }: TenantQueries, { ids }: Ids) =>
  selectUnseen("addresses")
    .where("customer_id", ...ids)
    .where("is_active", "=", true)
    .selectAll()
    .orderBy("id"),
);

const findContacts = defineStatement(({ selectUnseen }: TenantQueries, { ids }: Ids) =>
  selectUnseen("contacts")
    .where("customer_id", ...ids)
    .selectAll()
    .orderBy("id"),
);

const findLocations = defineStatement(({ selectUnseen }: TenantQueries, { ids }: Ids) =>
  selectUnseen("customer_locations")
    .where("customer_id", ...ids)
    .selectAll()
    .orderBy("location_id"),
);

const findSeenLocations = defineStatement(({ select }: TenantQueries, { ids }: Ids) =>
  select("customer_locations")
    .where("customer_id", ...ids)
    .select(["customer_id", "location_id"]),
);
