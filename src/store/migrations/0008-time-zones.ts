import { toSearchIndexOnPostgres } from "../search/postgres-index.ts";
import { toSearchIndexOnSqlite } from "../search/sqlite-index.ts";
import type { Migration } from "./migration.ts";
import { text, toTenantWall } from "./postgres-parts.ts";

/**
 * What people work with at a terminal: where they read and type times, a tenant's zone, and that of a location that lies in
 * another (OP-93); the index by which they find records (OP-239); and when a change was taken back (OP-254). Its statements
 * are long, and made when they are run.
 */
export const timeZones: Migration = {
  name: "time-zones",
  number: 8,
  phase: "closed",
  oldestProgram: 8,
  get postgres() {
    return `
    alter table tenants add column time_zone ${text} not null default 'UTC';
    alter table locations add column time_zone ${text};
    alter table audit add column undone_on ${text};
    ${toSearchIndexOnPostgres(text, toTenantWall)}
  `;
  },
  get sqlite() {
    return `
    alter table tenants add column time_zone text not null default 'UTC';
    alter table locations add column time_zone text;
    alter table audit add column undone_on text;
    ${toSearchIndexOnSqlite()}
  `;
  },
};
