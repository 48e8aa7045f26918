import type { Board, BoardLocation } from "../../../board/board.ts";
import { type Route, toRoutes } from "../../../board/routes.ts";
import { type Place, toKnownPlace } from "../../../geography/projection.ts";
import { findApproximate, type ZipCenters } from "../../../geography/zip-centers.ts";
import type { TimeView } from "../../../local-time/show-time.ts";
import { Zone } from "../../../local-time/zone.ts";
import type { Timestamp } from "../../../runtime/clock.ts";

export interface MapData {
  /** Jobs whose position is only the center of their ZIP, or the location's. */
  approximate: ReadonlySet<number>;
  location: BoardLocation;
  placeless: Route["placeless"];
  readOn: Timestamp;
  routes: Route[];
  view: TimeView;
  yard: Place | null;
}

export function toMapData(
  location: BoardLocation,
  { date, generated_on: readOn }: Pick<Board, "date" | "generated_on">,
  centerOf: ZipCenters,
): MapData {
  const busy = location.trucks.filter(({ jobs }) => jobs.length > 0);
  const routes = toRoutes(busy, location);
  const placeless = routes.flatMap((route) => route.placeless);
  const view = { today: date, zone: new Zone(location.time_zone, location.clock) };
  const yard = toKnownPlace(location);
  const jobs = routes.flatMap(({ stops }) => stops.map(({ job }) => job));
  return {
    approximate: findApproximate(jobs, centerOf, yard),
    ...{ location, placeless, readOn, routes, view, yard },
  };
}
