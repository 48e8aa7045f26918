import type { Clock } from "./usual-clock.ts";
import { Zone } from "./zone.ts";

export interface Zones {
  /** The location's zone; the tenant's for null. */
  of(locationId: number | null): Zone;
  /** The zones of the tenant and of all locations. */
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
