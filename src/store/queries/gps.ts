import type { Insertable, Selectable } from "kysely";
import type { TenantAccess } from "../access/access.ts";
import type { Database } from "../schema/database.ts";

export type NewGpsEvent = Omit<Insertable<Database["gps_events"]>, "id" | "tenant_id">;
type GpsEvent = Omit<Selectable<Database["gps_events"]>, "tenant_id">;

export function gpsQueries(access: TenantAccess) {
  return {
    /** The truck that a driver drives at a location: the oldest of several, null when there is none. */
    async truckOf(driverId: number, locationId: number): Promise<number | null> {
      const row = await access
        .selectUnseen("trucks")
        .where("driver_id", "=", driverId)
        .where("location_id", "=", locationId)
        .select("id")
        .orderBy("id")
        .executeTakeFirst();
      return row?.id ?? null;
    },
    async insert(event: NewGpsEvent): Promise<GpsEvent> {
      const inserted = await access.insert("gps_events", event).returningAll().executeTakeFirstOrThrow();
      const { tenant_id: _, ...row } = inserted as Selectable<Database["gps_events"]>;
      return row;
    },
  };
}
