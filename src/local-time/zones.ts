import type { Clock } from "./usual-clock.ts";
import { Zone } from "./zone.ts";

/** The zones of a target's records, which are those of their locations. */
export interface Zones {
  /** The tenant's for null. */
  of(locationId: number | null): Zone;
  /** The tenant's and all locations'. */
  all: readonly Zone[];
}

interface ZonedLocation {
  clock?: Clock | null;
  id: number;
  time_zone?: string | null;
}

/** A location without a zone has the tenant's. */
export function toZones(locations: readonly ZonedLocation[], usual: Zone): Zones {
  const own = new Map(
    locations.flatMap(({ clock, id, time_zone }) =>
      time_zone || clock ? [[id, new Zone(time_zone ?? usual.name, clock)] as const] : [],
    ),
  );
  const all = new Map([usual, ...own.values()].map((zone) => [zone.name, zone]));
  return {
    all: [...all.values()],
    of: (locationId) => (locationId === null ? usual : (own.get(locationId) ?? usual)),
  };
}
