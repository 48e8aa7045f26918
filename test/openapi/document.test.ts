import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { rolesOf } from "../../src/core/operation.ts";
import { toCommonHeaders } from "../../src/http/headers.ts";
import { apiVersions, newestVersion } from "../../src/models/api-versions.ts";
import { roles } from "../../src/models/user.ts";
import { type OpenapiDocument, toOpenapi } from "../../src/openapi/document.ts";
import type { OperationEntry } from "../../src/openapi/operation-entry.ts";
import { loadOperations } from "../../src/operations/index.ts";

const operations = await loadOperations();
const newest = toOpenapi(operations, newestVersion);

describe.each(apiVersions)("the OpenAPI document at %s", (version) => {
  const document = toOpenapi(operations, version);

  it("is valid OpenAPI 3.1", async () => {
    const validator = new Validator();

    const { valid, errors } = await validator.validate({ ...document });

    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe("3.1");
  });

  it("defines exactly the components that it refers to", () => {
    const referredTo = new Set(referencesIn(document));

    expect([...referredTo].sort()).toEqual(componentsOf(document));
  });

  it("contains exactly the operations of the version, with names and roles", () => {
    const declared = operations
      .filter(({ lifetime }) => !lifetime || version <= lifetime.until)
      .map((operation) => [operation.route, operation.name, rolesOf(operation)]);

    const documented = entriesOf(document).map(({ route, entry }) => [
      route,
      entry.operationId,
      entry["x-roles"],
    ]);

    const stream = ["GET /stream", "events.stream", roles];
    expect(documented.sort()).toEqual([...declared, stream].sort());
  });

  it("describes the event stream, which resumes by a header and has neither pages nor a tag", () => {
    const { parameters, responses } = document.paths["/stream"]?.get ?? {};
    expect(parameters?.at(-1)).toMatchObject({ in: "header", name: "Last-Event-ID", required: false });
    expect(responses?.["200"]).toMatchObject({ content: { "text/event-stream": expect.anything() } });
    expect(JSON.stringify(responses?.["200"])).not.toMatch(/ETag|Link/);
    expect(Object.keys(responses ?? {})).toEqual(expect.arrayContaining(["401", "406", "429", "503"]));
  });

  it("names only requests that a version has", () => {
    const named = [
      ...JSON.stringify(document).matchAll(/\b(GET|POST|PUT|PATCH|DELETE) (\/[\w/{}-]+)(?![\w.])/g),
    ];
    expect(named.length).toBeGreaterThan(3);
    const routes = [...operations.map(({ route }) => route), "GET /stream"];
    expect(routes).toEqual(expect.arrayContaining(named.map(([route]) => route)));
  });

  it("is deterministic", () => {
    expect(JSON.stringify(toOpenapi(operations, version))).toBe(JSON.stringify(document));
  });

  it("is about this version", () => {
    expect(document.info.version).toBe(version);
    // A request without the header gets the oldest version.
    const isOldest = version === apiVersions[0];
    expect(document.components.parameters["x-api-version"]).toMatchObject({
      required: false,
      schema: { const: version, ...(isOldest && { default: version }) },
      example: version,
    });
  });
});

describe("every operation in the document", () => {
  it("needs a bearer token, except sign-up", () => {
    expect(newest.security).toEqual([{ bearer: [] }]);
    expect(newest.components.securitySchemes.bearer).toMatchObject({ type: "http", scheme: "bearer" });
    const own = entriesOf(newest).filter(({ entry }) => "security" in entry);
    expect(own.map(({ route, entry }) => [route, entry.security])).toEqual([["POST /haulers", []]]);
  });

  it("needs x-tenant-id, except without a token or for the token only", () => {
    const without = entriesOf(newest).filter(({ entry }) => !refersTo(entry.parameters, "x-tenant-id"));
    const declared = operations.filter(({ allow }) => allow === "token" || allow === "anyone");

    expect(without.map(({ entry }) => entry.operationId)).toEqual(declared.map(({ name }) => name));
    expect(refersTo(newest.paths["/tenants"]?.get?.parameters ?? [], "x-tenant-id")).toBe(false);
    expect(refersTo(newest.paths["/jobs"]?.get?.parameters ?? [], "x-tenant-id")).toBe(true);
  });

  it("takes x-api-version", () => {
    expect(entriesOf(newest).filter(({ entry }) => !refersTo(entry.parameters, "x-api-version"))).toEqual([]);
  });

  it("lists the headers that the server adds to every response", () => {
    const sent = Object.keys(toCommonHeaders("", newestVersion, "")).sort();

    for (const { entry } of entriesOf(newest)) {
      const names = headerNamesOf(entry).map((name) => name.toLowerCase());
      expect(names).toEqual(expect.arrayContaining(sent));
    }
  });

  it("lists the headers that pages of other origins may send and read", () => {
    const common = toCommonHeaders("", newestVersion, "");
    const listed = (name: string) => (common[name] ?? "").toLowerCase().split(", ");
    const sent = Object.values(newest.components.parameters)
      .map(({ name }) => name.toLowerCase())
      .filter((name) => !/^(?:user-agent|webhook-.*|x-service-.*)$/.test(name));
    expect(listed("access-control-allow-headers")).toEqual(expect.arrayContaining(sent));

    const answers = [
      ...entriesOf(newest).flatMap(({ entry }) => headerNamesOf(entry)),
      ...Object.values(newest.components.responses).flatMap(({ headers }) => Object.keys(headers)),
      ...["Deprecation", "Sunset"],
    ];
    // Only browsers and caches read these headers.
    const ofBrowsers = /^(?:access-control-.*|cache-control|content-encoding|vary|x-content-type-options)$/;
    const read = new Set(answers.map((name) => name.toLowerCase()).filter((name) => !ofBrowsers.test(name)));
    expect([...read].sort()).toEqual(listed("access-control-expose-headers").sort());
  });

  it("has its noun as tag", () => {
    const { post } = newest.paths["/customers/{customer_id}/addresses"] ?? {};

    expect(post?.tags).toEqual(["addresses"]);
    expect(newest.tags).toContainEqual({ name: "addresses", description: "Addresses of customers." });
    expect(
      newest.tags.filter(({ name, description }) => !description.includes(" ") || description === `${name}.`),
    ).toEqual([]);
  });

  it("describes its callers, headers and events", () => {
    const textOf = (path: string, method: string) => newest.paths[path]?.[method]?.description;

    expect(textOf("/locations/{location_id}/customers", "post")).toMatchInlineSnapshot(`
      "The customer is created with its addresses, contacts, and record at the location; an empty list of contacts creates one empty contact. A customer of the same name and address at the location is refused as a duplicate (409).

      For Dispatcher only.

      Accepts \`x-dry-run\` and \`Idempotency-Key\`.

      Sends Customer and CustomerLocation events to webhooks."
    `);
    expect(textOf("/hooks/{hook_id}/ping", "get")).toMatchInlineSnapshot(`
      "Sends a Ping to the webhook's URL and returns the result: http_status is -1 when the call did not succeed or complete. The header x-service-signature signs this answer's body.

      For Admin and Dispatcher only.

      Calls the webhook's URL before it responds. Supports no dry run.

      Sends Ping events to webhooks."
    `);
    expect(textOf("/tokens", "get")).toMatchInlineSnapshot(`
      "For Admin only.

      Returns one page; the header \`Link\` has the URLs of the others.

      An extension of this product."
    `);
    expect(textOf("/haulers", "post")).toMatchInlineSnapshot(`
      "Refused with 403 unless the server's operator allows sign-ups.

      Needs no token and no tenant.

      Accepts \`x-dry-run\`. Rate limited by IP address."
    `);
  });

  it("marks its events and extensions", () => {
    const entries = new Map(entriesOf(newest).map(({ entry }) => [entry.operationId, entry]));

    expect(entries.get("customers.create")?.["x-events"]).toEqual(["Customer", "CustomerLocation"]);
    expect(entries.get("customers.create")).not.toHaveProperty("x-extension");
    expect(entries.get("tokens.create")?.["x-extension"]).toBe(true);
    expect(entries.get("tokens.create")).not.toHaveProperty("x-events");
  });
});

describe("some operations in the document", () => {
  it("return a Link header: lists", () => {
    const withLink = entriesOf(newest).filter(({ entry }) => headerNamesOf(entry).includes("Link"));
    const paged = operations.filter(({ query, lifetime }) => "page_index" in query && !lifetime);

    expect(withLink.map(({ entry }) => entry.operationId).sort()).toEqual(
      paged.map(({ name }) => name).sort(),
    );
  });

  it("return a signature: the ping", () => {
    const signed = entriesOf(newest).filter(({ entry }) =>
      headerNamesOf(entry).includes("x-service-signature"),
    );

    expect(signed.map(({ entry }) => entry.operationId)).toEqual(["hooks.ping"]);
  });

  it("describe their parameters in path and query", () => {
    const parameters = newest.paths["/locations/{location_id}/customers"]?.post?.parameters;

    expect(parameters?.slice(2)).toMatchInlineSnapshot(`
      [
        {
          "$ref": "#/components/parameters/x-dry-run",
        },
        {
          "$ref": "#/components/parameters/Idempotency-Key",
        },
        {
          "description": "location identifier",
          "example": 1,
          "in": "path",
          "name": "location_id",
          "required": true,
          "schema": {
            "minimum": 1,
            "type": "integer",
          },
        },
        {
          "description": "addresses within this many edits count as equal in the search for duplicates (default 0)",
          "in": "query",
          "name": "max_address_edit_distance",
          "required": false,
          "schema": {
            "maximum": 999,
            "minimum": 0,
            "type": "integer",
          },
        },
      ]
    `);
  });

  it("describe each parameter in the path", () => {
    const parameters = entriesOf(newest).flatMap(({ entry }) => entry.parameters);
    const inPath = parameters.filter((parameter) => "in" in parameter && parameter.in === "path");

    expect(inPath.filter((parameter) => !("description" in parameter))).toEqual([]);
    expect(newest.paths["/hooks/{hook_id}"]?.get?.parameters).toContainEqual({
      name: "hook_id",
      in: "path",
      required: true,
      description: "hook identifier",
      schema: { type: "integer", minimum: 1 },
      example: 1,
    });
  });

  it("require a body", () => {
    const takeBody = entriesOf(newest).filter(({ entry }) => entry.requestBody);
    const declared = operations.filter(({ body }) => body !== null);

    expect(takeBody.map(({ entry }) => entry.operationId).sort()).toEqual(
      declared.map(({ name }) => name).sort(),
    );
    expect(newest.paths["/hooks"]?.post?.requestBody).toMatchObject({
      required: true,
      content: { "application/json": { schema: { $ref: "#/components/schemas/CreateWebhookModel" } } },
    });
  });
});

interface Entry {
  route: string;
  entry: OperationEntry;
}

function entriesOf({ paths }: OpenapiDocument): Entry[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, entry]) => ({ route: `${method.toUpperCase()} ${path}`, entry })),
  );
}

function headerNamesOf(entry: OperationEntry): string[] {
  const answer = entry.responses["200"];
  return answer && "headers" in answer ? Object.keys(answer.headers) : [];
}

function refersTo(parameters: OperationEntry["parameters"], name: string): boolean {
  return parameters.some((parameter) => "$ref" in parameter && parameter.$ref.endsWith(`/${name}`));
}

function referencesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.values(value).flatMap(referencesIn);
  return "$ref" in value && typeof value.$ref === "string" ? [value.$ref, ...inner] : inner;
}

/** Returns the referenced components. The document uses the security scheme without a reference. */
function componentsOf({ components }: OpenapiDocument): string[] {
  const { securitySchemes: _named, ...kinds } = components;
  return Object.entries(kinds)
    .flatMap(([kind, parts]) => Object.keys(parts).map((name) => `#/components/${kind}/${name}`))
    .sort();
}
