import { firstTablesOnPostgres } from "./0001-first-tables-postgres.ts";
import type { Migration } from "./migration.ts";
import { toStatistics } from "./statistics.ts";

// AUTOINCREMENT: an id is never given twice, even after its row is gone.
const numbered = "id integer primary key autoincrement, tenant_id integer not null references tenants (id)";

const statistics = toStatistics({
  addresses: { addresses_by_customer: "150000 15000 2 1" },
  asset_types: { asset_types_by_location: "1000 100 20 1" },
  assets: { assets_by_customer: "20000 2000 5", assets_by_location: "20000 2000 500 1" },
  audit: { audit_by_record: "1000000 100000 50000 5 1" },
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
  drivers: { drivers_by_location: "2000 200 50 1" },
  dump_destinations: { dump_destinations_by_location: "1000 100 20 1" },
  events: { events_by_record: "1000000 100000 50000 5 1" },
  jobs: {
    jobs_by_completed_by: "1000000 100000 5000 20 5 1",
    jobs_by_customer: "1000000 100000 50 5 2 1",
    jobs_by_hauler: "1000000 100000 10000 20 5 1",
    jobs_by_location: "1000000 100000 25000 100 20 1",
    jobs_by_truck: "1000000 100000 5000 20 5 1",
    jobs_in_order: "1000000 100000 400 80 1",
  },
  trucks: { trucks_by_driver: "2000 200 2", trucks_by_location: "2000 200 50 1" },
});

/** Tenants and what belongs to them, the outbox, the audit trail. */
export const firstTables: Migration = {
  number: 1,
  phase: "closed",
  oldestProgram: 1,
  name: "first-tables",
  postgres: firstTablesOnPostgres,
  sqlite: `
    create table meta (key text primary key, value text not null) strict;

    create table tenants (
      id integer primary key autoincrement, name text not null, address text, city text, code text,
      created_on text not null, email text, is_active integer not null, paper text not null default 'letter',
      phone text, state text, truck_limit integer, zip text
    ) strict;

    create table users (
      ${numbered}, created_on text not null, customer_ids text not null, driver_id integer, is_active integer not null,
      location_id integer, roles text not null, third_party_hauler_id text, uid text not null, username text not null
    ) strict;
    create unique index users_by_username on users (tenant_id, username);
    create unique index users_by_uid on users (uid, tenant_id);

    create table tokens (
      ${numbered}, api_version text, created_on text not null, expires_on text, is_personal integer not null, name text,
      revoked_on text,
      roles text not null, secret_hash text not null, uid text not null, username text not null
    ) strict;
    create index tokens_by_tenant on tokens (tenant_id, id);

    create table locations (
      ${numbered}, address text, contact text, delivery_name text not null, distance_label text not null,
      driver_self_assignment integer not null, dropoff_name text not null, exchange_name text not null,
      is_active integer not null, name text not null, pickup_name text not null,
      require_reference_number integer not null, require_signature integer not null, service_name text not null,
      use_additional_items integer not null
    ) strict;
    create index locations_by_tenant on locations (tenant_id, id);

    create table customers (
      ${numbered}, created_on text not null, last_updated_on text not null, name text not null,
      name_folded text not null, name_key text not null, parent_id integer references customers (id),
      revision integer not null
    ) strict;
    create index customers_by_tenant on customers (tenant_id, id);
    create index customers_by_name_key on customers (tenant_id, name_key);
    create index customers_by_name on customers (tenant_id, name_folded);
    create index customers_by_parent on customers (tenant_id, parent_id);

    create table customer_locations (
      tenant_id integer not null references tenants (id), customer_id integer not null references customers (id),
      location_id integer not null references locations (id),
      account_number_1 text, account_number_2 text, created_on text not null, is_active integer not null,
      is_commercial integer, last_updated_on text not null, note text, reference_number text, renewal_date text,
      sales_rep text, sales_rep_id text, suspension_id integer,
      primary key (tenant_id, location_id, customer_id)
    ) strict, without rowid;
    create index customer_locations_by_customer on customer_locations (tenant_id, customer_id);

    create table addresses (
      ${numbered}, country text not null, customer_id integer not null references customers (id),
      is_active integer not null, is_billing integer not null, is_physical integer not null,
      is_shipping integer not null, latitude real not null, line_1 text not null, line_2 text, line_3 text, line_4 text,
      locality text not null, longitude real not null, match_key text not null, postcode text not null,
      region text not null
    ) strict;
    create index addresses_by_customer on addresses (tenant_id, customer_id, id);

    create table contacts (
      ${numbered}, customer_id integer not null references customers (id), email text, fax text, name text,
      notify_on_acknowledged_request integer not null, notify_on_completed_request integer not null,
      notify_on_dispatched_request integer not null, notify_on_failed_request integer not null,
      notify_on_new_request integer not null, number text
    ) strict;
    create index contacts_by_customer on contacts (tenant_id, customer_id, id);

    create table drivers (
      ${numbered}, is_deactivated integer not null, location_id integer not null references locations (id),
      name text not null, third_party_hauler_id text, username text
    ) strict;
    create index drivers_by_location on drivers (tenant_id, location_id, id);

    create table trucks (
      ${numbered}, driver_id integer references drivers (id), interface_color text,
      location_id integer not null references locations (id), name text not null, notes text,
      out_of_service integer not null, require_odometer integer not null, third_party_hauler_id text,
      trailer_id integer, type text, weight real
    ) strict;
    create index trucks_by_location on trucks (tenant_id, location_id, id);
    create index trucks_by_driver on trucks (tenant_id, driver_id);

    create table asset_types (
      ${numbered}, deleted integer not null, is_default integer not null,
      location_id integer not null references locations (id), name text not null, quantity integer,
      require_numbers integer not null, weight real
    ) strict;
    create index asset_types_by_location on asset_types (tenant_id, location_id, id);

    create table assets (
      ${numbered}, asset_type_id integer references asset_types (id), cluster text,
      customer_id integer references customers (id), description text, dispatched_on text, is_returned integer not null,
      last_activity_on text, last_rental_invoice_on text, latitude real, location text,
      location_id integer not null references locations (id), longitude real, number text, quantity integer,
      returned_on text
    ) strict;
    create index assets_by_location on assets (tenant_id, location_id, id);
    create index assets_by_customer on assets (tenant_id, customer_id);

    create table dump_destinations (
      ${numbered}, address text, city text, contact_email text, contact_name text, contact_phone text,
      description text, is_active integer not null, is_holding_yard integer not null, latitude real,
      location_id integer not null references locations (id), longitude real, state text, zip text
    ) strict;
    create index dump_destinations_by_location on dump_destinations (tenant_id, location_id, id);

    create table jobs (
      ${numbered}, address_id integer not null references addresses (id),
      asset_dropped_id integer references assets (id), asset_id integer references assets (id),
      asset_type_id integer references asset_types (id), completed_by integer, completed_by_driver integer not null,
      created_by integer, created_on text not null, customer_id integer not null references customers (id),
      dump_location_id integer references dump_destinations (id),
      final_location_id integer references dump_destinations (id), is_completed integer not null,
      is_declined integer not null, is_deleted integer not null, is_failed integer not null,
      last_updated_on text not null, location_id integer not null references locations (id), returned_by integer,
      returned_by_driver integer not null, schedule_key text not null,
      start_location_id integer references dump_destinations (id), third_party_hauler_id text,
      truck_id integer references trucks (id), urgency integer not null, record text not null
    ) strict;
    create index jobs_in_order on jobs (tenant_id, schedule_key, urgency, id);
    create index jobs_by_location on jobs (tenant_id, location_id, schedule_key, urgency, id);
    create index jobs_by_truck on jobs (tenant_id, truck_id, schedule_key, urgency, id);
    create index jobs_by_customer on jobs (tenant_id, customer_id, schedule_key, urgency, id);
    create index jobs_by_completed_by on jobs (tenant_id, completed_by, schedule_key, urgency, id)
      where completed_by is not null;
    create index jobs_by_hauler on jobs (tenant_id, third_party_hauler_id, schedule_key, urgency, id)
      where third_party_hauler_id is not null;

    create table hooks (
      ${numbered}, api_version text not null, created_on text not null, deleted_at text, events text not null,
      last_http_fail text, last_http_success text, secret text not null, url text not null
    ) strict;
    create index hooks_by_tenant on hooks (tenant_id, id);

    create table events (
      ${numbered}, action text not null, created_on text not null, kind text not null, record_id integer not null,
      uuid text not null, data text not null
    ) strict;
    create index events_by_record on events (tenant_id, kind, record_id, id);

    create table audit (
      ${numbered}, action text not null, created_on text not null, operation text not null,
      record_type text not null, record_id integer not null, request_id text not null, token_id integer,
      user_id integer not null, before text, after text
    ) strict;
    create index audit_by_record on audit (tenant_id, record_type, record_id, id);

    ${statistics}
  `,
};
