import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import { type Database, type OwnedTable, ownedTables, type TableSeenBy } from "../schema/database.ts";
import type { ListParameter } from "./compiled.ts";
import type { RowScope } from "./row-scopes.ts";

type Rows = SelectQueryBuilder<Database, "jobs", object>;
type Rule = (scope: ScopeOperands, tenantId: Operand<number>) => Condition;

type Condition = boolean | Expression<SqlBool>;

export function narrowToScopes(
  rows: Rows,
  table: OwnedTable,
  tenantId: Operand<number>,
  rowScopes: readonly ScopeOperands[],
): Rows {
  const conditions = rowScopes.map((scope) => ruleOf(table)(scope, tenantId));
  if (conditions.includes(true)) return rows;
  const shown = conditions.filter((condition) => typeof condition !== "boolean");
  return rows.where((eb: ExpressionBuilder<Database, "jobs">) => eb.or(shown));
}

function ruleOf(table: OwnedTable): Rule {
  const { seenBy } = ownedTables[table];
  if (seenBy === "tenant") return tenantWide;
  if (seenBy === "location") return ofLocation(table);
  if (seenBy === "job") return ofJob(table);
  return rules[table as TableSeenBy<"rule">];
}

const tenantWide: Rule = (scope) => scope.kind === "tenant";

const ofLocation =
  (table: OwnedTable): Rule =>
  (scope) =>
    scope.kind === "location" ? sql`${sql.ref(`${table}.location_id`)} = ${scope.locationId}` : true;

const ofJob =
  (table: OwnedTable): Rule =>
  (scope, tenantId) => {
    const shown = rules.jobs(scope, tenantId);
    if (typeof shown === "boolean") return shown;
    return sql`${sql.ref(`${table}.job_id`)} in (select id from jobs where tenant_id = ${tenantId} and ${shown})`;
  };

/** Each subquery repeats the tenant so that it can use an index that begins with the tenant. */
const rules: { [T in TableSeenBy<"rule">]: Rule } = {
  assets: (scope, tenantId) => {
    if (scope.kind === "tenant") return true;
    if (scope.kind === "location") return sql`assets.location_id = ${scope.locationId}`;
    const atCustomer = isCustomerInScope(sql.ref("assets.customer_id"), scope, tenantId);
    // Drivers and haulers fetch assets from the yard.
    return scope.kind === "customers" ? atCustomer : sql`(assets.customer_id is null or ${atCustomer})`;
  },
  chat_messages: (scope, tenantId) => {
    switch (scope.kind) {
      case "tenant":
        return true;
      case "location":
        return sql`chat_messages.driver_id in (select id from drivers where tenant_id = ${tenantId}
          and location_id = ${scope.locationId})`;
      case "driver":
        return sql`chat_messages.driver_id = ${scope.driverId}`;
      default:
        return false;
    }
  },
  drivers: (scope) => {
    switch (scope.kind) {
      case "tenant":
        return true;
      case "location":
        return sql`drivers.location_id = ${scope.locationId}`;
      case "driver":
        return sql`drivers.id = ${scope.driverId}`;
      case "hauler":
        return sql`lower(drivers.third_party_hauler_id) = ${scope.haulerId}`;
      // Drivers' addresses and licenses are personal data.
      case "customers":
        return false;
    }
  },
  hauler_connections: (scope) =>
    scope.kind === "hauler"
      ? sql`hauler_connections.hauler_uuid = ${scope.haulerId}`
      : scope.kind !== "customers",
  jobs: (scope, tenantId) => {
    switch (scope.kind) {
      case "tenant":
        return true;
      case "location":
        return sql`jobs.location_id = ${scope.locationId}`;
      case "customers":
        return sql`jobs.customer_id ${isIn(scope.customerIds)}`;
      case "driver":
        return sql`(jobs.truck_id in (${trucksOf(scope.driverId, tenantId)}) or jobs.completed_by in (${personOf(scope, tenantId)}))`;
      case "hauler":
        return sql`(jobs.third_party_hauler_id = ${scope.haulerId} or jobs.truck_id in (${trucksOfHauler(scope.haulerId, tenantId)}))`;
    }
  },
  customers: (scope, tenantId) => isCustomerInScope(sql.ref("customers.id"), scope, tenantId),
  customer_locations: (scope, tenantId) =>
    scope.kind === "location"
      ? sql`customer_locations.location_id = ${scope.locationId}`
      : isCustomerInScope(sql.ref("customer_locations.customer_id"), scope, tenantId),
  addresses: (scope, tenantId) => isCustomerInScope(sql.ref("addresses.customer_id"), scope, tenantId),
  contacts: (scope, tenantId) => isCustomerInScope(sql.ref("contacts.customer_id"), scope, tenantId),
  trucks: (scope, tenantId) => {
    switch (scope.kind) {
      case "tenant":
        return true;
      case "location":
        return sql`trucks.location_id = ${scope.locationId}`;
      case "customers":
        return sql`trucks.id in (select truck_id from jobs where tenant_id = ${tenantId}
          and customer_id ${isIn(scope.customerIds)})`;
      case "driver":
        return sql`trucks.driver_id = ${scope.driverId}`;
      case "hauler":
        return sql`lower(trucks.third_party_hauler_id) = ${scope.haulerId}`;
    }
  },
  locations: (scope, tenantId) => {
    if (scope.kind === "location") return sql`locations.id = ${scope.locationId}`;
    return scope.kind === "hauler" ? isOfHauler(sql.ref("locations.id"), scope.haulerId, tenantId) : true;
  },
  users: (scope) =>
    scope.kind === "location" ? sql`users.location_id = ${scope.locationId}` : scope.kind === "tenant",
};

export function isOfHauler(
  locationId: Expression<unknown>,
  haulerId: Operand<string>,
  tenantId: Operand<number>,
) {
  return sql<SqlBool>`(exists (select 1 from hauler_connections as connected where connected.tenant_id = ${tenantId}
    and connected.hauler_uuid = ${haulerId} and connected.approved_on is not null and connected.denied_on is null
    and (connected.location_id is null or connected.location_id = ${locationId}))
    or ${locationId} in (${ofJobsOfHauler("location_id", haulerId, tenantId)}))`;
}

function isCustomerInScope(
  customerId: Expression<unknown>,
  scope: ScopeOperands,
  tenantId: Operand<number>,
): Condition {
  switch (scope.kind) {
    case "tenant":
      return true;
    case "location":
      return sql`${customerId} in (select customer_id from customer_locations where tenant_id = ${tenantId}
        and location_id = ${scope.locationId})`;
    case "customers":
      return sql`${customerId} ${isIn(scope.customerIds)}`;
    case "driver":
      // One subquery instead of "or": with "or", PostgreSQL reads every customer.
      return sql`${customerId} in (select customer_id from jobs where tenant_id = ${tenantId}
        and truck_id in (${trucksOf(scope.driverId, tenantId)})
        union select customer_id from jobs where tenant_id = ${tenantId} and completed_by in (${personOf(scope, tenantId)}))`;
    case "hauler":
      return sql`${customerId} in (${ofJobsOfHauler("customer_id", scope.haulerId, tenantId)})`;
  }
}

function ofJobsOfHauler(
  column: "customer_id" | "location_id",
  haulerId: Operand<string>,
  tenantId: Operand<number>,
) {
  // Each half of the union uses its own index.
  const jobs = sql`select ${sql.ref(column)} from jobs where tenant_id = ${tenantId}`;
  return sql`${jobs} and third_party_hauler_id = ${haulerId}
    union ${jobs} and truck_id in (${trucksOfHauler(haulerId, tenantId)})`;
}

function trucksOfHauler(haulerId: Operand<string>, tenantId: Operand<number>) {
  return sql`select id from trucks where tenant_id = ${tenantId} and lower(third_party_hauler_id) = ${haulerId}`;
}

function isIn([operator, list]: ListParameter<number>) {
  return sql`${sql.raw(operator)} ${list}`;
}

function trucksOf(driverId: Operand<number>, tenantId: Operand<number>) {
  return sql`select id from trucks where tenant_id = ${tenantId} and driver_id = ${driverId}`;
}

/** The ids in `completed_by` that mean this driver: its user's id, and the driver id unless a user has the same id. */
function personOf(
  { driverId, userId }: Extract<ScopeOperands, { kind: "driver" }>,
  tenantId: Operand<number>,
) {
  return sql`select id from users where tenant_id = ${tenantId} and id = ${userId}
    union select id from drivers where tenant_id = ${tenantId} and id = ${driverId}
      and not exists (select 1 from users where tenant_id = ${tenantId} and users.id = drivers.id)`;
}

export type Operand<T> = T | Expression<T>;

export type ScopeOperands =
  | { kind: "tenant" }
  | { kind: "location"; locationId: Operand<number> }
  | { kind: "customers"; customerIds: ListParameter<number> }
  | { kind: "driver"; driverId: Operand<number>; userId: Operand<number> }
  | { kind: "hauler"; haulerId: Operand<string> };

interface OperandBinder {
  value<T extends number | string>(value: T): Operand<T>;
  list<T>(values: readonly T[]): ListParameter<T>;
}

export function toScopeOperands(scope: RowScope, bind: OperandBinder): ScopeOperands {
  switch (scope.kind) {
    case "tenant":
      return scope;
    case "location":
      return { kind: scope.kind, locationId: bind.value(scope.locationId) };
    case "customers":
      return { kind: scope.kind, customerIds: bind.list(scope.customerIds) };
    case "driver":
      return { kind: scope.kind, driverId: bind.value(scope.driverId), userId: bind.value(scope.userId) };
    case "hauler":
      return { kind: scope.kind, haulerId: bind.value(scope.haulerId.toLowerCase()) };
  }
}
