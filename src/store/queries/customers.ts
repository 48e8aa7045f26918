import type { Timestamp } from "../../clock.ts";
import type { Page, Paging } from "../../models/page.ts";
import type { TenantAccess } from "../access.ts";
import { isLike } from "./like.ts";
import {
  type Address,
  type Contact,
  type Customer,
  type CustomerSettings,
  loadCustomers,
  type NewAddress,
  type NewContact,
  toAddress,
} from "./load-customers.ts";
import { type AddressParts, foldCase, isWithin, toAddressKey, toMatchKey } from "./match-key.ts";
import { type Matching, readPage } from "./pages.ts";

export interface CustomerFilters {
  active: boolean | null;
  created_on_gte: Timestamp | null;
  is_parent: boolean | null;
  last_updated_gte: Timestamp | null;
  /** `*` stands for any characters; otherwise exact. Case does not count. */
  name: string | null;
  parent_id: number | null;
}

const noFilters: CustomerFilters = {
  active: null,
  created_on_gte: null,
  is_parent: null,
  last_updated_gte: null,
  name: null,
  parent_id: null,
};

export function customerQueries(access: TenantAccess) {
  const { selectUnseen } = access;

  const load = (ids: readonly number[]) => loadCustomers(access, ids);

  /** Every statement that changes a customer, or what hangs on it, gives it a new revision: caches go by that. */
  const revise = (id: number) =>
    access
      .update("customers")
      .set((eb) => ({ revision: eb("revision", "+", 1) }))
      .where("id", "=", id)
      .execute();

  return {
    load,

    async find(id: number): Promise<Customer | undefined> {
      const seen = await access.select("customers").where("id", "=", id).select("id").executeTakeFirst();
      return seen && (await load([id])).get(id);
    },

    /** The customer, when it has a record at the location and may be seen. */
    async findAt(locationId: number, id: number): Promise<Customer | undefined> {
      const seen = await access
        .select("customer_locations")
        .where("location_id", "=", locationId)
        .where("customer_id", "=", id)
        .select("customer_id")
        .executeTakeFirst();
      return seen && (await load([id])).get(id);
    },

    /** Customers of the tenant by id; with a location those that have a record there. */
    async page(locationId: number | null, filters: CustomerFilters, paging: Paging): Promise<Page<Customer>> {
      let matching = access.select("customers");
      const chosen = filterCustomers(access, filters);
      if (chosen) matching = matching.where("id", "in", chosen);
      const records = filterRecords(access, access.selectUnseen("customer_locations"), {
        ...noFilters,
        active: filters.active,
      });
      const here = locationId === null ? records : records.where("location_id", "=", locationId);
      if (locationId !== null || filters.active !== null)
        matching = matching.where("id", "in", here.select("customer_id"));
      if (filters.created_on_gte !== null)
        matching = matching.where("created_on", ">=", filters.created_on_gte);
      const page = await readPage(access, matching, paging, (rows) => rows.select("id").orderBy("id"));
      const ids = page.rows.map((row) => row.id);
      return { ...page, rows: inOrder(ids, await load(ids)) };
    },

    /** Customers with a record at the location, by id. */
    async pageAt(locationId: number, filters: CustomerFilters, paging: Paging): Promise<Page<Customer>> {
      const here = access.select("customer_locations").where("location_id", "=", locationId);
      const page = await readPage(access, filterRecords(access, here, filters), paging, (rows) =>
        rows.select("customer_id").orderBy("customer_id"),
      );
      const ids = page.rows.map((row) => row.customer_id);
      return { ...page, rows: inOrder(ids, await load(ids)) };
    },

    async insert(customer: {
      name: string;
      parent_id: number | null;
      created_on: Timestamp;
    }): Promise<number> {
      const row = {
        ...customer,
        last_updated_on: customer.created_on,
        name_folded: foldCase(customer.name),
        name_key: toMatchKey(customer.name),
        revision: 0,
      };
      const { id } = await access.insert("customers", row).returning("id").executeTakeFirstOrThrow();
      return id;
    },

    async insertSettings({ ...settings }: CustomerSettings): Promise<void> {
      await access.insert("customer_locations", settings).execute();
      await revise(settings.customer_id);
    },

    async insertAddress(customerId: number, address: NewAddress): Promise<Address> {
      const row = { ...address, customer_id: customerId, match_key: toAddressKey(address) };
      const { id } = await access.insert("addresses", row).returning("id").executeTakeFirstOrThrow();
      await revise(customerId);
      return { ...address, id };
    },

    async insertContact(customerId: number, contact: NewContact): Promise<Contact> {
      const row = { ...contact, customer_id: customerId };
      const { id } = await access.insert("contacts", row).returning("id").executeTakeFirstOrThrow();
      await revise(customerId);
      return { ...contact, id };
    },

    /** Keeps that something about the customer changed. */
    async touch(id: number, at: Timestamp): Promise<void> {
      await access.update("customers").set({ last_updated_on: at }).where("id", "=", id).execute();
      await revise(id);
    },

    /**
     * An active customer at the location with the same name and an address within `edits` edits of one of `addresses`
     * (OP-33). Looks past what the caller may see: a second record would be as wrong.
     */
    async findDuplicate(
      locationId: number,
      name: string,
      addresses: readonly AddressParts[],
      edits: number,
    ): Promise<number | undefined> {
      const candidates = await selectUnseen("customers")
        .where("name_key", "=", toMatchKey(name))
        .where("id", "in", activeAt(access, locationId))
        .select("id")
        .orderBy("id")
        .execute();
      if (candidates.length === 0) return undefined;
      const keys = addresses.map(toAddressKey);
      const known = await selectUnseen("addresses")
        .where(
          "customer_id",
          "in",
          candidates.map(({ id }) => id),
        )
        .where("is_active", "=", true)
        .select(["customer_id", "match_key"])
        .execute();
      return candidates.find(({ id }) => {
        const own = known.filter((address) => address.customer_id === id);
        if (keys.length === 0 || own.length === 0) return keys.length === own.length;
        return own.some(({ match_key }) => keys.some((key) => isWithin(edits, key, match_key)));
      })?.id;
    },

    /** The customer's addresses by id. `active`: true only active ones, false only others, null both. */
    async pageOfAddresses(
      customerId: number,
      active: boolean | null,
      paging: Paging,
    ): Promise<Page<Address>> {
      const all = access.select("addresses").where("customer_id", "=", customerId);
      const matching = active === null ? all : all.where("is_active", "=", active);
      const page = await readPage(access, matching, paging, (rows) => rows.selectAll().orderBy("id"));
      return { ...page, rows: page.rows.map(toAddress) };
    },

    /** Addresses by their ids, active or not, for records that the caller sees. */
    async addressesById(ids: readonly number[]): Promise<Map<number, Address>> {
      if (ids.length === 0) return new Map();
      const rows = await selectUnseen("addresses").where("id", "in", ids).selectAll().execute();
      return new Map(rows.map((row) => [row.id, toAddress(row)]));
    },

    /** The address, when it is active and belongs to the customer. */
    async findAddress(customerId: number, id: number): Promise<Address | undefined> {
      const row = await access
        .select("addresses")
        .where("customer_id", "=", customerId)
        .where("id", "=", id)
        .where("is_active", "=", true)
        .selectAll()
        .executeTakeFirst();
      return row && toAddress(row);
    },
  };
}

function activeAt(access: TenantAccess, locationId: number) {
  return access
    .selectUnseen("customer_locations")
    .where("location_id", "=", locationId)
    .where("is_active", "=", true)
    .select("customer_id");
}

function filterRecords(
  access: TenantAccess,
  records: Matching<"customer_locations">,
  filters: CustomerFilters,
): Matching<"customer_locations"> {
  let matching = records;
  if (filters.active !== null) matching = matching.where("is_active", "=", filters.active);
  if (filters.created_on_gte !== null) matching = matching.where("created_on", ">=", filters.created_on_gte);
  const customers = filterCustomers(access, filters);
  return customers ? matching.where("customer_id", "in", customers) : matching;
}

/** The customers that the filters on the customer itself keep; null when there are none such filters. */
function filterCustomers(access: TenantAccess, filters: CustomerFilters) {
  const { is_parent, last_updated_gte, name, parent_id } = filters;
  if ([is_parent, last_updated_gte, name, parent_id].every((filter) => filter === null)) return null;
  let matching = access.selectUnseen("customers");
  if (name !== null) {
    matching = name.includes("*")
      ? matching.where(isLike("name_folded", foldCase(name)))
      : matching.where("name_folded", "=", foldCase(name));
  }
  if (parent_id !== null) matching = matching.where("parent_id", "=", parent_id);
  if (last_updated_gte !== null) matching = matching.where("last_updated_on", ">", last_updated_gte);
  if (is_parent !== null) {
    const parents = access.selectUnseen("customers").where("parent_id", "is not", null).select("parent_id");
    matching = matching.where("id", is_parent ? "in" : "not in", parents);
  }
  return matching.select("id");
}

function inOrder(ids: readonly number[], customers: ReadonlyMap<number, Customer>): Customer[] {
  return ids.flatMap((id) => customers.get(id) ?? []);
}
