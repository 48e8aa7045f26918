import { expect, it } from "vitest";
import type { Operation } from "../../src/core/operation.ts";
import type { ErrorBody } from "../../src/errors/errors.ts";
import { newestVersion } from "../../src/models/api-versions.ts";
import type { JsonSchema } from "../../src/models/fields.ts";
import { toJsonSchema } from "../../src/models/json-schema.ts";
import { modelName } from "../../src/models/model.ts";
import { loadOperations } from "../../src/operations/index.ts";
import { aCustomer, type Json } from "../support/builders.ts";
import { toViolations } from "../support/describe-input.ts";
import { describeFixtureInProcessOnSqlite, type Fixture } from "../support/fixture.ts";
import { nameOf, toValidCall } from "../support/valid-call.ts";

const operations = await loadOperations();

/** Every PATCH that a user can send; only the operator calls tenants.update. */
const patches = operations.filter(({ route }) => route.startsWith("PATCH "));

/** Fields that docs/interface.md requires, or that a job keeps once they are set. */
const refused: Readonly<Record<string, readonly string[]>> = {
  "addresses.update": [
    "country",
    "is_billing",
    "is_shipping",
    "latitude",
    "line_1",
    "locality",
    "longitude",
    "postcode",
    "region",
  ],
  "asset-types.update": ["name"],
  "chats.edit": ["text"],
  "customers.update": ["name"],
  "drivers.update": ["name"],
  "hooks.update": ["events", "secret", "url"],
  "jobs.dispatch": ["new_schedule_date"],
  // Null in one of these is refused on its own, because the operation needs one of the three.
  "jobs.move": ["before", "first", "last"],
  "jobs.update": ["completed_by", "completed_on", "dispatched_on", "requested_by", "type"],
  "locations.update": ["name"],
  "trucks.update": ["name"],
  "users.update": ["roles", "username"],
};

/** Initial values of fields that are neither null nor false on a new record. */
const initial: Readonly<Record<string, Json>> = {
  "customer-locations.update": { is_active: true, is_commercial: null },
  "drivers.update": { can_assign_to: [], can_dispatch_to: [] },
  "dump-destinations.update": { is_active: true },
  "hooks.update": { api_version: "2019/02/08" },
  // Null counts as absent for last_updated_on, so the value of the test stays.
  "jobs.update": { last_updated_on: "2026-11-21T08:30:00.000000", times_failed: 0, times_rolled_over: 0 },
  "locations.update": {
    delivery_name: "Live load",
    distance_label: "mi",
    dropoff_name: "Drop-off",
    exchange_name: "Exchange",
    is_active: true,
    pickup_name: "Pickup",
    service_name: "Service",
  },
  "users.update": { customer_ids: [], is_active: true },
};

/** Values that a job needs before it can have the field. */
const companions: Readonly<Record<string, (fixture: Fixture) => Json>> = {
  completed_by: () => ({ is_completed: true }),
  completed_on: () => ({ is_completed: true }),
  dispatched_on: ({ own }) => ({ truck_id: own.truck_id }),
};

/** Values that the schema alone does not determine. */
const values: Readonly<Record<string, (fixture: Fixture) => unknown>> = {
  add_to_routes_settings: () => [],
  api_version: () => newestVersion,
  asset_dropped_id: ({ own }) => own.asset_id,
  asset_id: ({ own }) => own.asset_id,
  asset_type_id: ({ own }) => own.asset_type_id,
  can_assign_to: () => [1],
  can_dispatch_to: () => [1],
  completed_by: ({ own }) => own.user_id,
  customer_id: ({ own }) => own.customer_id,
  customer_ids: ({ own }) => [own.customer_id],
  driver_id: ({ own }) => own.driver_id,
  dump_location_id: ({ own }) => own.dump_destination_id,
  "UpdateWebhookModel.events": () => ["Truck"],
  "UpdateLocationModel.address": () => ({ line_1: "1 First Street" }),
  "UpdateLocationModel.contact": () => ({ name: "Zoë" }),
  "UpdateJobAssetModel.location": () => ({ line_1: "1 First Street" }),
  final_location_id: ({ own }) => own.dump_destination_id,
  headers: () => ({ "x-yard": "7" }),
  location_id: ({ own }) => own.location_id,
  parent_id: async ({ harness, own }) => {
    const params = { location_id: own.location_id };
    return (await harness.ok("customers.create", { params, body: aCustomer() })).id;
  },
  requested_by: ({ own }) => own.customer_id,
  roles: () => ["CrmUser"],
  start_location_id: ({ own }) => own.dump_destination_id,
  truck_id: ({ own }) => own.truck_id,
  type: () => "D",
  url: () => "http://127.0.0.1:9/other",
};

const isBoolean = (schema: JsonSchema) => JSON.stringify(schema).includes("BooleanInput");

/** A value that the field accepts and that a new record does not have. */
function toValue(field: string, schema: JsonSchema, isInitiallyTrue: boolean): unknown {
  if (isBoolean(schema)) return !isInitiallyTrue;
  if (schema["x-when"] === "future") return "2026-12-24";
  if (Array.isArray(schema.examples)) return schema.examples[0];
  if (Array.isArray(schema.enum)) return schema.enum.find((word) => word !== null);
  const [type] = [schema.type].flat();
  if (type === "integer" || type === "number") return schema.minimum ?? 1;
  if (/_(on|date|time)$/.test(field)) return "2026-11-20";
  if (schema.format === "uuid") return "2f1b1f0e-6c3b-4c55-9d3e-0a8f6d1c2b3a";
  return "a".repeat(Math.max(1, Number(schema.minLength ?? 1)));
}

/** The role that may set the field, where the usual caller may not. */
const callers: Readonly<Record<string, "Driver">> = { is_read: "Driver" };

// Both databases store nulls in the same columns (test/store/catalogue).
describeFixtureInProcessOnSqlite("null in a PATCH", (fixture) => {
  const send = async (operation: Operation, body: Json, field: string) => {
    const call = toValidCall(operation, fixture);
    return fixture.harness.call(nameOf(operation), { ...call, as: callers[field] ?? call.as, body });
  };

  /** Reads the field from the record's GET, or from its row if no answer contains it. */
  const read = async (operation: Operation, field: string, answer: unknown): Promise<unknown> => {
    const { params } = toValidCall(operation, fixture);
    if (operation.name === "retention.update") {
      const rule = (answer as Json[]).find(({ kind }) => kind === field);
      return rule?.is_default === true ? null : rule?.kept_for;
    }
    const { record } = operation.changes;
    const got = record ? await fixture.harness.ok(nameOf(record), { params }) : answer;
    if (Object.hasOwn(got as Json, field)) return (got as Json)[field];
    const table = operation.name.split(".")[0]?.replaceAll("-", "_") ?? "";
    const id = (answer as Json).id;
    const row = fixture.harness.store.rows(table as "users").find((candidate) => candidate.id === id);
    return Boolean(row?.[field]);
  };

  /** Sets the field to a value that a new record does not have. */
  const fill = async (operation: Operation, model: string, field: string, schema: JsonSchema) => {
    const make = values[`${model}.${field}`] ?? values[field];
    const isTrue = initial[operation.name]?.[field] === true;
    const value = await (make?.(fixture) ?? toValue(field, schema, isTrue));
    const others = operation.name === "jobs.update" ? companions[field]?.(fixture) : {};
    const { body, status } = await send(operation, { ...others, [field]: value }, field);
    expect([field, status, status === 200 || body]).toEqual([field, 200, true]);
  };

  it.each(patches)("of $name unsets each field or is refused by its name", async (operation) => {
    const model = operation.body ? modelName(operation.body) : "";
    const found: string[] = [];
    for (const [field, schema] of fieldsOf(operation)) {
      if (operation.name !== "jobs.move") await fill(operation, model, field, schema);
      const answer = await send(operation, { [field]: null }, field);
      if (answer.status === 200) {
        const unset: Json = { [field]: isBoolean(schema) ? false : null, ...initial[operation.name] };
        // As on creation, null means the customer that requested the job.
        if (operation.name === "jobs.update") unset.customer_id = fixture.own.customer_id;
        expect([field, await read(operation, field, answer.body)]).toEqual([field, unset[field]]);
      } else {
        expect(toViolations(answer)).toEqual([
          expect.any(Number),
          [expect.stringMatching(/^(missing_value|state_conflict)$/), expect.any(String)],
        ]);
        expect(`${model}.${field}`).toContain((answer.body as ErrorBody).field);
        found.push(field);
      }
      if (/^completed_/.test(field)) await send(operation, { is_completed: false }, field);
    }
    expect(found.toSorted()).toEqual(refused[operation.name]?.toSorted() ?? []);
  });
});

function fieldsOf({ body }: Operation): [string, JsonSchema][] {
  if (!body) return [];
  const { properties } = toJsonSchema(body, "input").$defs[modelName(body)] ?? {};
  return Object.entries(properties as Record<string, JsonSchema>);
}

it.each(patches)("the schema of $name says which fields may be null", (operation) => {
  const isNullable = (schema: JsonSchema) => /"null"|null\]/.test(JSON.stringify(schema));
  const required = fieldsOf(operation).filter(([, schema]) => !isNullable(schema));
  // Facts of a job may be null in other states, and the order of jobs has other forms.
  const mayBeNull = ["before", "completed_by", "completed_on", "dispatched_on", "first", "last"];
  expect(required.map(([field]) => field).toSorted()).toEqual(
    (refused[operation.name] ?? []).filter((field) => !mayBeNull.includes(field)),
  );
});
