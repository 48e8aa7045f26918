import type { TestDatabase } from "./databases.ts";
import type { TestTenant } from "./tenants.ts";

/** Records that jobs point to. */
export interface Fleet {
  assetId: number;
  assetTypeId: number;
  dumpId: number;
}

/** Inserts one of each into a tenant's store directly. */
export function addFleet(database: TestDatabase, { locationId, tenantId }: TestTenant): Fleet {
  const owned = { location_id: locationId, tenant_id: tenantId };
  const assetTypeId = database.insert("asset_types", {
    ...owned,
    deleted: 0,
    is_default: 1,
    name: "20 yd roll-off",
    quantity: 4,
    require_numbers: 0,
    weight: 1500.5,
  });
  const assetId = database.insert("assets", {
    ...owned,
    asset_type_id: assetTypeId,
    description: "Blue",
    is_returned: 0,
    location: JSON.stringify({ line_1: "1 Dock Road", locality: "Tacoma" }),
    number: "R-20",
  });
  const dumpId = database.insert("dump_destinations", {
    ...owned,
    city: "Tacoma",
    description: "North landfill",
    is_active: 1,
    is_holding_yard: 0,
    latitude: 47.25,
  });
  return { assetId, assetTypeId, dumpId };
}
