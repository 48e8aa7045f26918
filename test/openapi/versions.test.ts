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
  it("the PDF job list is there up to 2021/08/02", () => {
    expect(versionsWhere((version) => pdfPath in documentAt(version).paths)).toEqual([
      "2019/02/08",
      "2021/04/07",
      "2021/05/07",
      "2021/08/02",
    ]);
  });

  it("the PDF job list is a file, and marked as ending", () => {
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

  it("a job's customer is a JobCustomerModel before 2021/11/04, which nothing mentions from then on", () => {
    expect(modelOf("2021/08/02", "JobModel").customer).toEqual({
      anyOf: [{ $ref: "#/components/schemas/JobCustomerModel" }, { type: "null" }],
    });
    expect(modelOf("2021/11/04", "JobModel").customer).toEqual({
      anyOf: [{ $ref: "#/components/schemas/DispatchCustomerLocationModel" }, { type: "null" }],
    });
    expect(versionsWhere((version) => fieldsOf(version, "JobCustomerModel").includes("id"))).toEqual([
      "2019/02/08",
      "2021/04/07",
      "2021/05/07",
      "2021/08/02",
    ]);
  });

  it("a truck's PATCH takes driver_id in the query before 2021/05/07 and a body from it on", () => {
    expect(toTruckInput("2019/02/08")).toEqual({ query: ["driver_id"], body: undefined });
    expect(toTruckInput("2021/04/07")).toEqual({ query: ["driver_id"], body: undefined });
    expect(toTruckInput("2021/05/07")).toEqual({ query: [], body: "UpdateTruckRequestModel" });
    expect(toTruckInput("2023/04/19")).toEqual({ query: [], body: "UpdateTruckRequestModel" });
    expect(documentAt("2021/04/07").components.schemas).not.toHaveProperty("UpdateTruckRequestModel");
  });

  it("2023/04/19 is 2021/11/04 by another name", () => {
    const { paths, components } = documentAt("2023/04/19");
    const before = documentAt("2021/11/04");

    expect(paths).toEqual(before.paths);
    // A delivery's body says its version.
    const withoutVersion = (schemas: object) =>
      JSON.stringify(schemas).replaceAll(/"enum":\["20\d\d\/\d\d\/\d\d"\]/g, '"enum":["V"]');
    expect(withoutVersion(components.schemas)).toBe(withoutVersion(before.components.schemas));
  });

  it("the introduction says in words what changed when, whatever the version", () => {
    for (const version of apiVersions) {
      const { description } = documentAt(version).info;
      for (const { introduced, text } of changes)
        expect(description).toContain(`- **${introduced}**: ${text}`);
    }
    // The tests of each change hold its words.
    const told = documentAt("2023/04/19").info.description;
    const rest = changes.reduce((left, { text }) => left.replace(` ${text}`, ""), told);
    expect(rest).toMatchInlineSnapshot(`
      "Customers, jobs, trucks and webhooks of a multi-tenant dispatch service, as callers at version 2023/04/19 see them: send \`x-api-version: 2023/04/19\`.

      ## Versions

      Each request names its version in \`x-api-version\`, and each answer the version in effect. Documents of the other versions: \`GET /openapi.json?version=…\`. What changed when:

      - **2019/02/08**: The first version.
      - **2021/04/07**:
      - **2021/05/07**:
      - **2021/08/02**: The last version that has GET /locations/{location_id}/trucks/{truck_id}/get_jobs_list_pdf, which is deprecated since 2021/11/04.
      - **2021/11/04**:
      - **2023/04/19**: Nothing is known to have changed.

      ## Access

      A request carries an access token, \`authorization: Bearer …\`, which is its user's and lasts until it expires or is revoked. \`GET /tenants\` lists the tenants that it reaches; every other request names one of them in \`x-tenant-id\`, and nothing of another tenant can be seen. Each operation lists the roles that may call it. No role includes another, and what a role does not see is answered as if it were not there (404).

      ## Values

      Times are UTC, to the microsecond and without a zone, like \`2026-11-21T08:30:00.000000\`; sent times are ISO 8601, with any zone, and UTC without one. Answers have all their fields, null where there is no value, with their keys in alphabetical order. Later versions of the program may add fields to answers, so readers pass over those that they do not know. Requests take no field or parameter that is not listed. Records are never deleted: they are deactivated.

      ## Errors

      An error says its \`code\`, what is wrong in \`detail\`, and everything that is wrong in \`errors\`; \`request_id\` is what to ask about. Who accepts \`application/problem+json\` gets RFC 9457 problem details. Codes are added, never renamed. An error means that nothing was stored.

      ## Lists

      \`page_index\` counts from 1, \`page_limit\` is 1 to 1000 (100 unless given). The header \`Link\` (RFC 8288) leads to the first, previous, next and last page; \`total_count\` is capped at 100,000 and \`total_pages\` at 1,000. Where there is \`page_after\`, it reads on behind a record, past any number of them.

      ## Repeating and comparing

      A write with an \`Idempotency-Key\` is carried out once in 24 hours: sent again, it gets the first answer. A GET has an \`ETag\`: as \`If-None-Match\` it saves reading the same again (304), as \`If-Match\` it makes a change only while nobody else has made one. \`x-dry-run: true\` checks a write and stores nothing.

      ## What happens, as it happens

      \`GET /stream\` sends the events of the tenant as server-sent events (\`text/event-stream\`), with the headers of every request: \`event\` is the kind, \`id\` the event's id, \`data\` the body that a webhook gets, at the newest version unless \`x-api-version\` names another. An event is sent to who may get its record. \`Last-Event-ID\` goes on behind an event; \`Missed\` comes first when that is not kept any more.

      ## Limits

      A body has at most 1 MiB and 10,000 values, the headers 16 KiB, and a request arrives within 30 seconds. A server may bound the requests of each token: \`RateLimit-Policy\` and \`RateLimit\` say how many there are and how many are left, 429 with \`Retry-After\` when none is.

      ## Extensions

      What OpenAPI has no word for:

      - \`x-roles\`: the roles that may call the operation, to the letter; none where anybody may, without a token.
      - \`x-events\`: the kinds of events that it may send to webhooks.
      - \`x-extension\`: the operation or field is an addition of this product.
      - \`x-when\`: the date must lie in the past (not later than the request) or in the future."
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
