import type { Caller } from "../../core/caller.ts";
import { utc, Zone } from "../../local-time/zone.ts";
import { toZones, type Zones } from "../../local-time/zones.ts";
import { readLocations } from "./locations.ts";

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
  return toZones(await readLocations(caller), usual);
}
