import { toSearchIndexOnSqlite } from "../search/sqlite-index.ts";
import { baselineStatistics } from "./0001-baseline-statistics.ts";
import { jobCounts } from "./job-counts.ts";
import { toRevisionTriggers, toSharedRevisionTriggers } from "./sqlite-parts.ts";

// AUTOINCREMENT: SQLite never reuses the id of a deleted row.
const numbered = "id integer primary key autoincrement, tenant_id integer not null references tenants (id)";

/** Triggers keep revisions and row counts. On PostgreSQL, writers of a tenant would wait for each other's row. */
export const toBaselineOnSqlite = (): string => `${tables}

    create table table_revisions (
      tenant_id integer not null, table_name text not null, revision integer not null, row_count integer not null,
      primary key (tenant_id, table_name)
    ) strict, without rowid;
    ${toRevisionTriggers(countedTables)}
    ${toSharedRevisionTriggers(["haulers", "meta", "tenants", "tokens", "users"])}
    ${jobCounts}
    ${toSearchIndexOnSqlite()}

    ${toSeriesTrigger("users", "drivers")}
    ${toSeriesTrigger("drivers", "users")}
    insert into sqlite_sequence (name, seq) values ('drivers', 0), ('users', 0);

    ${baselineStatistics}
  `;

const tables = `
    create table meta (
      key text primary key, value text not null
    ) strict;

    create table tenants (
      id integer primary key autoincrement, name text not null, address text, city text, code text,
      created_on text not null, email text, is_active integer not null, paper text not null default 'letter',
      phone text, state text, truck_limit integer, zip text, time_zone text not null default 'UTC', deletes_on text,
      frozen_reason text, moved_to text
    ) strict;

    create table users (
      ${numbered}, created_on text not null, customer_ids text not null, driver_id integer,
      is_active integer not null, location_id integer, roles text not null, third_party_hauler_id text,
      uid text not null, username text not null
    ) strict;
    create unique index users_by_username on users (tenant_id, username);
    create unique index users_by_uid on users (uid, tenant_id);

    create table tokens (
      ${numbered}, api_version text, created_on text not null, expires_on text, is_personal integer not null,
      name text, revoked_on text, roles text not null, secret_hash text not null, uid text not null,
      username text not null, created_by_token_id integer
    ) strict;
    create index tokens_by_tenant on tokens (tenant_id, id);
    create index tokens_by_maker on tokens (created_by_token_id) where created_by_token_id is not null;

    create table locations (
      ${numbered}, address text, contact text, delivery_name text not null, distance_label text not null,
      driver_self_assignment integer not null, dropoff_name text not null, exchange_name text not null,
      is_active integer not null, name text not null, pickup_name text not null,
      require_reference_number integer not null, require_signature integer not null, service_name text not null,
      use_additional_items integer not null, time_zone text, clock text
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
      location_id integer not null references locations (id), account_number_1 text, account_number_2 text,
      created_on text not null, is_active integer not null, is_commercial integer, last_updated_on text not null,
      note text, reference_number text, renewal_date text, sales_rep text, sales_rep_id text, suspension_id integer,
      primary key (tenant_id, location_id, customer_id)
    ) strict, without rowid;
    create index customer_locations_by_customer on customer_locations (tenant_id, customer_id);

    create table addresses (
      ${numbered}, country text not null, customer_id integer not null references customers (id),
      is_active integer not null, is_billing integer not null, is_physical integer not null,
      is_shipping integer not null, latitude real not null, line_1 text not null, line_2 text, line_3 text,
      line_4 text, locality text not null, longitude real not null, match_key text not null, postcode text not null,
      region text not null, match_length integer not null default 0, name_key text not null default '',
      is_common integer not null default false
    ) strict;
    create index addresses_by_customer on addresses (tenant_id, customer_id, id);
    create index addresses_by_match on addresses (tenant_id, name_key, is_common, match_length, match_key);
    create index addresses_by_part_0 on addresses (tenant_id, name_key, substr(match_key, 1, 4)) where is_common = true;
    create index addresses_by_part_1 on addresses (tenant_id, name_key, substr(match_key, 5, 4)) where is_common = true;
    create index addresses_by_part_2 on addresses (tenant_id, name_key, substr(match_key, 9, 4)) where is_common = true;
    create index addresses_by_part_3 on addresses (tenant_id, name_key, substr(match_key, 13, 4)) where is_common = true;
    create index addresses_by_part_4 on addresses (tenant_id, name_key, substr(match_key, 17, 4)) where is_common = true;
    create index addresses_by_part_5 on addresses (tenant_id, name_key, substr(match_key, 21, 4)) where is_common = true;

    create table contacts (
      ${numbered}, customer_id integer not null references customers (id), email text, fax text, name text,
      notify_on_acknowledged_request integer not null, notify_on_completed_request integer not null,
      notify_on_dispatched_request integer not null, notify_on_failed_request integer not null,
      notify_on_new_request integer not null, number text
    ) strict;
    create index contacts_by_customer on contacts (tenant_id, customer_id, id);

    create table drivers (
      ${numbered}, is_deactivated integer not null, location_id integer not null references locations (id),
      name text not null, third_party_hauler_id text, username text, address text,
      can_assign_to text not null default '[]', can_convert_to_group integer not null default 0,
      can_create_requests integer not null default 0, can_dispatch_to text not null default '[]',
      can_edit_requests integer not null default 0, can_reposition_asset integer not null default 0, city text,
      disable_shift_tracking integer not null default 0, email text, license_number text, phone_number text,
      state text, zip text, off_from text, off_reason text, off_until text
    ) strict;
    create index drivers_by_location on drivers (tenant_id, location_id, id);

    create table trucks (
      ${numbered}, driver_id integer references drivers (id), interface_color text,
      location_id integer not null references locations (id), name text not null, notes text,
      out_of_service integer not null, require_odometer integer not null, third_party_hauler_id text,
      trailer_id integer, type text, weight real, off_from text, off_reason text, off_until text
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
      customer_id integer references customers (id), description text, dispatched_on text,
      is_returned integer not null, last_activity_on text, last_rental_invoice_on text, latitude real, location text,
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
      truck_id integer references trucks (id), urgency integer not null, record text not null,
      image_count integer not null default 0, material_count integer not null default 0,
      return_count integer not null default 0, pickup_of integer references jobs (id),
      changed_on text not null default ''
    ) strict;
    create index jobs_in_order on jobs (tenant_id, schedule_key, urgency, id);
    create index jobs_by_location on jobs (tenant_id, location_id, schedule_key, urgency, id);
    create index jobs_by_truck on jobs (tenant_id, truck_id, schedule_key, urgency, id);
    create index jobs_by_customer on jobs (tenant_id, customer_id, schedule_key, urgency, id);
    create index jobs_open_in_order on jobs (tenant_id, schedule_key, urgency, id) where is_completed = false;
    create index jobs_open_by_location on jobs (tenant_id, location_id, schedule_key, urgency, id)
      where is_completed = false;
    create index jobs_open_by_truck on jobs (tenant_id, truck_id, schedule_key, urgency, id)
      where is_completed = false;
    create index jobs_open_by_customer on jobs (tenant_id, customer_id, schedule_key, urgency, id)
      where is_completed = false;
    create index jobs_failed_in_order on jobs (tenant_id, schedule_key, urgency, id) where is_failed = true;
    create index jobs_deleted_in_order on jobs (tenant_id, schedule_key, urgency, id) where is_deleted = true;
    create index jobs_by_completed_by on jobs (tenant_id, completed_by, schedule_key, urgency, id)
      where completed_by is not null;
    create index jobs_by_hauler on jobs (tenant_id, third_party_hauler_id, schedule_key, urgency, id)
      where third_party_hauler_id is not null;
    create unique index jobs_by_pickup_of on jobs (tenant_id, pickup_of) where pickup_of is not null;
    create index jobs_by_change on jobs (tenant_id, changed_on);

    create table hooks (
      ${numbered}, api_version text not null, created_on text not null, deleted_at text, events text not null,
      last_http_fail text, last_http_success text, secret text not null, url text not null, deleted_reason text,
      failing_since text, old_secret text, old_secret_until text, description text, headers text,
      include_previous integer not null default 0, include_cause integer not null default 0, paced_until_ms integer, rate_limit integer
    ) strict;
    create index hooks_by_tenant on hooks (tenant_id, id);

    create table events (
      ${numbered}, action text not null, created_on text not null, kind text not null, record_id integer not null,
      uuid text not null, data text not null, previous text, trace_id text, trace_span text, trace_state text,
      cause text
    ) strict;
    create index events_by_record on events (tenant_id, kind, record_id, id);
    create index events_by_tenant on events (tenant_id, id);
    create index events_by_time on events (tenant_id, created_on, id);

    create table audit (
      ${numbered}, action text not null, created_on text not null, operation text not null, record_type text not null,
      record_id integer not null, request_id text not null, token_id integer, user_id integer not null, before text,
      after text, undone_on text, trace_id text
    ) strict;
    create index audit_by_record on audit (tenant_id, record_type, record_id, id);
    create index audit_by_tenant on audit (tenant_id, id);
    create index audit_by_user on audit (tenant_id, user_id, id);

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
      driver_id integer references drivers (id), latitude real,
      location_id integer not null references locations (id), longitude real, measured_on text not null,
      truck_id integer references trucks (id), velocity real
    ) strict;
    create index gps_events_by_truck on gps_events (tenant_id, truck_id, id);
    create index gps_events_by_tenant on gps_events (tenant_id, id);
    create index gps_events_by_time on gps_events (tenant_id, truck_id, measured_on, id)
      where latitude is not null and longitude is not null;

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
    create index chat_messages_by_tenant on chat_messages (tenant_id, id);

    create table deliveries (
      ${numbered}, action text not null, attempt integer not null, created_on text not null,
      event_id integer not null references events (id), finished_on text,
      hook_id integer not null references hooks (id), http_status integer, kind text not null, leased_by text,
      leased_until text, message text, next_attempt_on text, record_id integer not null, status text not null,
      uuid text not null, is_replay integer not null default 0
    ) strict;
    create index deliveries_by_event on deliveries (tenant_id, event_id, id);
    create index deliveries_by_hook on deliveries (tenant_id, hook_id, id);
    create unique index deliveries_by_uuid on deliveries (tenant_id, uuid);
    create index deliveries_due on deliveries (tenant_id, hook_id, next_attempt_on, id) where status = 'pending';
    create index deliveries_in_order on deliveries (tenant_id, hook_id, kind, record_id, id) where status = 'pending';
    create index deliveries_pending on deliveries (tenant_id, id) where status = 'pending';
    create index deliveries_leased on deliveries (tenant_id, leased_until) where leased_until is not null;

    create table delivery_attempts (
      ${numbered}, attempt integer not null, delivery_id integer not null references deliveries (id),
      duration_ms real not null, http_status integer not null, message text not null, request_body text,
      request_headers text, response_body text, response_headers text, started_on text not null, url text not null
    ) strict;
    create index delivery_attempts_by_delivery on delivery_attempts (tenant_id, delivery_id, id);

    create table usage (
      tenant_id integer not null references tenants (id), token_id integer not null, operation text not null,
      api_version text not null, used_on text not null,
      primary key (tenant_id, token_id, operation, api_version)
    ) strict, without rowid;

    -- With rowids, so that kept answers lie in the order in which they came: otherwise each takes a page of its own.
    create table idempotency_keys (
      tenant_id integer not null references tenants (id), user_id integer not null, key text not null,
      answer_body text, answer_headers text, created_on text not null, fingerprint text not null,
      status integer not null,
      primary key (tenant_id, user_id, key)
    ) strict;
    create index idempotency_keys_by_time on idempotency_keys (tenant_id, created_on);

    create table delivery_workers (
      worker_id text primary key, beats integer not null, reaches_private integer not null
    ) strict, without rowid;

    create table retention (
      tenant_id integer not null references tenants (id), kind text not null, kept_for text, applied_on text,
      removed integer not null default 0, removed_on text,
      primary key (tenant_id, kind)
    ) strict, without rowid;

    create table erasures (
      ${numbered}, after_id integer not null default 0, attempts_after integer not null default 0,
      erased_on text not null, finished_on text, rows_changed integer not null default 0, record_id integer not null,
      record_type text not null, step integer not null default 0, user_id integer not null
    ) strict;
    create index erasures_unfinished on erasures (tenant_id, id) where finished_on is null;`;

const countedTables = [
  "addresses",
  "asset_types",
  "assets",
  "audit",
  "chat_messages",
  "contacts",
  "customer_locations",
  "customers",
  "deliveries",
  "delivery_attempts",
  "drivers",
  "dump_destinations",
  "erasures",
  "events",
  "gps_events",
  "hauler_connections",
  "hooks",
  "job_images",
  "job_items",
  "job_materials",
  "job_returns",
  "jobs",
  "locations",
  "materials",
  "retention",
  "tokens",
  "trucks",
  "usage",
  "users",
];

/** Users and drivers share one series of ids: each table passes its last id to the other. */
function toSeriesTrigger(table: string, other: string): string {
  return `create trigger ${table}_in_series_of_people after insert on ${table} begin
      insert into sqlite_sequence (name, seq) select '${other}', 0
        where not exists (select 1 from sqlite_sequence where name = '${other}');
      update sqlite_sequence set seq = new.id where name = '${other}' and seq < new.id;
    end;`;
}
