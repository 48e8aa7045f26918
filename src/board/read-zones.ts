import type { Client } from "../client/client.ts";
import { utc, Zone } from "../local-time/zone.ts";
import { toZones, type Zones } from "../local-time/zones.ts";
import { readLocations } from "./read-locations.ts";

/** Reads once. `isUtc`: every zone is UTC. */
export async function readZones(
  { client, tenant }: { client: Client; tenant: { time_zone: string } },
  isUtc: boolean,
): Promise<Zones> {
  if (isUtc) return { all: [utc], of: () => utc };
  const read = zonesByCaller.get(client) ?? readOnce(client, new Zone(tenant.time_zone));
  zonesByCaller.set(client, read);
  read.catch(() => zonesByCaller.delete(client));
  return read;
}

const zonesByCaller = new WeakMap<Client, Promise<Zones>>();

async function readOnce(client: Client, usual: Zone): Promise<Zones> {
  return toZones(await readLocations(client), usual);
}
