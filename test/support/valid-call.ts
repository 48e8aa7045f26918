import { type Operation, rolesOf } from "../../src/core/operation.ts";
import { newestVersion } from "../../src/models/api-versions.ts";
import { modelName } from "../../src/models/model.ts";
import type { Role } from "../../src/models/user.ts";
import type { OperationName } from "../../src/operations/index.ts";
import type { Json } from "./builders.ts";
import type { Fixture, Ids, PathId } from "./fixture.ts";
import type { HarnessCall } from "./harness.ts";
import { validBodies } from "./valid-bodies.ts";

/** A call of an operation on a fixture that must succeed. */
export interface ValidCall extends HarnessCall {
  as: Role;
  params: Record<string, string | number>;
  body?: Json;
}

/** Overrides for operations that need another record than their parameter usually names. */
const ownParams: Readonly<Record<string, (fixture: Fixture) => Partial<Ids>>> = {
  // The customer is at its own location already.
  "customer-locations.add": ({ otherLocationId }) => ({ customer_location_id: otherLocationId }),
};

/** The required parameters of a query. */
const ownQueries: Readonly<Record<string, (fixture: Fixture) => Record<string, string | number>>> = {
  "locations.of": ({ own }) => ({ kind: "trucks", record_id: own.truck_id }),
  "events.preview": ({ own }) => ({ record_id: own.truck_id, type: "Truck" }),
  "search.find": ({ own }) => ({ q: String(own.customer_id) }),
};

/** The order in which to try callers: first those who see the whole tenant. */
const callerOrder: readonly Role[] = [
  "Dispatcher",
  "Admin",
  "CrmUser",
  "ThirdPartyDispatcher",
  "Driver",
  "ThirdPartyDriver",
  "ClientCustomer",
];

/** Builds the call from the declaration: ids by parameter name, the body by its model. */
export function toValidCall(operation: Operation, fixture: Fixture): ValidCall {
  return {
    as: callerOrder.find((role) => rolesOf(operation).includes(role)) ?? "Admin",
    params: { ...toParams(operation, fixture.own), ...ownParams[operation.name]?.(fixture) },
    query: ownQueries[operation.name]?.(fixture) ?? {},
    version: operation.lifetime?.until ?? newestVersion,
    ...(operation.body && { body: toValidBody(operation, fixture) }),
  };
}

/**
 * The same as a dry run, for operations that succeed only once or must leave no trace. Operations that call other
 * servers have no dry run.
 */
export function toDryCall(operation: Operation, fixture: Fixture): ValidCall {
  const { effect } = operation;
  return { ...toValidCall(operation, fixture), dryRun: effect === "write" || effect === "delete" };
}

/** Returns the name of an operation, typed for the harness. */
export function nameOf({ name }: Operation): OperationName {
  return name as OperationName;
}

/** Fills the parameters of an operation's path with a tenant's ids. */
export function toParams({ name, params }: Pick<Operation, "name" | "params">, ids: Ids) {
  return Object.fromEntries(
    Object.keys(params).map((parameter) => {
      if (!isPathId(parameter, ids))
        throw new Error(
          `${name}: test/support/fixture.ts has no record for the parameter ${parameter}; add one.`,
        );
      return [parameter, ids[parameter]];
    }),
  );
}

function isPathId(parameter: string, ids: Ids): parameter is PathId {
  return Object.hasOwn(ids, parameter);
}

/** Throws if the operation's model has no valid body yet. */
export function toValidBody({ body, name }: Operation, fixture: Fixture): Json {
  const model = body ? modelName(body) : "";
  const make = validBodies[model];
  if (!make)
    throw new Error(
      `${name}: test/support/valid-bodies.ts has no line for ${model}; add a small valid body.`,
    );
  return make(fixture);
}
