import { numbered, text, toSweptOften, toTenantWall } from "./postgres-parts.ts";

/** The tables of the whole interface on PostgreSQL. */
export const wholeInterfaceOnPostgres = `
    alter table addresses add column match_length bigint not null default 0;
    alter table addresses add column name_key ${text} not null default '';
    update addresses set match_length = length(match_key), name_key = customers.name_key
      from customers where customers.tenant_id = addresses.tenant_id and customers.id = addresses.customer_id;
    -- The beginning of the key: a whole one may be longer than an entry of an index.
    create index addresses_by_match on addresses (tenant_id, name_key, match_length, left(match_key, 100));

    alter table drivers add column address ${text};
    alter table drivers add column can_assign_to ${text} not null default '[]';
    alter table drivers add column can_convert_to_group boolean not null default false;
    alter table drivers add column can_create_requests boolean not null default false;
    alter table drivers add column can_dispatch_to ${text} not null default '[]';
    alter table drivers add column can_edit_requests boolean not null default false;
    alter table drivers add column can_reposition_asset boolean not null default false;
    alter table drivers add column city ${text};
    alter table drivers add column disable_shift_tracking boolean not null default false;
    alter table drivers add column email ${text};
    alter table drivers add column license_number ${text};
    alter table drivers add column phone_number ${text};
    alter table drivers add column state ${text};
    alter table drivers add column zip ${text};
    alter table jobs add column image_count bigint not null default 0;
    alter table jobs add column material_count bigint not null default 0;
    alter table jobs add column return_count bigint not null default 0;
    alter table jobs add column pickup_of bigint;
    update jobs set third_party_hauler_id = lower(third_party_hauler_id) where third_party_hauler_id is not null;
    alter table jobs add foreign key (tenant_id, pickup_of) references jobs (tenant_id, id);
    create unique index jobs_by_pickup_of on jobs (tenant_id, pickup_of) where pickup_of is not null;

    create table job_images (
      ${numbered}, created_by bigint not null, created_on timestamp(6) not null, description ${text},
      job_id bigint not null, url ${text} not null, foreign key (tenant_id, job_id) references jobs (tenant_id, id)
    );
    create index job_images_by_job on job_images (tenant_id, job_id, id);

    create table job_items (
      ${numbered}, created_by bigint not null, created_on timestamp(6) not null,
      deduct_weight double precision not null, description ${text} not null, heavy_weight double precision not null,
      is_completed boolean not null, is_declined boolean not null, is_failed boolean not null,
      job_id bigint not null, light_weight double precision, material_item_id bigint, notes ${text},
      quantity double precision, foreign key (tenant_id, job_id) references jobs (tenant_id, id)
    );
    create index job_items_by_job on job_items (tenant_id, job_id, id);

    create table job_materials (
      ${numbered}, created_by bigint not null, created_on timestamp(6) not null, heavy_weight double precision,
      job_id bigint not null, light_weight double precision, material_item_id bigint, material_name ${text},
      quantity double precision, tare_weight double precision,
      foreign key (tenant_id, job_id) references jobs (tenant_id, id)
    );
    create index job_materials_by_job on job_materials (tenant_id, job_id, id);

    create table job_returns (
      ${numbered}, asset_id bigint, created_on timestamp(6) not null, job_id bigint not null, note ${text},
      foreign key (tenant_id, asset_id) references assets (tenant_id, id),
      foreign key (tenant_id, job_id) references jobs (tenant_id, id)
    );
    create index job_returns_by_job on job_returns (tenant_id, job_id, id);

    create table materials (
      ${numbered}, created_on timestamp(6) not null, description ${text}, factor double precision,
      group_description ${text}, line_item_id bigint, location_id bigint not null, unit_price double precision,
      uom ${text}, foreign key (tenant_id, location_id) references locations (tenant_id, id)
    );
    create index materials_by_location on materials (tenant_id, location_id, id);

    create table gps_events (
      ${numbered}, accuracy double precision, altitude double precision, bearing double precision,
      created_on timestamp(6) not null, device_name ${text}, driver_id bigint, latitude double precision,
      location_id bigint not null, longitude double precision, measured_on timestamp(6) not null, truck_id bigint,
      velocity double precision, foreign key (tenant_id, driver_id) references drivers (tenant_id, id),
      foreign key (tenant_id, location_id) references locations (tenant_id, id),
      foreign key (tenant_id, truck_id) references trucks (tenant_id, id)
    );
    create index gps_events_by_truck on gps_events (tenant_id, truck_id, id);

    create table haulers (
      uuid ${text} primary key, created_on timestamp(6) not null, name ${text} not null,
      password_hash ${text} not null, username ${text} not null unique
    );

    create table hauler_connections (
      ${numbered}, approved_by bigint, approved_on timestamp(6), denied_on timestamp(6),
      hauler_uuid ${text} not null references haulers (uuid), location_id bigint, requested_by bigint not null,
      requested_on timestamp(6) not null, foreign key (tenant_id, location_id) references locations (tenant_id, id)
    );
    create unique index hauler_connections_by_hauler on hauler_connections (tenant_id, hauler_uuid);

    create table chat_messages (
      ${numbered}, driver_id bigint not null, is_edited boolean not null, is_read boolean not null,
      last_edited_on timestamp(6), receiver_id bigint not null, receiver_type ${text} not null,
      sender_id bigint not null, sender_type ${text} not null, sent_on timestamp(6) not null, text ${text} not null,
      foreign key (tenant_id, driver_id) references drivers (tenant_id, id)
    );
    create index chat_messages_by_driver on chat_messages (tenant_id, driver_id, id);

    alter table hooks add column deleted_reason ${text};
    alter table hooks add column failing_since timestamp(6);
    alter table hooks add column old_secret ${text};
    alter table hooks add column old_secret_until timestamp(6);

    create table deliveries (
      ${numbered}, action ${text} not null, attempt bigint not null, created_on timestamp(6) not null,
      event_id bigint not null, finished_on timestamp(6), hook_id bigint not null, http_status bigint,
      kind ${text} not null, leased_by ${text}, leased_until timestamp(6), message ${text},
      next_attempt_on timestamp(6), record_id bigint not null, status ${text} not null, uuid ${text} not null,
      foreign key (tenant_id, event_id) references events (tenant_id, id),
      foreign key (tenant_id, hook_id) references hooks (tenant_id, id)
    );
    create index deliveries_by_event on deliveries (tenant_id, event_id, id);
    create index deliveries_by_hook on deliveries (tenant_id, hook_id, id);
    create unique index deliveries_by_uuid on deliveries (tenant_id, uuid);
    create index deliveries_due on deliveries (tenant_id, hook_id, next_attempt_on, id) where status = 'pending';
    create index deliveries_in_order on deliveries (tenant_id, hook_id, kind, record_id, id)
      where status = 'pending';
    create index deliveries_pending on deliveries (tenant_id, id) where status = 'pending';

    create table delivery_attempts (
      ${numbered}, attempt bigint not null, delivery_id bigint not null, duration_ms double precision not null,
      http_status bigint not null, message ${text} not null, request_body ${text}, request_headers ${text},
      response_body ${text}, response_headers ${text}, started_on timestamp(6) not null, url ${text} not null,
      foreign key (tenant_id, delivery_id) references deliveries (tenant_id, id)
    );
    create index delivery_attempts_by_delivery on delivery_attempts (tenant_id, delivery_id, id);
    create index events_by_time on events (tenant_id, created_on, id);
    create index audit_by_user on audit (tenant_id, user_id, id);

    ${toTenantWall([
      "chat_messages",
      "deliveries",
      "delivery_attempts",
      "gps_events",
      "hauler_connections",
      "job_images",
      "job_items",
      "job_materials",
      "job_returns",
      "materials",
    ])}
    ${["audit", "deliveries", "delivery_attempts", "events"].map(toSweptOften).join("\n    ")}
  `;
