import { describe, expect, it } from "vitest";
import { type ApiVersion, apiVersions } from "../../src/models/api-versions.ts";
import { changes } from "../../src/models/versions/index.ts";
import { toOpenapi } from "../../src/openapi/document.ts";
import { loadOperations } from "../../src/operations/index.ts";

const operations = await loadOperations();
const documents = new Map(apiVersions.map((version) => [version, toOpenapi(operations, version)]));

const truckPath = "/locations/{location_id}/trucks/{truck_id}";
const pdfPath = `${truckPath}/get_jobs_list_pdf`;

describe("the OpenAPI document shows what changed between versions:", () => {
  it("has the PDF job list up to 2021/08/02", () => {
    expect(versionsWhere((version) => pdfPath in documentAt(version).paths)).toEqual([
      "2019/02/08",
      "2021/04/07",
      "2021/05/07",
      "2021/08/02",
    ]);
  });

  it("describes the PDF job list as a deprecated file", () => {
    const entry = documentAt("2021/08/02").paths[pdfPath]?.get;

    expect(entry?.deprecated).toBe(true);
    expect(entry?.description).toContain("Not available after version 2021/08/02.");
    expect(entry?.responses["200"]).toMatchObject({
      headers: { "Content-Disposition": {} },
      content: { "application/pdf": { schema: { type: "string", format: "binary" } } },
    });
  });

  it("a customer at a location has customer_id before 2021/04/07 and id from it on", () => {
    const before = fieldsOf("2019/02/08", "DispatchCustomerLocationModel");
    const after = fieldsOf("2021/04/07", "DispatchCustomerLocationModel");

    expect(before.filter((field) => !after.includes(field))).toEqual(["customer_id"]);
    expect(after.filter((field) => !before.includes(field))).toEqual(["id"]);
  });

  it("a job has created_by_id before 2021/11/04 and created_by from it on", () => {
    const before = fieldsOf("2021/08/02", "JobModel");
    const after = fieldsOf("2021/11/04", "JobModel");

    expect(before.filter((field) => !after.includes(field))).toEqual(["created_by_id"]);
    expect(after.filter((field) => !before.includes(field))).toEqual(["created_by"]);
  });

  it("the customer of a job is a JobCustomerModel before 2021/11/04, and no later version mentions it", () => {
    expect(modelOf("2021/08/02", "JobModel").customer).toMatchObject({
      anyOf: [{ $ref: "#/components/schemas/JobCustomerModel" }, { type: "null" }],
    });
    expect(modelOf("2021/11/04", "JobModel").customer).toMatchObject({
      anyOf: [{ $ref: "#/components/schemas/DispatchCustomerLocationModel" }, { type: "null" }],
      description: "the whole record of customer_id",
    });
    expect(versionsWhere((version) => fieldsOf(version, "JobCustomerModel").includes("id"))).toEqual([
      "2019/02/08",
      "2021/04/07",
      "2021/05/07",
      "2021/08/02",
    ]);
  });

  it("the PATCH of a truck takes driver_id in the query before 2021/05/07 and a body from it on", () => {
    expect(toTruckInput("2019/02/08")).toEqual({ query: ["driver_id"], body: undefined });
    expect(toTruckInput("2021/04/07")).toEqual({ query: ["driver_id"], body: undefined });
    expect(toTruckInput("2021/05/07")).toEqual({ query: [], body: "UpdateTruckRequestModel" });
    expect(toTruckInput("2023/04/19")).toEqual({ query: [], body: "UpdateTruckRequestModel" });
    expect(documentAt("2021/04/07").components.schemas).not.toHaveProperty("UpdateTruckRequestModel");
  });

  it("2023/04/19 equals 2021/11/04", () => {
    const { paths, components } = documentAt("2023/04/19");
    const before = documentAt("2021/11/04");

    expect(paths).toEqual(before.paths);
    // The body of a delivery contains its version.
    const withoutVersion = (schemas: object) =>
      JSON.stringify(schemas).replaceAll(/"enum":\["20\d\d\/\d\d\/\d\d"\]/g, '"enum":["V"]');
    expect(withoutVersion(components.schemas)).toBe(withoutVersion(before.components.schemas));
  });

  it("the introduction of each version lists all changes", () => {
    for (const version of apiVersions) {
      const { description } = documentAt(version).info;
      for (const { introduced, text } of changes)
        expect(description).toContain(`- **${introduced}**: ${text}`);
    }
    const told = documentAt("2023/04/19").info.description;
    expect(told).toContain("\n- **2019/02/08**: The first version.\n");
    expect(told).toContain(
      "\n- **2021/08/02**: The last version that has GET /locations/{location_id}/trucks/{truck_id}/get_jobs_list_pdf, which is deprecated since 2021/11/04.\n",
    );
    const rest = told.replaceAll(/^- \*\*20.*\n/gm, "");
    expect(rest).toMatchInlineSnapshot(`
      "Customers, jobs, trucks and webhooks of a multi-tenant dispatch service, at version 2023/04/19: send \`x-api-version: 2023/04/19\`.

      ## Versions

      Each request names its version in \`x-api-version\`, and each answer the version in effect. Documents of the other versions: \`GET /openapi.json?version=…\`. Changes:


      ## Access

      A request carries an access token in \`authorization: Bearer …\`. The token belongs to a user and is valid until it expires or the user revokes it. \`GET /tenants\` lists the tenants of the token; every other request names one of them in \`x-tenant-id\` and sees no other tenant. Each operation lists the roles that may call it. No role includes another. A record that the role may not see returns 404.

      ## Values

      Times are UTC, to the microsecond and without a zone, like \`2026-11-21T08:30:00.000000\`; sent times are ISO 8601, with any zone, and UTC without one. Responses contain all their fields, with null for no value, in alphabetical order. Later releases may add fields to responses, so clients must ignore unknown fields. Requests must not contain unlisted fields or parameters. Records are never deleted, only deactivated.

      ## Errors

      An error has a \`code\`, a message in \`detail\`, and all violations in \`errors\`. Mention its \`request_id\` in support requests. A client that accepts \`application/problem+json\` gets RFC 9457 problem details. Releases add codes and never rename them. A request that fails stores nothing.

      ## Lists

      \`page_index\` counts from 1, \`page_limit\` is 1 to 1000 (default 100). The header \`Link\` (RFC 8288) has the first, previous, next and last page; \`total_count\` is capped at 100,000 and \`total_pages\` at 1,000. Lists with \`page_after\` continue after a record, beyond these limits. A GET with \`fields=id,customer.name\` returns only these fields of each record, in place of all that its schema requires.

      ## Retries and concurrent changes

      The service runs a write with an \`Idempotency-Key\` once in 24 hours and returns the first response to retries. A GET returns an \`ETag\`: \`If-None-Match\` avoids sending unchanged data again (304), \`If-Match\` makes a write fail after a concurrent change (412). \`x-dry-run: true\` validates a write and stores nothing.

      ## Events

      \`GET /stream\` sends the tenant's events as server-sent events (\`text/event-stream\`). It takes the same headers as other requests: \`event\` is the kind, \`id\` the event's id, \`data\` the body of a webhook delivery, at the newest version unless \`x-api-version\` names another. A caller receives the events of records that it may read. \`Last-Event-ID\` resumes after an event; the stream starts with \`Missed\` if the service no longer has that event.

      ## Limits

      A body has at most 1 MiB and 10,000 values, the headers at most 16 KiB, and a request must arrive within 30 seconds. A server may limit the requests of each token: \`RateLimit-Policy\` and \`RateLimit\` return the limit and the remaining requests. Above the limit it returns 429 with \`Retry-After\`.

      ## Extensions

      Information that OpenAPI has no keyword for:

      - \`x-roles\`: the roles that may call the operation; empty if it needs no token.
      - \`x-events\`: the kinds of events that the operation may cause.
      - \`x-extension\`: the operation or field is an extension of this product.
      - \`x-when\`: the date must be in the past (not later than the request) or in the future."
    `);
  });
});

function documentAt(version: ApiVersion) {
  const document = documents.get(version);
  if (!document) throw new Error(`There is no document at ${version}.`);
  return document;
}

function versionsWhere(holds: (version: ApiVersion) => boolean): ApiVersion[] {
  return apiVersions.filter(holds);
}

function modelOf(version: ApiVersion, name: string): Record<string, unknown> {
  return { ...(documentAt(version).components.schemas[name]?.properties ?? {}) };
}

function fieldsOf(version: ApiVersion, name: string): string[] {
  return Object.keys(modelOf(version, name));
}

function toTruckInput(version: ApiVersion) {
  const entry = documentAt(version).paths[truckPath]?.patch;
  const parameters = entry?.parameters ?? [];
  const body = entry?.requestBody?.content["application/json"]?.schema.$ref;
  return {
    query: parameters.flatMap((each) => ("in" in each && each.in === "query" ? [each.name] : [])),
    body: typeof body === "string" ? body.replace("#/components/schemas/", "") : undefined,
  };
}
