import { describe, expect, it } from "vitest";
import type * as z from "zod";
import { isDocument } from "../../src/core/operation.ts";
import { apiVersions, newestVersion } from "../../src/models/api-versions.ts";
import { CreateJobRequestBodyModel } from "../../src/models/create-job.ts";
import { CreateCustomerModel } from "../../src/models/customer.ts";
import { CreateWebhookModel } from "../../src/models/hook.ts";
import { entryModel, modelName } from "../../src/models/model.ts";
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

describe.each(apiVersions)("the schemas at %s", (version) => {
  it("compile in the strict mode of a validator, which knows no hints for the command line", () => {
    const older = toOpenapi(operations, version);
    const validator = toAjv(older);

    for (const name of Object.keys(older.components.schemas)) {
      expect(validator.getSchema(`openapi#/components/schemas/${name}`)).toBeTypeOf("function");
    }
  });
});

describe("the schemas of answers", () => {
  const answers = operations.flatMap(({ output }) =>
    isDocument(output) ? [] : [modelName(entryModel(output))],
  );

  it.each([...new Set(answers), ...Object.keys(errorSchemas)])(
    "list the fields of %s in alphabetical order, all of them required",
    (name) => {
      const { properties, required } = schemas[name] ?? {};
      const fields = Object.keys({ ...(properties ?? {}) });

      expect(fields.length).toBeGreaterThan(0);
      expect(fields).toEqual([...fields].sort());
      expect(required).toEqual(fields);
    },
  );

  it("mark the fields of webhooks that the interface does not have (OP-96)", () => {
    const properties = Object.entries({ ...(schemas.WebhookModel?.properties ?? {}) });
    const marked = properties.filter(([, field]) => "x-extension" in Object(field));
    const own = ["deleted_at", "events", "id", "last_http_fail", "last_http_success", "secret", "url"];
    const others = properties.map(([name]) => name).filter((name) => !own.includes(name));
    expect(marked.map(([name]) => name)).toEqual(others);
    expect(others).toEqual(expect.arrayContaining(["api_version", "deleted_reason", "old_secret_until"]));
  });

  it("are open to fields that later versions add", () => {
    expect(answers.filter((name) => schemas[name]?.additionalProperties !== undefined)).toEqual([]);
  });
});

describe("the schemas of requests", () => {
  it("are closed: a field that is not listed is refused", () => {
    const bodies = operations.flatMap(({ body }) => (body ? [modelName(body)] : []));

    expect(bodies.filter((name) => schemas[name]?.additionalProperties !== false)).toEqual([]);
  });

  it("differ from those of answers where one model is both sent and answered", () => {
    expect(schemas.AddToRoutesSettingsModelInput?.required).toEqual(["route_id"]);
    expect(schemas.AddToRoutesSettingsModel?.required).toContain("starts_on");
    expect(schemas.CreateJobRequestBodyModel).toHaveProperty("properties.add_to_routes_settings.items", {
      $ref: "#/components/schemas/AddToRoutesSettingsModelInput",
    });
  });

  it("say which dates have to lie in the past or in the future", () => {
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

describe("the schemas of requests take what the models take:", () => {
  it.each<[string, z.ZodType, unknown]>([
    ["a customer with an address", CreateCustomerModel, customer],
    ["a customer with nothing but its name", CreateCustomerModel, { ...customer, addresses: [] }],
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
    ["a colour", CreateTruckModel, { name: "T1", interface_color: "#1F6feb" }],
    ["a user of several roles", CreateUserModel, { ...user, roles: ["Driver", "Dispatcher"] }],
  ])("%s", (_what, model, body) => {
    expect(isTakenByModel(model, body)).toBe(true);
    expect(isTakenBySchema(model, body)).toBe(true);
  });
});

describe("the schemas of requests refuse what the models refuse:", () => {
  it.each<[string, z.ZodType, unknown]>([
    ["no object", CreateCustomerModel, []],
    ["a missing field", CreateCustomerModel, { addresses: [], contacts: [] }],
    ["null for a required field", CreateCustomerModel, { ...customer, name: null }],
    ["a field that only answers have", CreateCustomerModel, { ...customer, id: 7 }],
    ["a field unknown further inside", CreateCustomerModel, withAddress({ is_physical: true })],
    ["a number for text", CreateCustomerModel, { ...customer, name: 5 }],
    ["text that is too long", CreateCustomerModel, { ...customer, name: "x".repeat(65) }],
    ["text that is too short", CreateCustomerModel, { ...customer, name: "" }],
    ["text for a number", CreateCustomerModel, withAddress({ latitude: "38.8" })],
    ["a number out of bounds", CreateCustomerModel, withAddress({ longitude: 180.5 })],
    ["a country in small letters", CreateCustomerModel, withAddress({ country: "us" })],
    ["a list that is none", CreateCustomerModel, { ...customer, contacts: {} }],
    ...["yes", 2, 0.5, "", []].map((form): [string, z.ZodType, unknown] => [
      `the Boolean ${JSON.stringify(form)}`,
      CreateCustomerModel,
      withAddress({ is_billing: form }),
    ]),
    ["a date as a number", CreateJobRequestBodyModel, { ...job, schedule_date: 1_700_000_000 }],
    ["a type that there is not", CreateJobRequestBodyModel, { ...job, type: "X" }],
    ["an identifier of 0", CreateJobRequestBodyModel, { ...job, address_id: 0 }],
    ["a fraction for an Integer", CreateJobRequestBodyModel, { ...job, truck_id: 1.5 }],
    ["ids that are none", CreateJobRequestBodyModel, { ...job, add_to_routes: "12;15" }],
    ["settings without a route", CreateJobRequestBodyModel, { ...job, add_to_routes_settings: [{}] }],
    ["an empty list of events", CreateWebhookModel, { ...hook, events: [] }],
    ["an event named twice", CreateWebhookModel, { ...hook, events: ["Job", "Job"] }],
    ["an address that is none", CreateWebhookModel, { ...hook, url: "example.com/hook" }],
    ["a colour by name", CreateTruckModel, { name: "T1", interface_color: "red" }],
    ["a hauler that is no UUID", CreateTruckModel, { name: "T1", third_party_hauler_id: "7" }],
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
