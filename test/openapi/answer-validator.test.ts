import { describe, expect, it } from "vitest";
import { loadOperation } from "../../src/operations/index.ts";
import { validateAnswer } from "../support/answer-validator.ts";

const getHook = await loadOperation("hooks.get");
const jobListPdf = await loadOperation("trucks.job-list-pdf");

const hook = {
  api_version: "2019/02/08",
  deleted_at: null,
  deleted_reason: null,
  description: null,
  events: ["Job"],
  headers: null,
  id: 1,
  include_cause: false,
  include_previous: false,
  last_http_fail: null,
  last_http_success: "2026-08-01T12:00:00.000000",
  old_secret_until: null,
  rate_limit: null,
  secret: null,
  standard_secret: null,
  subscriptions: ["Job"],
  url: "https://example.com/hook",
};

describe("the check of answers", () => {
  it("accepts a documented response", () => {
    expect(validateAnswer(getHook, "2023/04/19", hook)).toEqual([]);
  });

  it("reports a missing, a malformed and an undocumented field", () => {
    const { events: _missing, ...rest } = hook;

    const problems = validateAnswer(getHook, "2023/04/19", {
      ...rest,
      last_http_success: "2026-08-01T12:00:00Z",
      zone: "UTC",
    });

    expect(problems).toMatchInlineSnapshot(`
      [
        "/ must have required property 'events': {"missingProperty":"events"}",
        "/ must NOT have additional properties: {"additionalProperty":"zone"}",
        "/last_http_success must match pattern "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}$": {"pattern":"^\\\\d{4}-\\\\d{2}-\\\\d{2}T\\\\d{2}:\\\\d{2}:\\\\d{2}\\\\.\\\\d{6}$"}",
      ]
    `);
  });

  it("reports keys out of order", () => {
    const { api_version, ...rest } = hook;

    expect(validateAnswer(getHook, "2023/04/19", { ...rest, api_version })).toEqual([
      expect.stringContaining("keys out of order"),
    ]);
  });

  it("accepts a file at the versions that have it", () => {
    expect(validateAnswer(jobListPdf, "2021/08/02", Buffer.from("%PDF"))).toEqual([]);
    expect(validateAnswer(jobListPdf, "2021/08/02", {})).toEqual(["the body is no file"]);
    expect(validateAnswer(jobListPdf, "2021/11/04", Buffer.from("%PDF"))).toEqual([
      "trucks.job-list-pdf is no operation of 2021/11/04",
    ]);
  });
});
