import type { Page, Paging } from "../../models/page.ts";
import type { TenantAccess } from "../access/access.ts";
import { type Contact, type NewContact, toContact } from "../schema/customer.ts";
import type { Revise } from "./load-customers.ts";
import { readPage } from "./pages.ts";

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
