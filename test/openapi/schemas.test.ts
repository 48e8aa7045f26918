import { describe, expect, it } from "vitest";
import type * as z from "zod";
import { isDocument } from "../../src/core/operation.ts";
import { apiVersions, newestVersion } from "../../src/models/api-versions.ts";
import { CreateJobRequestBodyModel } from "../../src/models/create-job.ts";
import { CreateCustomerModel } from "../../src/models/customer.ts";
import { text } from "../../src/models/fields.ts";
import { CreateWebhookModel } from "../../src/models/hook.ts";
import { toJsonSchema } from "../../src/models/json-schema.ts";
import { entryModel, modelName, optional, unnamedModel } from "../../src/models/model.ts";
import { parseModel } from "../../src/models/parse.ts";
import { CreateTruckModel } from "../../src/models/truck.ts";
import { CreateUserModel } from "../../src/models/user.ts";
import { toOpenapi } from "../../src/openapi/document.ts";
import { errorSchemas } from "../../src/openapi/error-answers.ts";
import { loadOperations } from "../../src/operations/index.ts";
import { toAjv } from "../support/answer-validator.ts";

const operations = await loadOperations();
const document = toOpenapi(operations, newestVersion);
const { schemas } = document.components;
const ajv = toAjv(document);

const toWords = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, " ");

describe.each(apiVersions)("the schemas at %s", (version) => {
  const document = toOpenapi(operations, version);
  const ajv = toAjv(document);
  const isValid = (schema: Record<string, unknown>, value: unknown) => {
    ajv.validate(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')), value);
    return ajv.errors ?? [];
  };

  it("compile in the strict mode of a validator, which rejects hints for the command line", () => {
    for (const name of Object.keys(document.components.schemas))
      expect(ajv.getSchema(`openapi#/components/schemas/${name}`)).toBeTypeOf("function");
  });

  it("describe each property, in other words than its name", () => {
    const undescribed = Object.entries(document.components.schemas).flatMap(([name, { properties }]) =>
      Object.entries(Object(properties) as Record<string, { description?: string }>)
        .filter(([field, { description = field }]) => toWords(description) === toWords(field))
        .map(([field]) => `${name}.${field}`),
    );
    expect(undescribed).toEqual([]);
  });

  it("describe valid examples of the parameters, body and response of every operation", () => {
    for (const entry of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
      const name = entry.operationId;
      const own = entry.parameters.flatMap((parameter) => ("in" in parameter ? [parameter] : []));
      for (const { example, in: place, name: field, required, schema } of own) {
        if (required) expect([name, place, field, example]).not.toContain(undefined);
        if (example !== undefined) expect([name, field, isValid(schema, example)]).toEqual([name, field, []]);
      }
      const answer = entry.responses["200"];
      const contents = [
        entry.requestBody?.content,
        answer && "content" in answer ? answer.content : undefined,
      ];
      for (const content of contents) {
        const json = content?.["application/json"];
        if (!json) continue;
        expect([name, json.example], "npm run record").not.toContain(undefined);
        expect([name, isValid(json.schema, json.example)], "npm run record").toEqual([name, []]);
      }
    }
  });
});

describe("the schemas of answers", () => {
  const answers = operations.flatMap(({ output }) =>
    isDocument(output) ? [] : [modelName(entryModel(output))],
  );

  it.each([...new Set(answers), ...Object.keys(errorSchemas)])(
    "list all fields of %s as required, in alphabetical order",
    (name) => {
      const { properties, required } = schemas[name] ?? {};
      const fields = Object.keys({ ...(properties ?? {}) });

      expect(fields.length).toBeGreaterThan(0);
      expect(fields).toEqual([...fields].sort());
      expect(required).toEqual(fields);
    },
  );

  it("mark the extensions of webhooks", () => {
    const properties = Object.entries({ ...(schemas.WebhookModel?.properties ?? {}) });
    const marked = properties.filter(([, field]) => "x-extension" in Object(field));
    const own = ["deleted_at", "events", "id", "last_http_fail", "last_http_success", "secret", "url"];
    const others = properties.map(([name]) => name).filter((name) => !own.includes(name));
    expect(marked.map(([name]) => name)).toEqual(others);
    expect(others).toEqual(expect.arrayContaining(["api_version", "deleted_reason", "old_secret_until"]));
  });

  it("allow fields of later releases", () => {
    expect(answers.filter((name) => schemas[name]?.additionalProperties !== undefined)).toEqual([]);
  });
});

describe("the schemas of requests", () => {
  it("refuse unlisted fields", () => {
    const bodies = operations.flatMap(({ body }) => (body ? [modelName(body)] : []));

    expect(bodies.filter((name) => schemas[name]?.additionalProperties !== false)).toEqual([]);
  });

  it("differ from the schemas of responses for a shared model", () => {
    expect(schemas.AddToRoutesSettingsModelInput?.required).toEqual(["route_id"]);
    expect(schemas.AddToRoutesSettingsModel?.required).toContain("starts_on");
    expect(schemas.CreateJobRequestBodyModel).toHaveProperty("properties.add_to_routes_settings.items", {
      $ref: "#/components/schemas/AddToRoutesSettingsModelInput",
    });
  });

  it("give each use of a shared field its own description", () => {
    const name = text(1, 9);
    const model = unnamedModel({ first: name, second: name.describe("the other"), third: optional(name) });
    expect(toJsonSchema(model, "input").properties).toEqual({
      first: { type: "string", minLength: 1, maxLength: 9 },
      second: { type: "string", minLength: 1, maxLength: 9, description: "the other" },
      third: { type: ["string", "null"], minLength: 1, maxLength: 9 },
    });
  });

  it("mark dates that must be in the past or future", () => {
    expect(schemas.CreateJobRequestBodyModel).toHaveProperty("properties.completed_on.x-when", "past");
    expect(schemas.CreateJobRequestBodyModel).toHaveProperty("properties.pickup_date.x-when", "future");
    expect(schemas.JobModel).not.toHaveProperty("properties.completed_on.x-when");
  });
});

const address = {
  country: "US",
  is_billing: true,
  is_shipping: false,
  latitude: 38.867033,
  line_1: "1745 T Street SE",
  locality: "Washington",
  longitude: -76.979235,
  postcode: "20020",
  region: "DC",
};
const customer = { addresses: [address], contacts: [], name: "Anacostia Storage" };
const job = { address_id: 1, requested_by: 1, type: "D" };
const hook = { events: ["Job"], url: "https://example.com/hook" };
const user = { roles: ["Dispatcher"], username: "dana" };

const withAddress = (fields: object) => ({ ...customer, addresses: [{ ...address, ...fields }] });

describe("the schemas of requests accept, like the models,", () => {
  it.each<[string, z.ZodType, unknown]>([
    ["a customer with an address", CreateCustomerModel, customer],
    ["a customer with only a name", CreateCustomerModel, { ...customer, addresses: [] }],
    ["a contact with several addresses", CreateCustomerModel, withContact({ email: "a@b.c, d@e.f" })],
    ["null for an optional field", CreateCustomerModel, { ...customer, note: null }],
    [
      "text at its longest, counted in code points",
      CreateCustomerModel,
      { ...customer, name: "🚚".repeat(64) },
    ],
    ...["0", "1", "true", "FALSE", 0, 1, false].map((form): [string, z.ZodType, unknown] => [
      `the Boolean ${JSON.stringify(form)}`,
      CreateCustomerModel,
      withAddress({ is_billing: form }),
    ]),
    ...["2026-11-21", "2026-11-21T08:30:00Z", "2026-W48-6", "20261121T083000,5+02:00"].map(
      (date): [string, z.ZodType, unknown] => [
        `the date ${date}`,
        CreateJobRequestBodyModel,
        { ...job, schedule_date: date },
      ],
    ),
    ["a list of ids", CreateJobRequestBodyModel, { ...job, add_to_routes: "12,\n 15" }],
    ["settings of routes", CreateJobRequestBodyModel, { ...job, add_to_routes_settings: [{ route_id: 1 }] }],
    ["the most urgent priority", CreateJobRequestBodyModel, { ...job, priority: -1 }],
    ["a webhook", CreateWebhookModel, hook],
    ["a webhook's secret", CreateWebhookModel, { ...hook, secret: "c2VjcmV0LWtleS0xMjM0NTY=" }],
    ["a color", CreateTruckModel, { name: "T1", interface_color: "#1F6feb" }],
    ["a user of several roles", CreateUserModel, { ...user, roles: ["Driver", "Dispatcher"] }],
  ])("%s", (_what, model, body) => {
    expect(isTakenByModel(model, body)).toBe(true);
    expect(isTakenBySchema(model, body)).toBe(true);
  });
});

describe("the schemas of requests refuse, like the models,", () => {
  it.each<[string, z.ZodType, unknown]>([
    ["an array", CreateCustomerModel, []],
    ["a missing field", CreateCustomerModel, { addresses: [], contacts: [] }],
    ["null for a required field", CreateCustomerModel, { ...customer, name: null }],
    ["a field of responses", CreateCustomerModel, { ...customer, id: 7 }],
    ["an unknown nested field", CreateCustomerModel, withAddress({ is_physical: true })],
    ["a number for text", CreateCustomerModel, { ...customer, name: 5 }],
    ["text that is too long", CreateCustomerModel, { ...customer, name: "x".repeat(65) }],
    ["text that is too short", CreateCustomerModel, { ...customer, name: "" }],
    ["text for a number", CreateCustomerModel, withAddress({ latitude: "38.8" })],
    ["a number out of bounds", CreateCustomerModel, withAddress({ longitude: 180.5 })],
    ["a country in small letters", CreateCustomerModel, withAddress({ country: "us" })],
    ["an object for a list", CreateCustomerModel, { ...customer, contacts: {} }],
    ...["yes", 2, 0.5, "", []].map((form): [string, z.ZodType, unknown] => [
      `the Boolean ${JSON.stringify(form)}`,
      CreateCustomerModel,
      withAddress({ is_billing: form }),
    ]),
    ["a date as a number", CreateJobRequestBodyModel, { ...job, schedule_date: 1_700_000_000 }],
    ["an unknown type", CreateJobRequestBodyModel, { ...job, type: "X" }],
    ["an identifier of 0", CreateJobRequestBodyModel, { ...job, address_id: 0 }],
    ["a fraction for an Integer", CreateJobRequestBodyModel, { ...job, truck_id: 1.5 }],
    ["a malformed list of ids", CreateJobRequestBodyModel, { ...job, add_to_routes: "12;15" }],
    ["settings without a route", CreateJobRequestBodyModel, { ...job, add_to_routes_settings: [{}] }],
    ["an empty list of events", CreateWebhookModel, { ...hook, events: [] }],
    ["an event named twice", CreateWebhookModel, { ...hook, events: ["Job", "Job"] }],
    ["a malformed URL", CreateWebhookModel, { ...hook, url: "example.com/hook" }],
    ["a color by name", CreateTruckModel, { name: "T1", interface_color: "red" }],
    ["a malformed UUID", CreateTruckModel, { name: "T1", third_party_hauler_id: "7" }],
    ["a user without roles", CreateUserModel, { ...user, roles: [] }],
  ])("%s", (_what, model, body) => {
    expect(isTakenByModel(model, body)).toBe(false);
    expect(isTakenBySchema(model, body)).toBe(false);
  });
});

function withContact(fields: object) {
  return { ...customer, contacts: [fields] };
}

function isTakenByModel(model: z.ZodType, body: unknown): boolean {
  const naming = { prefix: `${modelName(model)}.`, unknownCode: "unknown_field" } as const;
  return parseModel(model, body, "2026-08-01T12:00:00.000000", naming).violations.length === 0;
}

function isTakenBySchema(model: z.ZodType, body: unknown): boolean {
  return ajv.validate({ $ref: `openapi#/components/schemas/${modelName(model)}` }, body);
}
