import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { Database, OwnedTable } from "../schema/database.ts";
import type { RowScope } from "./row-scopes.ts";

type Rows = SelectQueryBuilder<Database, "jobs", object>;
type Rule = (view: RowScope, tenantId: number) => Condition;

/** True for the rows that a view shows; `true` shows all, `false` none. */
type Condition = boolean | Expression<SqlBool>;

/** Keeps the rows that at least one view shows. */
export function narrowToVisible(
  rows: Rows,
  table: OwnedTable,
  tenantId: number,
  rowScopes: readonly RowScope[],
): Rows {
  const conditions = rowScopes.map((view) => rules[table](view, tenantId));
  if (conditions.includes(true)) return rows;
  const shown = conditions.filter((condition) => typeof condition !== "boolean");
  return rows.where((eb: ExpressionBuilder<Database, "jobs">) => eb.or(shown));
}

/** Concerns the whole tenant: nothing for those who are bound to a part of it. */
const tenantWide: Rule = (view) => view.sees === "tenant";

/** Belongs to a location: those who are bound to another one do not see it. */
const ofLocation =
  (table: "asset_types" | "dump_destinations" | "gps_events" | "materials"): Rule =>
  (view) =>
    view.sees === "location" ? sql`${sql.ref(`${table}.location_id`)} = ${view.locationId}` : true;

/** Hangs on a job: seen by those who see the job. */
const ofJob =
  (table: "job_images" | "job_items" | "job_materials" | "job_returns"): Rule =>
  (view, tenantId) => {
    const shown = rules.jobs(view, tenantId);
    if (typeof shown === "boolean") return shown;
    return sql`${sql.ref(`${table}.job_id`)} in (select id from jobs where tenant_id = ${tenantId} and ${shown})`;
  };

/** OP-53, table by table. The subqueries repeat the tenant so that each can use an index that begins with it. */
const rules: { [T in OwnedTable]: Rule } = {
  asset_types: ofLocation("asset_types"),
  assets: (view, tenantId) => {
    if (view.sees === "tenant") return true;
    if (view.sees === "location") return sql`assets.location_id = ${view.locationId}`;
    const atCustomer = seesCustomer(sql.ref("assets.customer_id"), view, tenantId);
    // What stands in the yard is there for everybody who may be told to bring it.
    return view.sees === "customers" ? atCustomer : sql`(assets.customer_id is null or ${atCustomer})`;
  },
  audit: tenantWide,
  chat_messages: (view, tenantId) => {
    switch (view.sees) {
      case "tenant":
        return true;
      case "location":
        return sql`chat_messages.driver_id in (select id from drivers where tenant_id = ${tenantId}
          and location_id = ${view.locationId})`;
      case "driver":
        return sql`chat_messages.driver_id = ${view.driverId}`;
      default:
        return false;
    }
  },
  deliveries: tenantWide,
  delivery_attempts: tenantWide,
  drivers: (view) => {
    switch (view.sees) {
      case "tenant":
        return true;
      case "location":
        return sql`drivers.location_id = ${view.locationId}`;
      case "driver":
        return sql`drivers.id = ${view.driverId}`;
      case "hauler":
        return sql`lower(drivers.third_party_hauler_id) = ${view.haulerId.toLowerCase()}`;
      // Drivers are people: their addresses and licences are none of the customers' business.
      case "customers":
        return false;
    }
  },
  dump_destinations: ofLocation("dump_destinations"),
  events: tenantWide,
  gps_events: ofLocation("gps_events"),
  hauler_connections: (view) =>
    view.sees === "hauler"
      ? sql`hauler_connections.hauler_uuid = ${view.haulerId.toLowerCase()}`
      : view.sees !== "customers",
  hooks: tenantWide,
  job_images: ofJob("job_images"),
  job_items: ofJob("job_items"),
  job_materials: ofJob("job_materials"),
  job_returns: ofJob("job_returns"),
  materials: ofLocation("materials"),
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
        return sql`jobs.third_party_hauler_id = ${view.haulerId.toLowerCase()}`;
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
        return sql`lower(trucks.third_party_hauler_id) = ${view.haulerId.toLowerCase()}`;
    }
  },
  locations: (view) => (view.sees === "location" ? sql`locations.id = ${view.locationId}` : true),
  usage: tenantWide,
  users: (view) =>
    view.sees === "location" ? sql`users.location_id = ${view.locationId}` : view.sees === "tenant",
};

/** Drivers and haulers see the customers of the jobs they see. */
function seesCustomer(customerId: Expression<unknown>, view: RowScope, tenantId: number): Condition {
  switch (view.sees) {
    case "tenant":
      return true;
    case "location":
      return sql`${customerId} in (select customer_id from customer_locations where tenant_id = ${tenantId}
        and location_id = ${view.locationId})`;
    case "customers":
      return sql`${customerId} in (${sql.join(view.customerIds)})`;
    case "driver":
      // One subquery of both, or PostgreSQL would look at every customer to judge an "or".
      return sql`${customerId} in (select customer_id from jobs where tenant_id = ${tenantId}
        and truck_id in (${trucksOf(view.driverId, tenantId)})
        union select customer_id from jobs where tenant_id = ${tenantId} and completed_by = ${view.userId})`;
    case "hauler":
      return sql`${customerId} in (select customer_id from jobs where tenant_id = ${tenantId}
        and third_party_hauler_id = ${view.haulerId.toLowerCase()})`;
  }
}

function trucksOf(driverId: number, tenantId: number) {
  return sql`select id from trucks where tenant_id = ${tenantId} and driver_id = ${driverId}`;
}
