import type { OwnedTable } from "../schema/database.ts";

/** How a tenant's table is copied: the order of its rows, and the column that refers to the table itself. */
export interface CopiedTable {
  name: OwnedTable;
  key: readonly string[];
  parent?: string;
}

/** Every table of a tenant, each after the tables that it refers to. */
const order = {
  users: {},
  tokens: {},
  locations: {},
  customers: { parent: "parent_id" },
  customer_locations: { key: ["location_id", "customer_id"] },
  addresses: {},
  contacts: {},
  drivers: {},
  trucks: {},
  asset_types: {},
  assets: {},
  dump_destinations: {},
  materials: {},
  jobs: { parent: "pickup_of" },
  job_images: {},
  job_items: {},
  job_materials: {},
  job_returns: {},
  gps_events: {},
  hauler_connections: {},
  chat_messages: {},
  hooks: {},
  events: {},
  deliveries: {},
  delivery_attempts: {},
  audit: {},
  usage: { key: ["token_id", "operation", "api_version"] },
} satisfies Record<OwnedTable, { key?: readonly string[]; parent?: string }>;

export const copiedTables: readonly CopiedTable[] = Object.entries(order).map(([name, hints]) => ({
  key: ["id"],
  ...hints,
  // The keys of `order` are exactly the owned tables.
  name: name as OwnedTable,
}));
