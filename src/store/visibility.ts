import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { Database, OwnedTable } from "./database.ts";
import type { View } from "./views.ts";

type Rows = SelectQueryBuilder<Database, "jobs", object>;
type Rule = (view: View, tenantId: number) => Condition;

/** True for the rows that a view shows; `true` shows all, `false` none. */
type Condition = boolean | Expression<SqlBool>;

/** Keeps the rows that at least one view shows. */
export function narrowToVisible(
  rows: Rows,
  table: OwnedTable,
  tenantId: number,
  views: readonly View[],
): Rows {
  const conditions = views.map((view) => rules[table](view, tenantId));
  if (conditions.includes(true)) return rows;
  const shown = conditions.filter((condition) => typeof condition !== "boolean");
  return rows.where((eb: ExpressionBuilder<Database, "jobs">) => eb.or(shown));
}

/** Everybody whose role may ask sees all of the tenant's. */
const everyone: Rule = () => true;

/** Concerns the whole tenant: nothing for those who are bound to a part of it. */
const tenantWide: Rule = (view) => view.sees === "tenant";

/** OP-53, table by table. The subqueries repeat the tenant so that each can use an index that begins with it. */
const rules: { [T in OwnedTable]: Rule } = {
  asset_types: everyone,
  assets: everyone,
  audit: tenantWide,
  drivers: everyone,
  dump_destinations: everyone,
  events: tenantWide,
  hooks: tenantWide,
  tokens: tenantWide,
  jobs: (view, tenantId) => {
    switch (view.sees) {
      case "tenant":
        return true;
      case "location":
        return sql`jobs.location_id = ${view.locationId}`;
      case "customers":
        return sql`jobs.customer_id in (${sql.join(view.customerIds)})`;
      case "driver":
        return sql`(jobs.truck_id in (${trucksOf(view.driverId, tenantId)}) or jobs.completed_by = ${view.userId})`;
      case "hauler":
        return sql`jobs.third_party_hauler_id = ${view.haulerId}`;
    }
  },
  customers: (view, tenantId) => seesCustomer(sql.ref("customers.id"), view, tenantId),
  customer_locations: (view, tenantId) =>
    view.sees === "location"
      ? sql`customer_locations.location_id = ${view.locationId}`
      : seesCustomer(sql.ref("customer_locations.customer_id"), view, tenantId),
  addresses: (view, tenantId) => seesCustomer(sql.ref("addresses.customer_id"), view, tenantId),
  contacts: (view, tenantId) => seesCustomer(sql.ref("contacts.customer_id"), view, tenantId),
  trucks: (view, tenantId) => {
    switch (view.sees) {
      case "tenant":
        return true;
      case "location":
        return sql`trucks.location_id = ${view.locationId}`;
      case "customers":
        return sql`trucks.id in (select truck_id from jobs where tenant_id = ${tenantId}
          and customer_id in (${sql.join(view.customerIds)}))`;
      case "driver":
        return sql`trucks.driver_id = ${view.driverId}`;
      case "hauler":
        return sql`trucks.third_party_hauler_id = ${view.haulerId}`;
    }
  },
  locations: (view) => (view.sees === "location" ? sql`locations.id = ${view.locationId}` : true),
  users: (view) =>
    view.sees === "location" ? sql`users.location_id = ${view.locationId}` : view.sees === "tenant",
};

/** Drivers and haulers see the customers of the jobs they see. */
function seesCustomer(customerId: Expression<unknown>, view: View, tenantId: number): Condition {
  switch (view.sees) {
    case "tenant":
      return true;
    case "location":
      return sql`${customerId} in (select customer_id from customer_locations where tenant_id = ${tenantId}
        and location_id = ${view.locationId})`;
    case "customers":
      return sql`${customerId} in (${sql.join(view.customerIds)})`;
    case "driver":
      return sql`(${customerId} in (select customer_id from jobs where tenant_id = ${tenantId}
        and truck_id in (${trucksOf(view.driverId, tenantId)}))
        or ${customerId} in (select customer_id from jobs where tenant_id = ${tenantId} and completed_by = ${view.userId}))`;
    case "hauler":
      return sql`${customerId} in (select customer_id from jobs where tenant_id = ${tenantId}
        and third_party_hauler_id = ${view.haulerId})`;
  }
}

function trucksOf(driverId: number, tenantId: number) {
  return sql`select id from trucks where tenant_id = ${tenantId} and driver_id = ${driverId}`;
}
