import type { Selectable } from "kysely";
import type { Page, Paging } from "../../models/page.ts";
import type { TenantAccess } from "../access.ts";
import type { Database } from "../database.ts";
import { readPage } from "./pages.ts";

export type Truck = ReturnType<typeof toTruck>;
export type NewTruck = Omit<Truck, "id">;

export function truckQueries(access: TenantAccess) {
  return {
    /** The truck, when it belongs to the location and may be seen. */
    async find(locationId: number, id: number): Promise<Truck | undefined> {
      const row = await access
        .select("trucks")
        .where("location_id", "=", locationId)
        .where("id", "=", id)
        .selectAll()
        .executeTakeFirst();
      return row && toTruck(row);
    },
    async page(locationId: number, paging: Paging): Promise<Page<Truck>> {
      const matching = access.select("trucks").where("location_id", "=", locationId);
      const page = await readPage(access, matching, paging, (rows) => rows.selectAll().orderBy("id"));
      return { ...page, rows: page.rows.map(toTruck) };
    },
    async insert(truck: NewTruck): Promise<Truck> {
      const { id } = await access.insert("trucks", truck).returning("id").executeTakeFirstOrThrow();
      return { ...truck, id };
    },
    async update(id: number, changed: Partial<NewTruck>): Promise<void> {
      if (Object.keys(changed).length === 0) return;
      await access.update("trucks").set(changed).where("id", "=", id).execute();
    },
    /** The name of a driver, for records that the caller sees. */
    async driverName(driverId: number): Promise<string | undefined> {
      const row = await access
        .selectUnseen("drivers")
        .where("id", "=", driverId)
        .select("name")
        .executeTakeFirst();
      return row?.name;
    },
    /** How many trucks the tenant has, seen or not: for the tenant's limit. */
    async countAll(): Promise<number> {
      return access.count(access.selectUnseen("trucks"), Number.MAX_SAFE_INTEGER);
    },
  };
}

function toTruck({ tenant_id: _, ...row }: Selectable<Database["trucks"]>) {
  return {
    ...row,
    out_of_service: Boolean(row.out_of_service),
    require_odometer: Boolean(row.require_odometer),
  };
}
