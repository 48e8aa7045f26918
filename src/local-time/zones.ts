import { Zone } from "./zone.ts";

/** In which zones the times of a target's records are shown and read: those of their locations. */
export interface Zones {
  /** The zone of a location; null: the tenant's. */
  of(locationId: number | null): Zone;
  /** Those of the tenant and of all its locations. */
  all: readonly Zone[];
}

/** The zones of locations; those that name none have the tenant's. */
export function toZones(locations: readonly { id: number; time_zone?: string | null }[], usual: Zone): Zones {
  const own = new Map(
    locations.flatMap(({ id, time_zone }) => (time_zone ? [[id, new Zone(time_zone)] as const] : [])),
  );
  const all = new Map([usual, ...own.values()].map((zone) => [zone.name, zone]));
  return {
    all: [...all.values()],
    of: (locationId) => (locationId === null ? usual : (own.get(locationId) ?? usual)),
  };
}
