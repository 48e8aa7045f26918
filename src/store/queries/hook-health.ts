import { type Kysely, sql } from "kysely";
import type { Timestamp } from "../../runtime/clock.ts";
import type { Database } from "../schema/database.ts";

export interface HookHealth {
  tenantId: number;
  tenantName: string;
  hookId: number;
  url: string;
  failingSince: Timestamp | null;
  deactivatedReason: string | null;
  pending: number;
  oldestPendingOn: Timestamp | null;
  /** From the oldest pending delivery, else the last one. */
  lastStatus: number | null;
  lastMessage: string | null;
}

/** Webhooks that are active or were deactivated after failures. `pendingMax` limits each count. */
export async function readHookHealth(db: Kysely<Database>, pendingMax: number): Promise<HookHealth[]> {
  const pendingOf = sql`from deliveries where deliveries.tenant_id = hooks.tenant_id
    and deliveries.hook_id = hooks.id and deliveries.status = 'pending'`;
  // "<=" leaves PostgreSQL only the index of the order. With "=", it reads a tenant's deliveries for a hook without any.
  const lastId = sql`select last.id from (
      select deliveries.id, deliveries.hook_id from deliveries
      where deliveries.tenant_id = hooks.tenant_id and deliveries.hook_id <= hooks.id
      order by deliveries.hook_id desc, deliveries.id desc limit 1
    ) as last where last.hook_id = hooks.id`;
  // A join would let PostgreSQL read all deliveries.
  const chosen = (column: string) => sql`(select ${sql.ref(`deliveries.${column}`)} from deliveries
    where deliveries.tenant_id = health.tenant_id and deliveries.id = health.delivery_id)`;
  const { rows } = await sql<HookHealth>`
    with health as materialized (
      select hooks.tenant_id, hooks.id, hooks.url, hooks.failing_since,
        case when hooks.deleted_at is not null then hooks.deleted_reason end as reason,
        (select count(*) from (select 1 as one ${pendingOf} limit ${sql.lit(pendingMax)}) as counted) as pending,
        coalesce((select min(deliveries.id) ${pendingOf}), (${lastId})) as delivery_id
      from hooks where hooks.deleted_at is null or hooks.deleted_reason is not null
    )
    select health.tenant_id as "tenantId", tenants.name as "tenantName", health.id as "hookId", health.url,
      health.failing_since as "failingSince", health.reason as "deactivatedReason", health.pending,
      case when health.pending > 0 then ${chosen("created_on")} end as "oldestPendingOn",
      ${chosen("http_status")} as "lastStatus", ${chosen("message")} as "lastMessage"
    from health join tenants on tenants.id = health.tenant_id
    order by health.pending desc, health.tenant_id, health.id`.execute(db);
  return rows.map((row) => ({ ...row, pending: Number(row.pending) }));
}
