import type { Migration } from "./migration.ts";
import { toRevisionTriggers, toSharedRevisionTriggers } from "./sqlite-parts.ts";

/**
 * What tells a process whether what it remembers of a tenant still holds, on SQLite. PostgreSQL has none: writers of one
 * tenant would wait for each other's row.
 */
export const tableRevisions: Migration = {
  name: "table-revisions",
  number: 4,
  phase: "closed",
  oldestProgram: 4,
  sqlite: `
    create table table_revisions (
      tenant_id integer not null, table_name text not null, revision integer not null, row_count integer not null,
      primary key (tenant_id, table_name)
    ) strict, without rowid;
    ${toRevisionTriggers([
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
      "tokens",
      "trucks",
      "usage",
      "users",
    ])}
    ${toSharedRevisionTriggers(["haulers", "meta", "tenants", "tokens", "users"])}
  `,
};
