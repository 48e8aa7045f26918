import { type ExpressionBuilder, expressionBuilder, type Insertable, type Selectable } from "kysely";
import type { Paging } from "../../models/page.ts";
import type { TenantAccess } from "../access/access.ts";
import type { Database } from "../schema/database.ts";
import { readPage } from "./pages.ts";

export type NewGpsEvent = Omit<Insertable<Database["gps_events"]>, "id" | "tenant_id">;
type GpsEvent = Omit<Selectable<Database["gps_events"]>, "tenant_id">;

export function gpsQueries(access: TenantAccess) {
  return {
    /** The oldest of several trucks; null without one. */
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
    async lastPlaces(locationId: number, paging: Paging) {
      const trucks = access.select("trucks").where("trucks.location_id", "=", locationId);
      const placed = trucks.where((eb) => eb.exists(placesOf(eb)));
      return readPage(access, placed, paging, (rows) =>
        rows
          .innerJoin("gps_events", (join) =>
            join
              .onRef("gps_events.tenant_id", "=", "trucks.tenant_id")
              .on("gps_events.id", "=", lastOf(expressionBuilder<Database, "trucks">())),
          )
          .select([
            "gps_events.bearing",
            "gps_events.driver_id",
            "gps_events.id",
            "gps_events.measured_on",
            "gps_events.velocity",
            "trucks.id as truck_id",
          ])
          .select(({ ref }) => [
            ref("gps_events.latitude").$notNull().as("latitude"),
            ref("gps_events.longitude").$notNull().as("longitude"),
          ])
          .orderBy("trucks.id"),
      );
    },
    async insert(event: NewGpsEvent): Promise<GpsEvent> {
      const inserted = await access.insert("gps_events", event).returningAll().executeTakeFirstOrThrow();
      const { tenant_id: _, ...row } = inserted as Selectable<Database["gps_events"]>;
      return row;
    },
  };
}

/** The condition of the partial index, which omits events without coordinates. */
function placesOf(trucks: ExpressionBuilder<Database, "trucks">) {
  return trucks
    .selectFrom("gps_events")
    .whereRef("gps_events.tenant_id", "=", "trucks.tenant_id")
    .whereRef("gps_events.truck_id", "=", "trucks.id")
    .where("gps_events.latitude", "is not", null)
    .where("gps_events.longitude", "is not", null)
    .select("gps_events.id");
}

/** Positions may arrive late and out of order. */
function lastOf(trucks: ExpressionBuilder<Database, "trucks">) {
  return placesOf(trucks).orderBy("gps_events.measured_on", "desc").orderBy("gps_events.id", "desc").limit(1);
}
