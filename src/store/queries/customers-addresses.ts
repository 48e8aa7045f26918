import type { Page, Paging } from "../../models/page.ts";
import type { TenantAccess } from "../access/access.ts";
import { type Address, type NewAddress, toAddress } from "../schema/customer.ts";
import type { Revise } from "./load-customers.ts";
import { countCodePoints, toAddressKey } from "./match-key.ts";
import { readPage } from "./pages.ts";

/** The addresses of customers. */
export function addressQueries(access: TenantAccess, revise: Revise) {
  return {
    async insertAddress(customerId: number, address: NewAddress): Promise<Address> {
      const { name_key } = await access
        .selectUnseen("customers")
        .where("id", "=", customerId)
        .select("name_key")
        .executeTakeFirstOrThrow();
      const row = { ...address, ...toMatch(address), customer_id: customerId, name_key };
      const { id } = await access.insert("addresses", row).returning("id").executeTakeFirstOrThrow();
      await revise(customerId);
      return { ...address, id };
    },

    async updateAddress(customerId: number, { id, ...address }: Address): Promise<void> {
      const changed = { ...address, ...toMatch(address) };
      await access.update("addresses").set(changed).where("id", "=", id).execute();
      await revise(customerId);
    },

    /** The customer's addresses by id. `active`: true only active ones, false only others, null both. */
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

    /** Addresses by their ids, active or not, for records that the caller sees. */
    async addressesById(ids: readonly number[]): Promise<Map<number, Address>> {
      if (ids.length === 0) return new Map();
      const rows = await access.selectUnseen("addresses").where("id", "in", ids).selectAll().execute();
      return new Map(rows.map((row) => [row.id, toAddress(row)]));
    },

    /** The address, active or not, when it belongs to the customer. */
    findAnyAddress: (customerId: number, id: number) => findAnyAddress(access, customerId, id),
  };
}

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
