import type { Context } from "../core/context.ts";
import { defineOperation } from "../core/operation.ts";
import { DispatchError } from "../errors/errors.ts";
import { id } from "../models/fields.ts";
import { GpsEventProfileModel, GpsStopModel, TruckPlaceListModel } from "../models/gps.ts";
import { paging } from "../models/page.ts";
import { listAtLocation, requireLocation } from "./records.ts";

/** Customers see the trucks of their jobs, but not their positions, which show where a driver is. */
export const lastGps = defineOperation({
  name: "gps.last",
  summary: "Show the last position of each truck of a location",
  route: "GET /locations/{location_id}/gps_events/last",
  params: { location_id: id() },
  query: paging,
  output: TruckPlaceListModel,
  allow: ["Admin", "CrmUser", "Dispatcher", "Driver", "ThirdPartyDispatcher", "ThirdPartyDriver"],
  extension: true,
  run: (context, { params, query }) =>
    listAtLocation(context, params.location_id, query, (paging) =>
      context.store.gps.lastPlaces(params.location_id, paging),
    ),
});

/** No event and no audit entry: positions are frequent measurements, not changes of a record. */
export const recordGps = defineOperation({
  name: "gps.record",
  summary: "Record your position as a driver",
  route: "POST /locations/{location_id}/gps_events",
  params: { location_id: id() },
  body: GpsEventProfileModel,
  output: GpsStopModel,
  allow: ["Driver", "ThirdPartyDriver"],
  changes: { writes: "rows" },
  async run(context, { params, body }) {
    const { now, store } = context;
    const driverId = requireDriver(context);
    await requireLocation(context, params.location_id);
    const { coords, timestamp } = body.location;
    return store.gps.insert({
      accuracy: coords?.accuracy ?? null,
      altitude: coords?.altitude ?? null,
      bearing: coords?.heading ?? null,
      created_on: now,
      device_name: null,
      driver_id: driverId,
      latitude: coords?.latitude ?? null,
      location_id: params.location_id,
      longitude: coords?.longitude ?? null,
      measured_on: timestamp,
      truck_id: await store.gps.truckOf(driverId, params.location_id),
      velocity: coords?.speed ?? null,
    });
  },
});

function requireDriver({ actor }: Context): number {
  const { driver_id, username } = actor.user;
  if (driver_id !== null) return driver_id;
  const detail = `gps.record is for drivers; the user ${username} has the role but is not bound to a driver.`;
  const see = { operation: "users.update", body: { driver_id: "{driver_id}" } } as const;
  throw new DispatchError([{ code: "role_not_allowed", detail, field: null, see }]);
}
