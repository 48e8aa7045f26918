import { text, toTenantWall } from "./postgres-parts.ts";

/** Which versions tokens call, on PostgreSQL. */
export const usageOnPostgres = `
    create table usage (
      tenant_id bigint not null references tenants (id), token_id bigint not null, operation ${text} not null,
      api_version ${text} not null, used_on timestamp(6) not null,
      primary key (tenant_id, token_id, operation, api_version)
    );

    ${toTenantWall(["usage"])}
  `;
