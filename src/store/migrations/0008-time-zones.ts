import type { Migration } from "./migration.ts";
import { text } from "./postgres-parts.ts";

/**
 * Where people read and type times: a tenant's zone, and that of a location that lies in another (OP-93). And when a change
 * was taken back (OP-254).
 */
export const timeZones: Migration = {
  name: "time-zones",
  number: 8,
  postgres: `
    alter table tenants add column time_zone ${text} not null default 'UTC';
    alter table locations add column time_zone ${text};
    alter table audit add column undone_on ${text};
  `,
  sqlite: `
    alter table tenants add column time_zone text not null default 'UTC';
    alter table locations add column time_zone text;
    alter table audit add column undone_on text;
  `,
};
