import { utc, Zone } from "../../local-time/zone.ts";
import { createClient } from "../../operations/client.ts";
import type { Target } from "./target.ts";

/** In which zones the times of a target's records are shown and read: those of their locations (OP-93). */
export interface Zones {
  /** The zone of a location; null: the tenant's. */
  of(locationId: number | null): Zone;
  /** Those of the tenant and of all its locations. */
  all: readonly Zone[];
}

/** Reads the zones of a target's locations. `isUtc` shows and reads everything as the wire has it. */
export async function readZones(
  { caller, tenant }: Pick<Target, "caller" | "tenant">,
  isUtc: boolean,
): Promise<Zones> {
  if (isUtc) return { all: [utc], of: () => utc };
  const usual = new Zone(tenant.time_zone);
  const { results } = await createClient(caller).call("locations.list", { query: { page_limit: 1000 } });
  const own = new Map(
    results.flatMap(({ id, time_zone }) => (time_zone ? [[id, new Zone(time_zone)] as const] : [])),
  );
  return {
    all: [usual, ...own.values()],
    of: (locationId) => (locationId === null ? usual : (own.get(locationId) ?? usual)),
  };
}
