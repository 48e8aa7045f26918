import type { Caller } from "../../core/caller.ts";
import { utc, Zone } from "../../local-time/zone.ts";
import { readLocations } from "./locations.ts";

/** In which zones the times of a target's records are shown and read: those of their locations (OP-93). */
export interface Zones {
  /** The zone of a location; null: the tenant's. */
  of(locationId: number | null): Zone;
  /** Those of the tenant and of all its locations. */
  all: readonly Zone[];
}

/** Reads the zones of a target's locations, once. `isUtc` shows and reads everything as the wire has it. */
export async function readZones(
  { caller, tenant }: { caller: Caller; tenant: { time_zone: string } },
  isUtc: boolean,
): Promise<Zones> {
  if (isUtc) return { all: [utc], of: () => utc };
  const read = zonesByCaller.get(caller) ?? readOnce(caller, new Zone(tenant.time_zone));
  zonesByCaller.set(caller, read);
  read.catch(() => zonesByCaller.delete(caller));
  return read;
}

/** A command reads its times, shows those of records and says the zone: all of them ask. */
const zonesByCaller = new WeakMap<Caller, Promise<Zones>>();

async function readOnce(caller: Caller, usual: Zone): Promise<Zones> {
  const locations = await readLocations(caller);
  const own = new Map(
    locations.flatMap(({ id, time_zone }) => (time_zone ? [[id, new Zone(time_zone)] as const] : [])),
  );
  const all = new Map([usual, ...own.values()].map((zone) => [zone.name, zone]));
  return {
    all: [...all.values()],
    of: (locationId) => (locationId === null ? usual : (own.get(locationId) ?? usual)),
  };
}
