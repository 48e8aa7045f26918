import type { Reference } from "../records.ts";

/** The driver that a body gives to a truck: one of the truck's own location. */
export function toDriverReference(model: string, locationId: number): Reference {
  return {
    field: `${model}.driver_id`,
    table: "drivers",
    noun: "driver",
    listedBy: { operation: "drivers.list", params: { location_id: locationId } },
    locationId,
  };
}
