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
  const { rows } = await sql<HookHealth>`
    with health as (
      select hooks.tenant_id, hooks.id, hooks.url, hooks.failing_since,
        case when hooks.deleted_at is not null then hooks.deleted_reason end as reason,
        (select count(*) from (select 1 as one ${pendingOf} limit ${sql.lit(pendingMax)}) as counted) as pending,
        coalesce((select min(deliveries.id) ${pendingOf}), (
          select max(deliveries.id) from deliveries
          where deliveries.tenant_id = hooks.tenant_id and deliveries.hook_id = hooks.id
        )) as delivery_id
      from hooks where hooks.deleted_at is null or hooks.deleted_reason is not null
    )
    select health.tenant_id as "tenantId", tenants.name as "tenantName", health.id as "hookId", health.url,
      health.failing_since as "failingSince", health.reason as "deactivatedReason", health.pending,
      case when deliveries.status = 'pending' then deliveries.created_on end as "oldestPendingOn",
      deliveries.http_status as "lastStatus", deliveries.message as "lastMessage"
    from health join tenants on tenants.id = health.tenant_id
      left join deliveries on deliveries.tenant_id = health.tenant_id and deliveries.id = health.delivery_id
    order by health.pending desc, health.tenant_id, health.id`.execute(db);
  return rows.map((row) => ({ ...row, pending: Number(row.pending) }));
}
