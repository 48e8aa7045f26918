import { describe, expect, it } from "vitest";
import { aHook } from "../support/builders.ts";
import { findUnsortedKeys } from "../support/key-order.ts";
import { describeOverHttpOnEveryDatabase, freshHarness } from "../support/targets.ts";

describeOverHttpOnEveryDatabase("an error's body", (harness) => {
  const create = (body: unknown, headers: Record<string, string> = {}) =>
    harness.send({
      method: "POST",
      path: "/hooks",
      headers: { ...harness.headersOf("Dispatcher"), ...headers },
      body: JSON.stringify(body),
    });

  const page = (code: string) => ({ method: "GET", path: `/docs/errors/${code}` });
  const wrong = { colour: "red", events: "Job" };
  const violations = [
    {
      code: "wrong_type",
      detail: "CreateWebhookModel.events must be a list.",
      field: "CreateWebhookModel.events",
      see: page("wrong_type"),
    },
    {
      code: "missing_value",
      detail: "CreateWebhookModel.url is required.",
      field: "CreateWebhookModel.url",
      see: page("missing_value"),
    },
    {
      code: "unknown_field",
      detail: "CreateWebhookModel.colour is not accepted.",
      field: "CreateWebhookModel.colour",
      see: page("unknown_field"),
    },
  ];

  it("lists a hundred violations and the number of the others, so that a small request cannot get a huge answer", async () => {
    const unknown = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`f${index}`, 1]));
    const answer = await create(unknown);
    const { errors } = JSON.parse(answer.text);
    expect([answer.status, errors.length]).toEqual([400, 101]);
    // Next to the unknown fields, url and events are missing.
    const detail = "4902 more violations are not listed.";
    expect(errors.at(-1)).toEqual({
      code: "more_violations",
      detail,
      field: null,
      see: page("more_violations"),
    });
  });

  it("lists every violation; the first is repeated at the top, with its title and explanation", async () => {
    const { status, headers, text } = await create(wrong);
    expect(status).toBe(400);
    expect(headers["content-type"]).toBe("application/json");
    const body = JSON.parse(text);
    expect(body).toEqual({
      ...violations[0],
      errors: violations,
      explanation: expect.stringMatching(/^Types are strict/),
      request_id: headers["x-request-id"],
      status: 400,
      title: "A value has the wrong type",
    });
    expect(findUnsortedKeys(body)).toEqual([]);
  });

  it.each([
    "application/problem+json",
    "application/json, application/problem+json",
    "Application/Problem+JSON;q=0.9, */*;q=0.1",
  ])("is problem details (RFC 9457) when Accept asks for them: %s", async (accept) => {
    const { status, headers, text } = await create(wrong, { accept });
    expect(headers["content-type"]).toBe("application/problem+json");
    const body = JSON.parse(text);
    expect(body).toMatchObject({
      code: "wrong_type",
      errors: violations,
      instance: "/hooks",
      request_id: headers["x-request-id"],
      status,
      type: "/docs/errors/wrong_type",
    });
    expect(status).toBe(400);
    expect(findUnsortedKeys(body)).toEqual([]);
  });

  it("of an unknown path is problem details as well", async () => {
    const headers = { accept: "application/problem+json" };
    const { status, headers: answered, text } = await harness.send({ path: "/nowhere", headers });
    expect([status, answered["content-type"]]).toEqual([404, "application/problem+json"]);
    expect(JSON.parse(text)).toMatchObject({ instance: "/nowhere", status: 404 });
  });

  it.each(["application/json, application/problem+json", "application/problem+json"])(
    "does not change the type of a success: %s",
    async (accept) => {
      const { status, headers } = await create(aHook(), { accept });
      expect([status, headers["content-type"]]).toEqual([200, "application/json"]);
    },
  );

  it.each([
    [400, "application/json, application/problem+json;q=0"],
    [400, "application/problem+json; q=0.000, */*"],
    [406, "application/problem+json;q=0"],
  ])("is plain JSON, %i, if Accept refuses problem details: %s", async (expected, accept) => {
    const { status, headers } = await create(wrong, { accept });
    expect([status, headers["content-type"]]).toEqual([expected, "application/json"]);
  });

  it.each(["application/problem+json, application/json;q=0", "application/problem+json, */*;q=0.0"])(
    "is 406 if Accept explicitly refuses the JSON of a success: %s",
    async (accept) => {
      const { status, headers } = await create(aHook(), { accept });
      expect([status, headers["content-type"]]).toEqual([406, "application/problem+json"]);
    },
  );

  it("names headers and parameters in their documented spelling", async () => {
    const fieldOf = async (path: string, headers: Record<string, string>) =>
      JSON.parse((await harness.send({ path, headers })).text).field;
    const own = harness.headersOf("Dispatcher");
    expect(await fieldOf("/jobs", {})).toBe("authorization");
    expect(await fieldOf("/jobs", { authorization: own.authorization ?? "" })).toBe("x-tenant-id");
    expect(await fieldOf("/jobs", { ...own, "x-api-version": "x" })).toBe("x-api-version");
    expect(await fieldOf("/jobs?page_limit=0", own)).toBe("page_limit");
    expect(await fieldOf("/hooks/x", own)).toBe("hook_id");
    expect(await fieldOf("/hooks/999999", own)).toBeNull();
  });

  describe("of a bug in the server", () => {
    it("reveals nothing internal: the log has the details under the request id", async () => {
      const broken = await freshHarness(harness);
      broken.store.execute("alter table hooks rename to webhooks");
      const { status, headers, text } = await broken.send({
        path: "/hooks/1",
        headers: broken.headersOf("Admin"),
      });
      expect(status).toBe(500);
      expect(JSON.parse(text)).toEqual({
        code: "internal",
        detail: "The request could not be answered because of a fault inside the program.",
        errors: [expect.objectContaining({ code: "internal", field: null })],
        explanation: expect.any(String),
        field: null,
        request_id: headers["x-request-id"],
        see: page("internal"),
        status: 500,
        title: expect.any(String),
      });
      expect(text).not.toMatch(/sqlite|table|select|node_modules|\.ts|\.js|stack/i);
      const faults = broken.faults.splice(0);
      expect(faults).toHaveLength(1);
      expect(faults[0]).toContain(headers["x-request-id"]);
    });
  });
});
