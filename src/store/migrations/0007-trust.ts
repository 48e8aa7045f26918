import type { Migration } from "./migration.ts";
import { text, toTenantWall } from "./postgres-parts.ts";

/** Who made a token, and the answers that a repeated request is given again. */
export const trust: Migration = {
  name: "trust",
  number: 7,
  phase: "closed",
  oldestProgram: 7,
  postgres: `
    alter table tokens add column created_by_token_id bigint;
    create index tokens_by_maker on tokens (created_by_token_id) where created_by_token_id is not null;

    create table idempotency_keys (
      tenant_id bigint not null references tenants (id), user_id bigint not null, key ${text} not null,
      answer_body ${text}, answer_headers ${text}, created_on timestamp(6) not null, fingerprint ${text} not null,
      status bigint not null,
      primary key (tenant_id, user_id, key)
    );
    create index idempotency_keys_by_time on idempotency_keys (tenant_id, created_on);
    ${toTenantWall(["idempotency_keys"])}

    create table delivery_workers (
      worker_id ${text} primary key, beats bigint not null, reaches_private boolean not null
    );
    create index deliveries_leased on deliveries (tenant_id, leased_until) where leased_until is not null;
  `,
  // Kept answers stand in the order in which they came: without rowid each would take a page of its own.
  sqlite: `
    alter table tokens add column created_by_token_id integer;
    create index tokens_by_maker on tokens (created_by_token_id) where created_by_token_id is not null;

    create table idempotency_keys (
      tenant_id integer not null references tenants (id), user_id integer not null, key text not null,
      answer_body text, answer_headers text, created_on text not null, fingerprint text not null, status integer not null,
      primary key (tenant_id, user_id, key)
    ) strict;
    create index idempotency_keys_by_time on idempotency_keys (tenant_id, created_on);

    create table delivery_workers (
      worker_id text primary key, beats integer not null, reaches_private integer not null
    ) strict, without rowid;
    create index deliveries_leased on deliveries (tenant_id, leased_until) where leased_until is not null;
  `,
};
