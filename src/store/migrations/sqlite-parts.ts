/** Triggers count writes and rows in `table_revisions`, for each tenant and table. */
export function toRevisionTriggers(tables: readonly string[]): string {
  return tables.map((table) => toTriggers(table, "revision", "tenant_id")).join("\n");
}

/** Under tenant 0: tables without a tenant, and tables that affect several tenants. */
export function toSharedRevisionTriggers(tables: readonly string[]): string {
  return tables.map((table) => toTriggers(table, "shared_revision", "0")).join("\n");
}

function toTriggers(table: string, name: string, tenant: "0" | "tenant_id"): string {
  const counted = tenant === "0" ? "" : `group by ${tenant}`;
  const changes = [
    ["insert", "new", 1],
    ["update", "new", 0],
    ["delete", "old", -1],
  ] as const;
  const triggers = changes.map(
    ([change, row, added]) => `
    create trigger ${table}_${name}_on_${change} after ${change} on ${table} begin
      insert into table_revisions (tenant_id, table_name, revision, row_count)
        values (${tenant === "0" ? tenant : `${row}.${tenant}`}, '${table}', 1, ${added})
        on conflict do update set revision = revision + 1, row_count = row_count + excluded.row_count;
    end;`,
  );
  return `
    insert into table_revisions (tenant_id, table_name, revision, row_count)
      select ${tenant}, '${table}', 0, count(*) from ${table} ${counted};${triggers.join("")}`;
}
