import { sql } from "kysely";
import { countCodePoints } from "../../models/fields.ts";
import type { Page, Paging } from "../../models/page.ts";
import type { TenantAccess, TenantQueries } from "../access/access.ts";
import { defineStatement, type Parameter } from "../access/compiled.ts";
import {
  type Address,
  type Contact,
  type CustomerSettings,
  type NewAddress,
  type NewContact,
  toAddress,
  toContact,
} from "../schema/customer.ts";
import { commonNameRows } from "./address-parts.ts";
import type { Revise } from "./load-customers.ts";
import { toAddressKey } from "./match-key.ts";
import { readPage } from "./pages.ts";

export function addressQueries(access: TenantAccess, revise: Revise) {
  return {
    async insertAddress(customerId: number, address: NewAddress): Promise<Address> {
      const [name] = await access.run(findName, { customerId });
      if (!name) throw new Error(`There is no customer ${customerId}.`);
      const { name_key } = name;
      const further = await access.run(findFurtherOfName, { name_key });
      const match = { ...toMatch(address), is_common: further.length > 0, name_key };
      const row = { ...address, ...match, customer_id: customerId };
      const { id } = await access.insert("addresses", row).returning("id").executeTakeFirstOrThrow();
      await revise(customerId);
      return { ...address, id };
    },

    async updateAddress(customerId: number, { id, ...address }: Address): Promise<void> {
      const changed = { ...address, ...toMatch(address) };
      await access.update("addresses").set(changed).where("id", "=", id).execute();
      await revise(customerId);
    },

    /** Ordered by id. `active`: true returns active ones, false inactive ones, null both. */
    async pageOfAddresses(
      customerId: number,
      active: boolean | null | undefined,
      paging: Paging,
    ): Promise<Page<Address>> {
      const all = access.select("addresses").where("customer_id", "=", customerId);
      const matching = typeof active === "boolean" ? all.where("is_active", "=", active) : all;
      const page = await readPage(access, matching, paging, (rows) => rows.selectAll().orderBy("id"));
      return { ...page, rows: page.rows.map(toAddress) };
    },

    async addressesById(ids: readonly number[]): Promise<Map<number, Address>> {
      if (ids.length === 0) return new Map();
      const rows = await access.selectUnseen("addresses").where("id", "in", ids).selectAll().execute();
      return new Map(rows.map((row) => [row.id, toAddress(row)]));
    },

    findAnyAddress: (customerId: number, id: number) => findAnyAddress(access, customerId, id),
  };
}

const findName = defineStatement((access: TenantQueries, { customerId }: { customerId: Parameter<number> }) =>
  access.selectUnseen("customers").where("id", "=", customerId).select("name_key"),
);

const findFurtherOfName = defineStatement(
  (access: TenantQueries, { name_key }: { name_key: Parameter<string> }) =>
    access
      .selectUnseen("addresses")
      .where("name_key", "=", name_key)
      .select("id")
      .limit(sql.lit(1))
      .offset(sql.lit(commonNameRows - 1)),
);

async function findAnyAddress(
  access: TenantAccess,
  customerId: number,
  id: number,
): Promise<Address | undefined> {
  const row = await access
    .select("addresses")
    .where("customer_id", "=", customerId)
    .where("id", "=", id)
    .selectAll()
    .executeTakeFirst();
  return row && toAddress(row);
}

function toMatch(address: NewAddress) {
  const match_key = toAddressKey(address);
  return { match_key, match_length: countCodePoints(match_key) };
}

export function contactQueries(access: TenantAccess, revise: Revise) {
  return {
    async insertContact(customerId: number, contact: NewContact): Promise<Contact> {
      const row = { ...contact, customer_id: customerId };
      const { id } = await access.insert("contacts", row).returning("id").executeTakeFirstOrThrow();
      await revise(customerId);
      return { ...contact, id };
    },

    async updateContact(customerId: number, { id, ...contact }: Contact): Promise<void> {
      await access.update("contacts").set(contact).where("id", "=", id).execute();
      await revise(customerId);
    },

    async pageOfContacts(customerId: number, paging: Paging): Promise<Page<Contact>> {
      const matching = access.select("contacts").where("customer_id", "=", customerId);
      const page = await readPage(access, matching, paging, (rows) => rows.selectAll().orderBy("id"));
      return { ...page, rows: page.rows.map(toContact) };
    },

    async findContact(customerId: number, id: number): Promise<Contact | undefined> {
      const row = await access
        .select("contacts")
        .where("customer_id", "=", customerId)
        .where("id", "=", id)
        .selectAll()
        .executeTakeFirst();
      return row && toContact(row);
    },
  };
}

export function customerRecordQueries(access: TenantAccess, revise: Revise) {
  return {
    async insertSettings({ ...settings }: CustomerSettings): Promise<void> {
      await access.insert("customer_locations", settings).execute();
      await revise(settings.customer_id);
    },

    async updateSettings({ customer_id, location_id, ...changed }: CustomerSettings): Promise<void> {
      await access
        .update("customer_locations")
        .set(changed)
        .where("location_id", "=", location_id)
        .where("customer_id", "=", customer_id)
        .execute();
      await revise(customer_id);
    },

    /** Visible locations by id. `active` as for addresses. */
    async pageOfLocations(
      customerId: number,
      active: boolean | null | undefined,
      paging: Paging,
    ): Promise<Page<number>> {
      const all = access.select("customer_locations").where("customer_id", "=", customerId);
      const matching = typeof active === "boolean" ? all.where("is_active", "=", active) : all;
      const page = await readPage(access, matching, paging, (rows) =>
        rows.select("location_id").orderBy("location_id"),
      );
      return { ...page, rows: page.rows.map(({ location_id }) => location_id) };
    },
  };
}
