import { wholeInterfaceOnPostgres } from "./0002-whole-interface-postgres.ts";
import type { Migration } from "./migration.ts";
import { toStatistics } from "./statistics.ts";

const numbered = "id integer primary key autoincrement, tenant_id integer not null references tenants (id)";

const statistics = toStatistics({
  addresses: { addresses_by_match: "150000 15000 3 1 1" },
  audit: {
    audit_by_tenant: "1000000 100000 1",
    audit_by_user: "1000000 100000 5000 1",
  },
  chat_messages: { chat_messages_by_driver: "100000 10000 500 1" },
  deliveries: {
    deliveries_by_event: "1000000 100000 2 1",
    deliveries_by_hook: "1000000 100000 20000 1",
    deliveries_by_uuid: "1000000 100000 1",
    deliveries_due: "1000 100 20 1 1",
    deliveries_in_order: "1000 100 20 5 1 1",
    deliveries_pending: "1000 100 1",
  },
  delivery_attempts: { delivery_attempts_by_delivery: "1000000 100000 2 1" },
  events: { events_by_tenant: "1000000 100000 1", events_by_time: "1000000 100000 2 1" },
  gps_events: { gps_events_by_truck: "1000000 100000 5000 1" },
  hauler_connections: { hauler_connections_by_hauler: "1000 100 1" },
  job_images: { job_images_by_job: "100000 10000 2 1" },
  job_items: { job_items_by_job: "100000 10000 2 1" },
  job_materials: { job_materials_by_job: "100000 10000 2 1" },
  job_returns: { job_returns_by_job: "10000 1000 1 1" },
  jobs: { jobs_by_pickup_of: "100000 10000 1" },
  materials: { materials_by_location: "1000 100 20 1" },
});

/**
 * What the rest of the interface keeps: what hangs on jobs, drivers in full, materials, GPS, haulers, chats, the
 * delivery log; and what makes the search for duplicates fast. The counts on jobs tell without a query that nothing hangs on them.
 */
export const wholeInterface: Migration = {
  number: 2,
  phase: "closed",
  oldestProgram: 2,
  name: "whole-interface",
  postgres: wholeInterfaceOnPostgres,
  sqlite: `
    alter table addresses add column match_length integer not null default 0;
    alter table addresses add column name_key text not null default '';
    update addresses set match_length = length(match_key),
      name_key = (select customers.name_key from customers where customers.id = addresses.customer_id);
    create index addresses_by_match on addresses (tenant_id, name_key, match_length, match_key);

    alter table drivers add column address text;
    alter table drivers add column can_assign_to text not null default '[]';
    alter table drivers add column can_convert_to_group integer not null default 0;
    alter table drivers add column can_create_requests integer not null default 0;
    alter table drivers add column can_dispatch_to text not null default '[]';
    alter table drivers add column can_edit_requests integer not null default 0;
    alter table drivers add column can_reposition_asset integer not null default 0;
    alter table drivers add column city text;
    alter table drivers add column disable_shift_tracking integer not null default 0;
    alter table drivers add column email text;
    alter table drivers add column license_number text;
    alter table drivers add column phone_number text;
    alter table drivers add column state text;
    alter table drivers add column zip text;

    update jobs set third_party_hauler_id = lower(third_party_hauler_id) where third_party_hauler_id is not null;
    alter table jobs add column image_count integer not null default 0;
    alter table jobs add column material_count integer not null default 0;
    alter table jobs add column return_count integer not null default 0;
    alter table jobs add column pickup_of integer references jobs (id);
    create unique index jobs_by_pickup_of on jobs (tenant_id, pickup_of) where pickup_of is not null;

    create table job_images (
      ${numbered}, created_by integer not null, created_on text not null, description text,
      job_id integer not null references jobs (id), url text not null
    ) strict;
    create index job_images_by_job on job_images (tenant_id, job_id, id);

    create table job_items (
      ${numbered}, created_by integer not null, created_on text not null, deduct_weight real not null,
      description text not null, heavy_weight real not null, is_completed integer not null,
      is_declined integer not null, is_failed integer not null, job_id integer not null references jobs (id),
      light_weight real, material_item_id integer, notes text, quantity real
    ) strict;
    create index job_items_by_job on job_items (tenant_id, job_id, id);

    create table job_materials (
      ${numbered}, created_by integer not null, created_on text not null, heavy_weight real,
      job_id integer not null references jobs (id), light_weight real, material_item_id integer, material_name text,
      quantity real, tare_weight real
    ) strict;
    create index job_materials_by_job on job_materials (tenant_id, job_id, id);

    create table job_returns (
      ${numbered}, asset_id integer references assets (id), created_on text not null,
      job_id integer not null references jobs (id), note text
    ) strict;
    create index job_returns_by_job on job_returns (tenant_id, job_id, id);

    create table materials (
      ${numbered}, created_on text not null, description text, factor real, group_description text,
      line_item_id integer, location_id integer not null references locations (id), unit_price real, uom text
    ) strict;
    create index materials_by_location on materials (tenant_id, location_id, id);

    create table gps_events (
      ${numbered}, accuracy real, altitude real, bearing real, created_on text not null, device_name text,
      driver_id integer references drivers (id), latitude real, location_id integer not null references locations (id),
      longitude real, measured_on text not null, truck_id integer references trucks (id), velocity real
    ) strict;
    create index gps_events_by_truck on gps_events (tenant_id, truck_id, id);

    create table haulers (
      uuid text primary key, created_on text not null, name text not null, password_hash text not null,
      username text not null unique
    ) strict;

    create table hauler_connections (
      ${numbered}, approved_by integer, approved_on text, denied_on text,
      hauler_uuid text not null references haulers (uuid), location_id integer references locations (id),
      requested_by integer not null, requested_on text not null
    ) strict;
    create unique index hauler_connections_by_hauler on hauler_connections (tenant_id, hauler_uuid);

    create table chat_messages (
      ${numbered}, driver_id integer not null references drivers (id), is_edited integer not null,
      is_read integer not null, last_edited_on text, receiver_id integer not null, receiver_type text not null,
      sender_id integer not null, sender_type text not null, sent_on text not null, text text not null
    ) strict;
    create index chat_messages_by_driver on chat_messages (tenant_id, driver_id, id);

    alter table hooks add column deleted_reason text;
    alter table hooks add column failing_since text;
    alter table hooks add column old_secret text;
    alter table hooks add column old_secret_until text;

    create table deliveries (
      ${numbered}, action text not null, attempt integer not null, created_on text not null,
      event_id integer not null references events (id), finished_on text,
      hook_id integer not null references hooks (id), http_status integer, kind text not null, leased_by text,
      leased_until text, message text, next_attempt_on text, record_id integer not null, status text not null,
      uuid text not null
    ) strict;
    create index deliveries_by_event on deliveries (tenant_id, event_id, id);
    create index deliveries_by_hook on deliveries (tenant_id, hook_id, id);
    create unique index deliveries_by_uuid on deliveries (tenant_id, uuid);
    create index deliveries_due on deliveries (tenant_id, hook_id, next_attempt_on, id) where status = 'pending';
    create index deliveries_in_order on deliveries (tenant_id, hook_id, kind, record_id, id)
      where status = 'pending';
    create index deliveries_pending on deliveries (tenant_id, id) where status = 'pending';

    create table delivery_attempts (
      ${numbered}, attempt integer not null, delivery_id integer not null references deliveries (id),
      duration_ms real not null, http_status integer not null, message text not null, request_body text,
      request_headers text, response_body text, response_headers text, started_on text not null, url text not null
    ) strict;
    create index delivery_attempts_by_delivery on delivery_attempts (tenant_id, delivery_id, id);

    create index events_by_tenant on events (tenant_id, id);
    create index events_by_time on events (tenant_id, created_on, id);
    create index audit_by_tenant on audit (tenant_id, id);
    create index audit_by_user on audit (tenant_id, user_id, id);

    ${statistics}
  `,
};
