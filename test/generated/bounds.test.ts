import { describe, expect, it } from "vitest";
import type * as z from "zod";
import type { Operation } from "../../src/core/operation.ts";
import { apiVersions } from "../../src/models/api-versions.ts";
import { fieldKinds, type JsonSchema } from "../../src/models/fields.ts";
import { bodyPartsMax } from "../../src/models/json-body.ts";
import { modelName, type Shape } from "../../src/models/model.ts";
import { unwrap } from "../../src/models/parse.ts";
import { requestChangeSince } from "../../src/models/versions/index.ts";
import { loadOperations } from "../../src/operations/index.ts";
import { toViolations } from "../support/describe-input.ts";
import { describeFixtureOverHttp } from "../support/fixture.ts";
import { nameOf, toValidCall } from "../support/valid-call.ts";

const operations = await loadOperations();

/** The models of the bodies that an operation accepts, at any version. */
function bodiesOf({ body, name }: Operation): z.ZodObject<Shape>[] {
  const before = apiVersions.map((version) => requestChangeSince(version, name)?.before.body);
  return [...new Set([body, ...before])].filter((model) => model !== null && model !== undefined);
}

interface FoundField {
  path: string;
  schema: z.ZodType;
  isInList: boolean;
}

/** Every field of a model, nested models included. */
function fieldsOf(model: z.ZodType, path: string, isInList = false): FoundField[] {
  const schema = unwrap(model);
  const own = { path, schema, isInList };
  if (schema.type === "array")
    return [own, ...fieldsOf((schema as z.ZodArray<z.ZodType>).element, `${path}[]`, true)];
  if (schema.type !== "object") return [own];
  const fields = Object.entries((schema as z.ZodObject<Shape>).shape);
  return fields.flatMap(([name, field]) => fieldsOf(field, `${path}.${name}`, isInList));
}

const fields = [
  ...new Map(
    operations
      .flatMap(bodiesOf)
      .flatMap((model) => fieldsOf(model, modelName(model)))
      .map((field) => [field.path, field]),
  ).values(),
];
const lists = fields.filter(({ schema }) => schema.type === "array");

/** Whether a text of any length fits the schema. */
function isEndlessText(schema: JsonSchema): boolean {
  const { enum: words, format, maxLength, pattern, type } = schema;
  if (![type].flat().includes("string") || words !== undefined || maxLength !== undefined) return false;
  return format !== "uuid" && !(typeof pattern === "string" && /^\^[^*+]*\$$/.test(pattern));
}

describe("the fields of bodies", () => {
  it("are checked down to the last one", () => {
    expect(lists.map(({ path }) => path).toSorted()).toMatchInlineSnapshot(`
      [
        "ApplyRetentionModel.kinds",
        "BatchModel.operations",
        "CreateCustomerModel.addresses",
        "CreateCustomerModel.contacts",
        "CreateDriverModel.can_assign_to",
        "CreateDriverModel.can_dispatch_to",
        "CreateJobRequestBodyModel.add_to_routes_settings",
        "CreateTokenModel.roles",
        "CreateUserModel.customer_ids",
        "CreateUserModel.roles",
        "CreateWebhookModel.events",
        "OrderJobsModel.jobs",
        "OrderJobsModel.was",
        "UpdateDriverModel.can_assign_to",
        "UpdateDriverModel.can_dispatch_to",
        "UpdateJobProfileModel.add_to_routes_settings",
        "UpdateUserModel.customer_ids",
        "UpdateUserModel.roles",
        "UpdateWebhookModel.events",
      ]
    `);
  });

  it("have a maximum where they are lists", () => {
    expect(lists.filter(({ schema }) => !Number.isFinite(schema.meta()?.maxItems))).toEqual([]);
  });

  it("have no list inside the entries of a list, because nothing checks its length", () => {
    expect(lists.filter(({ isInList }) => isInList).map(({ path }) => path)).toEqual([]);
  });

  it("have a maximum if they are texts; the operations of a batch check their own texts", () => {
    const endless = fields.filter(({ schema }) => {
      const kind = fieldKinds.get(schema);
      return (
        (kind?.name === "object" && kind.input.maxProperties === undefined) ||
        (kind && isEndlessText(kind.input))
      );
    });
    expect(endless.map(({ path }) => path)).toEqual([
      "BatchModel.operations[].body",
      "BatchModel.operations[].query",
    ]);
  });
});

describe("the largest body of an operation", () => {
  it("has fewer objects, lists, and fields than the limit for bodies", () => {
    const largest = Math.max(...operations.flatMap(bodiesOf).map(countParts));
    expect(largest).toBeGreaterThan(1_000);
    expect(largest, "raise bodyPartsMax in src/models/json-body.ts").toBeLessThan(bodyPartsMax);
  });
});

/** The objects, lists, and fields of a value of the schema with every list full. */
function countParts(schema: z.ZodType): number {
  const inner = unwrap(schema);
  if (inner.type === "array")
    return 1 + Number(inner.meta()?.maxItems) * countParts((inner as z.ZodArray<z.ZodType>).element);
  if (inner.type !== "object") return 0;
  const held = Object.values((inner as z.ZodObject<Shape>).shape);
  return held.reduce((sum, field) => sum + 1 + countParts(field), 1);
}

describeFixtureOverHttp("a list of half a million entries", (fixture) => {
  const withList = operations.flatMap((operation) =>
    Object.entries(operation.body?.shape ?? {})
      .filter(([, field]) => unwrap(field).type === "array")
      .map(([list]) => ({ list, name: operation.name, operation })),
  );

  it.each(withList)("as $list of $name is one violation", async ({ list, operation }) => {
    const call = toValidCall(operation, fixture);
    const entries = new Array(500_000).fill(0);
    const answer = await fixture.harness.call(nameOf(operation), {
      ...call,
      body: { ...call.body, [list]: entries },
    });
    const model = operation.body ? modelName(operation.body) : "";
    expect(toViolations(answer)).toEqual([400, ["too_many", `${model}.${list}`]]);
  });
});
