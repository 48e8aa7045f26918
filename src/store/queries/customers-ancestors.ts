import { sql } from "kysely";
import type { TenantAccess } from "../access/access.ts";

/**
 * The customer, its parent, the parent's parent, and so on, visible or not. A cycle ends before the first repeated
 * customer.
 */
export async function findAncestors(access: TenantAccess, id: number): Promise<number[]> {
  const { tenantId } = access;
  // `union` keeps each customer once, so that the recursion ends even in a cycle.
  const chain = sql<number>`(
    with recursive line (id, parent_id) as (
      select id, parent_id from customers where tenant_id = ${tenantId} and id = ${id}
      union
      select up.id, up.parent_id from customers as up, line where up.tenant_id = ${tenantId} and up.id = line.parent_id
    )
    select id from line)`;
  const rows = await access
    .selectUnseen("customers")
    .where("id", "in", chain)
    .select(["id", "parent_id"])
    .execute();
  const parents = new Map(rows.map((row) => [row.id, row.parent_id]));
  const line = new Set<number>();
  let next: number | null = parents.has(id) ? id : null;
  while (next !== null && !line.has(next)) {
    line.add(next);
    next = parents.get(next) ?? null;
  }
  return [...line];
}
