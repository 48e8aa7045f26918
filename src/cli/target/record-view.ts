import type { ListedLocation } from "../../board/read-locations.ts";
import { readLocations } from "../../board/read-locations.ts";
import { readZones } from "../../board/read-zones.ts";
import { Zone } from "../../local-time/zone.ts";
import type { Zones } from "../../local-time/zones.ts";
import { type JobType, toTypeName } from "../../models/job-types.ts";
import type { JsonObject } from "../../models/json.ts";
import { toPlainName, type View } from "../presentation/view.ts";
import { createNames } from "./names.ts";
import type { Target } from "./target.ts";

/** `locationId` is the command's location, for records without one. */
export function createRecordView(
  target: Pick<Target, "client" | "clock" | "tenant">,
  { isUtc, locationId }: { isUtc: boolean; locationId: number | null },
): View {
  const { client, clock, tenant } = target;
  const names = createNames(client);
  let zones: Pick<Zones, "of"> = { of: () => new Zone(isUtc ? "UTC" : tenant.time_zone) };
  let locations: readonly ListedLocation[] | null = null;
  let zoneNames = new Set<string>();
  const placeOf = ({ location_id }: JsonObject) =>
    typeof location_id === "number" ? location_id : locationId;
  return {
    async learn(records, fields) {
      const isPlaced = fields.includes("location_id") || records.some((record) => placeOf(record) !== null);
      if (locations === null && isPlaced) {
        // A caller that may not list locations gets times in the tenant's zone.
        locations = await readLocations(client).catch(() => []);
        if (locations.length > 0) zones = await readZones(target, isUtc);
      }
      zoneNames = new Set([...zoneNames, ...records.map((record) => zones.of(placeOf(record)).name)]);
      const others = fields.filter((field) => field !== "location_id");
      await names.learn(records, others, placeOf);
    },
    timesOf(record) {
      const zone = zones.of(placeOf(record));
      return { zone, today: zone.dateOf(clock.now()) };
    },
    nameIn: (record, field) =>
      ((field === "location_id" && locations?.find(({ id }) => id === record.location_id)?.name) ||
        names.nameIn(record, field)) ??
      toPlainName(field, record[field]),
    typeOf(record) {
      const location = locations?.find(({ id }) => id === placeOf(record));
      return toTypeName(location ?? null, record.type as JobType);
    },
    hasSeveralZones: () => zoneNames.size > 1,
  };
}
