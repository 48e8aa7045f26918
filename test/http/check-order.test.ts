import { describe, expect, it } from "vitest";
import { aCustomer } from "../support/builders.ts";
import type { WireRequest } from "../support/http-client.ts";
import { describeOverHttp } from "../support/targets.ts";

describeOverHttp("the order of checks", (harness) => {
  const outcomeOf = async (request: WireRequest) => {
    const { status, text } = await harness.send(request);
    return [status, JSON.parse(text).code];
  };

  it("is path, method, authorization, tenant, version, role, parameters, body, record: each error hides later ones", async () => {
    const { acme, globex } = harness;
    const driver = harness.headersOf("Driver");
    const dispatcher = harness.headersOf("Dispatcher");
    // Everything is wrong at first. Each step fixes one thing.
    const request = {
      body: "{",
      headers: { "content-type": "text/plain", "x-api-version": "soon" } as Record<string, string>,
      method: "PUT",
      path: "/nowhere/x/customers?colour=1",
    };
    const outcomes: unknown[] = [];
    const next = async (changes: Partial<typeof request>) => {
      Object.assign(request, changes);
      outcomes.push(await outcomeOf(request));
    };
    const right = (headers: Record<string, string>) => ({ ...request.headers, ...headers });

    await next({});
    await next({ path: "/locations/x/customers?colour=1" });
    await next({ method: "POST" });
    await next({ headers: right({ authorization: driver.authorization ?? "" }) });
    await next({ headers: right({ "x-tenant-id": String(globex.tenantId) }) });
    await next({ headers: right({ "x-tenant-id": String(acme.tenantId) }) });
    await next({ headers: right({ "x-api-version": "2023/04/19" }) });
    await next({ headers: right({ authorization: dispatcher.authorization ?? "" }) });
    await next({ path: "/locations/999999/customers" });
    await next({ headers: right({ "content-type": "application/json" }) });
    await next({ body: "{}" });
    await next({ body: JSON.stringify(aCustomer()) });
    expect(outcomes).toEqual([
      [404, "operation_not_found"],
      [405, "method_not_allowed"],
      [401, "unauthenticated"],
      [400, "missing_header"],
      [403, "tenant_not_accessible"],
      [400, "invalid_header"],
      [403, "role_not_allowed"],
      [400, "wrong_type"],
      [415, "unsupported_media_type"],
      [400, "malformed_json"],
      [400, "missing_value"],
      [404, "record_not_found"],
    ]);
  });

  describe("holds for each pair of neighbors:", () => {
    const hooks = (headers: Record<string, string>, query = "") => ({ path: `/hooks${query}`, headers });

    it("the role before a repeated parameter", async () => {
      const request = hooks(harness.headersOf("Driver"), "?deleted=1&deleted=0");
      expect(await outcomeOf(request)).toEqual([403, "role_not_allowed"]);
    });

    it("the role before an invalid parameter", async () => {
      expect(await outcomeOf(hooks(harness.headersOf("Driver"), "?deleted=%zz"))).toEqual([
        403,
        "role_not_allowed",
      ]);
    });

    it("a parameter before a body that is too large", async () => {
      const request = {
        method: "POST",
        path: "/locations/x/customers",
        headers: harness.headersOf("Dispatcher"),
        body: " ".repeat(1024 * 1024 + 1),
      };
      expect(await outcomeOf(request)).toEqual([400, "wrong_type"]);
    });

    it("the version before the role", async () => {
      const headers = { ...harness.headersOf("Driver"), "x-api-version": "soon" };
      expect(await outcomeOf(hooks(headers))).toEqual([400, "invalid_header"]);
    });

    it("the role before the body, which is not read", async () => {
      const headers = { ...harness.headersOf("Driver"), "content-type": "text/plain" };
      const request = { method: "POST", path: "/hooks", headers, body: "{" };
      expect(await outcomeOf(request)).toEqual([403, "role_not_allowed"]);
    });

    it("a removed operation before an invalid parameter", async () => {
      const headers = { ...harness.headersOf("Driver"), "x-api-version": "2023/04/19" };
      const path = "/locations/x/trucks/y/get_jobs_list_pdf?colour=1";
      expect(await outcomeOf({ path, headers })).toEqual([404, "operation_ended"]);
    });
  });
});
