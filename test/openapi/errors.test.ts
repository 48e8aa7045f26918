import { describe, expect, it } from "vitest";
import { type ErrorCode, errorTable, failure, toErrorBody } from "../../src/errors/errors.ts";
import { toErrorAnswer } from "../../src/http/error-answer.ts";
import { newestVersion } from "../../src/models/api-versions.ts";
import { toOpenapi } from "../../src/openapi/document.ts";
import { failuresOf } from "../../src/openapi/error-codes.ts";
import { loadOperations } from "../../src/operations/index.ts";
import { toAjv } from "../support/answer-validator.ts";

const operations = (await loadOperations()).filter(({ lifetime }) => !lifetime);
const document = toOpenapi(operations, newestVersion);
const ajv = toAjv(document);

const requestId = "3b8f7c1e-52d4-4f0a-9c55-0d7f7e0f9a11";
const error = failure("missing_value", "CreateTruckModel.name is required.", "CreateTruckModel.name");

describe("errors in the OpenAPI document", () => {
  it("match the errors of the server", () => {
    expect(problemsOf("ErrorModel", toErrorBody(error, requestId))).toEqual([]);
    expect(problemsOf("ErrorModel", toErrorBody(failure("internal", "Oh."), requestId))).toEqual([]);
  });

  it("match the problem details of the server", () => {
    const request = { base: "", headers: { accept: "application/problem+json" }, url: "/locations/1/trucks" };

    const { body } = toErrorAnswer(error, requestId, request);

    expect(problemsOf("ProblemModel", JSON.parse(String(body)))).toEqual([]);
  });

  it("have both media types, with the codes of their status", () => {
    for (const [name, { content, description }] of Object.entries(document.components.responses)) {
      if (name === "NotModified") continue;
      expect(Object.keys(content)).toEqual(["application/json", "application/problem+json"]);
      const told = [...description.matchAll(/`(\w+)`/g)].map(([, code]) => code);
      const statuses = told.map((code) => errorTable[code as ErrorCode].status);
      expect(new Set(statuses)).toEqual(new Set([Number(/\d+/.exec(name)?.[0])]));
    }
  });

  it("contain every code of the server", () => {
    const listed = new Set<string>(operations.flatMap(failuresOf).flatMap(({ codes }) => codes));
    const served = Object.entries(errorTable).flatMap(([code, { status }]) =>
      status === null ? [] : [code],
    );
    // Pages are not operations.
    const ofPages = ["origin_not_allowed"];
    expect(
      served.filter((code) => !listed.has(code) && !ofPages.includes(code)),
      "name the code in `refuses` of the operation in src/operations/ that fails with it",
    ).toEqual([]);
  });

  it("contain only the codes that the operation can return", () => {
    const codesOf = (path: string, method: string, status: string) =>
      document.paths[path]?.[method]?.["x-error-codes"].filter(
        (code) => String(errorTable[code].status) === status,
      );

    expect(codesOf("/hooks", "post", "409")).toContain("limit_reached");
    expect(codesOf("/jobs", "get", "400")).not.toContain("malformed_json");
    expect(codesOf("/hooks/{hook_id}", "delete", "400")).toContain("malformed_json");
    expect(codesOf("/jobs", "get", "400")).toContain("not_past");
    expect(codesOf("/tenants", "get", "403")).toEqual(["role_not_allowed"]);
    expect(codesOf("/locations/{location_id}/customers", "post", "409")).toContain("duplicate_record");
    expect(codesOf("/locations/{location_id}/trucks", "post", "409")).not.toContain("duplicate_record");
    expect(codesOf("/locations/{location_id}/jobs", "post", "400")).toContain("not_for_type");
  });

  it.each([
    ["/locations/{location_id}/customers", "post", "404 409 413 415"],
    ["/locations/{location_id}/customers", "get", "404"],
    ["/jobs", "get", ""],
    ["/hooks/{hook_id}", "delete", "404 409 413 415"],
    ["/tokens/{token_id}/rotate", "post", "404 409 413 415"],
    ["/hooks/{hook_id}/ping", "get", "404 409"],
  ])("of %s %s have these conditional statuses: %s", (path, method, statuses) => {
    const responses = Object.keys(document.paths[path]?.[method]?.responses ?? {});

    const conditional = responses.filter((status) => ["404", "405", "409", "413", "415"].includes(status));
    expect(conditional.join(" ")).toBe(statuses);
  });

  it("have the statuses of every operation", () => {
    for (const entry of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
      const statuses = ["400", "403", "406", "408", "431", "500", "503"];
      // Operations without a token cannot refuse it.
      if (!entry.security) statuses.push("401");
      expect(Object.keys(entry.responses)).toEqual(expect.arrayContaining(statuses));
    }
  });

  it("have WWW-Authenticate for 401 and Retry-After for 503", () => {
    const { Error401, Error403, Error503 } = document.components.responses;

    expect(Error401?.headers).toHaveProperty("WWW-Authenticate");
    expect(Error503?.headers).toHaveProperty("Retry-After");
    expect(Error403?.headers).not.toHaveProperty("WWW-Authenticate");
  });
});

function problemsOf(schema: string, body: unknown): unknown[] {
  ajv.validate({ $ref: `openapi#/components/schemas/${schema}` }, body);
  return ajv.errors ?? [];
}
