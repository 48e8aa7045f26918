import type { Page, Paging } from "../../models/page.ts";
import type { TenantAccess } from "../access/access.ts";
import type { CustomerSettings } from "../schema/customer.ts";
import type { Revise } from "./load-customers.ts";
import { readPage } from "./pages.ts";

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

    /** Only locations that the caller sees, by id. `active` as for addresses. */
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
