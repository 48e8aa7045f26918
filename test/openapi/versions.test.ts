import { describe, expect, it } from "vitest";
import { type ApiVersion, apiVersions } from "../../src/models/api-versions.ts";
import { toOpenapi } from "../../src/openapi/document.ts";
import { loadOperations } from "../../src/operations/index.ts";
import { changes } from "../../src/versions/index.ts";

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
    expect(entry?.description).toBe("Not available after version 2021/08/02.");
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
    expect(components.schemas).toEqual(before.components.schemas);
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

      What changed when:

      - **2019/02/08**: The first version.
      - **2021/04/07**:
      - **2021/05/07**:
      - **2021/08/02**: The last version that has GET /locations/{location_id}/trucks/{truck_id}/get_jobs_list_pdf.
      - **2021/11/04**:
      - **2023/04/19**: Nothing is known to have changed.

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
