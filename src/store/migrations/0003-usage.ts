import { usageOnPostgres } from "./0003-usage-postgres.ts";
import type { Migration } from "./migration.ts";

/** Which versions tokens call, so that an operator knows whom a change of version would affect. */
export const usage: Migration = {
  name: "usage",
  number: 3,
  phase: "closed",
  oldestProgram: 3,
  postgres: usageOnPostgres,
  sqlite: `
    create table usage (
      tenant_id integer not null references tenants (id), token_id integer not null, operation text not null,
      api_version text not null, used_on text not null,
      primary key (tenant_id, token_id, operation, api_version)
    ) strict, without rowid;
  `,
};
