import type { Migration } from "../../src/store/migrations/index.ts";
import { numbered, toTenantWall } from "../../src/store/migrations/postgres-parts.ts";
import { toRevisionTriggers } from "../../src/store/migrations/sqlite-parts.ts";

/**
 * `migrations/index.ts` of a newer version with one more migration: a table of notes, filled from the tenants. Tests
 * mock the module with it, because no newer version exists.
 */
export function withNextStep(known: readonly Migration[]) {
  const step: Migration = {
    name: "notes",
    number: known.length + 1,
    oldestProgram: known.length,
    phase: "expand",
    postgres: `
      create table notes (${numbered}, body text);
      insert into notes (tenant_id, body) select id, name from tenants;
      ${toTenantWall(["notes"])}`,
    sqlite: `
      create table notes (
        id integer primary key autoincrement, tenant_id integer not null references tenants (id), body text
      ) strict;
      insert into notes (tenant_id, body) select id, name from tenants;
      ${toRevisionTriggers(["notes"])}`,
  };
  return { migrations: [...known, step], newestSchema: step.number };
}
