export const baselineStatistics = toStatistics({
  addresses: {
    addresses_by_customer: "150000 15000 2 1",
    addresses_by_match: "150000 15000 2000 2000 1 1",
    addresses_by_part_0: "100000 100000 10000 1",
    addresses_by_part_1: "100000 100000 10000 1",
    addresses_by_part_2: "100000 100000 10000 1",
    addresses_by_part_3: "100000 100000 10000 1",
    addresses_by_part_4: "100000 100000 10000 1",
    addresses_by_part_5: "100000 100000 10000 1",
  },
  asset_types: { asset_types_by_location: "1000 100 20 1" },
  assets: { assets_by_customer: "20000 2000 5", assets_by_location: "20000 2000 500 1" },
  audit: {
    audit_by_record: "1000000 100000 50000 5 1",
    audit_by_tenant: "1000000 100000 1",
    audit_by_user: "1000000 100000 5000 1",
  },
  chat_messages: {
    chat_messages_by_driver: "100000 10000 500 1",
    chat_messages_by_tenant: "1000000 100000 1",
  },
  contacts: { contacts_by_customer: "150000 15000 2 1" },
  customer_locations: {
    customer_locations: "100000 10000 2000 1",
    customer_locations_by_customer: "100000 10000 1",
  },
  customers: {
    customers_by_name: "100000 10000 2",
    customers_by_name_key: "100000 10000 2",
    customers_by_parent: "100000 10000 5",
    customers_by_tenant: "100000 10000 1",
  },
  deliveries: {
    deliveries_by_event: "1000000 100000 2 1",
    deliveries_by_hook: "1000000 100000 20000 1",
    deliveries_by_uuid: "1000000 100000 1",
    deliveries_due: "1000 100 20 1 1",
    deliveries_in_order: "1000 100 20 5 1 1",
    deliveries_pending: "1000 100 1",
  },
  delivery_attempts: { delivery_attempts_by_delivery: "1000000 100000 2 1" },
  drivers: { drivers_by_location: "2000 200 50 1" },
  dump_destinations: { dump_destinations_by_location: "1000 100 20 1" },
  events: {
    events_by_record: "1000000 100000 50000 5 1",
    events_by_tenant: "1000000 100000 1",
    events_by_time: "1000000 100000 2 1",
  },
  gps_events: {
    gps_events_by_tenant: "1000000 100000 1",
    gps_events_by_time: "1000000 100000 5000 1 1",
    gps_events_by_truck: "1000000 100000 5000 1",
  },
  hauler_connections: { hauler_connections_by_hauler: "1000 100 1" },
  job_images: { job_images_by_job: "100000 10000 2 1" },
  job_items: { job_items_by_job: "100000 10000 2 1" },
  job_materials: { job_materials_by_job: "100000 10000 2 1" },
  job_returns: { job_returns_by_job: "10000 1000 1 1" },
  jobs: {
    jobs_by_change: "1000000 100000 1",
    jobs_by_completed_by: "1000000 100000 5000 20 5 1",
    jobs_by_customer: "1000000 100000 50 5 2 1",
    jobs_by_hauler: "1000000 100000 10000 20 5 1",
    jobs_by_location: "1000000 100000 25000 100 20 1",
    jobs_by_pickup_of: "100000 10000 1",
    jobs_by_truck: "1000000 100000 5000 20 5 1",
    jobs_deleted_in_order: "10000 1000 4 2 1",
    jobs_failed_in_order: "10000 1000 4 2 1",
    jobs_in_order: "1000000 100000 400 80 1",
    jobs_open_by_customer: "20000 2000 2 1 1 1",
    jobs_open_by_location: "20000 2000 500 20 4 1",
    jobs_open_by_truck: "20000 2000 100 10 2 1",
    jobs_open_in_order: "20000 2000 40 8 1",
  },
  materials: { materials_by_location: "1000 100 20 1" },
  trucks: { trucks_by_driver: "2000 200 2", trucks_by_location: "2000 200 50 1" },
});

/**
 * The planner's statistics for an empty store: few tenants with many rows. Without them SQLite reads all rows of a
 * tenant instead of looking up ids. Each text: rows of the table, then rows per value of the index's first column,
 * first two columns, and so on.
 */
type Statistics = Readonly<Record<string, Readonly<Record<string, string>>>>;

function toStatistics(statistics: Statistics): string {
  return [
    "analyze sqlite_schema;",
    ...Object.entries(statistics).flatMap(([table, indexes]) =>
      Object.entries(indexes).map(
        ([index, stat]) =>
          `insert into sqlite_stat1 (tbl, idx, stat) values ('${table}', '${index}', '${stat}');`,
      ),
    ),
  ].join("\n");
}
