import type { Selectable } from "kysely";
import type { Page, Paging } from "../../models/page.ts";
import type { TenantAccess } from "../access.ts";
import type { Database } from "../database.ts";
import { readPage } from "./pages.ts";

/** A place that jobs are dispatched from; address and contact are plain objects. */
export type Location = ReturnType<typeof toLocation>;

/** What a location is made of; its id is given by the store. */
export type NewLocation = Omit<Location, "id">;

export function locationQueries(access: TenantAccess) {
  return {
    async find(id: number): Promise<Location | undefined> {
      const row = await access.select("locations").where("id", "=", id).selectAll().executeTakeFirst();
      return row && toLocation(row);
    },
    async page(paging: Paging): Promise<Page<Location>> {
      const page = await readPage(access, access.select("locations"), paging, (rows) =>
        rows.selectAll().orderBy("id"),
      );
      return { ...page, rows: page.rows.map(toLocation) };
    },
    async insert(location: NewLocation): Promise<Location> {
      const { address, contact, ...plain } = location;
      const row = { ...plain, address: toText(address), contact: toText(contact) };
      const { id } = await access.insert("locations", row).returning("id").executeTakeFirstOrThrow();
      return { ...location, id };
    },
  };
}

const toText = (value: object | null) => (value === null ? null : JSON.stringify(value));

function toLocation({ tenant_id: _, ...row }: Selectable<Database["locations"]>) {
  return {
    ...row,
    address: row.address === null ? null : (JSON.parse(row.address) as object),
    contact: row.contact === null ? null : (JSON.parse(row.contact) as object),
    driver_self_assignment: Boolean(row.driver_self_assignment),
    is_active: Boolean(row.is_active),
    require_reference_number: Boolean(row.require_reference_number),
    require_signature: Boolean(row.require_signature),
    use_additional_items: Boolean(row.use_additional_items),
  };
}
