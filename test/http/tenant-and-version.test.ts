import { describe, expect, it } from "vitest";
import { setUpTenant } from "../../src/core/setup.ts";
import { describeOverHttp, describeOverHttpOnEveryDatabase } from "../support/targets.ts";
import { setUp } from "../support/tenants.ts";

const versions = ["2019/02/08", "2021/04/07", "2021/05/07", "2021/08/02", "2021/11/04", "2023/04/19"];

describeOverHttpOnEveryDatabase("x-tenant-id", (harness) => {
  const authorization = () => harness.headersOf("Dispatcher").authorization ?? "";
  const send = (tenant: Record<string, string>, path = "/jobs") =>
    harness.send({ path, headers: { authorization: authorization(), ...tenant } });

  it("is required", async () => {
    const { status, text } = await send({});
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ code: "missing_header", field: "x-tenant-id" });
  });

  it.each([
    "",
    "abc",
    "1.0",
    "1e0",
    "0x1",
    "+1",
    "1,1",
    "1 1",
    "01",
    "-0",
    "9007199254740992",
    "1".repeat(400),
  ])("must be an Integer, not %j", async (tenant) => {
    const { status, text } = await send({ "x-tenant-id": tenant });
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ code: "invalid_header", field: "x-tenant-id" });
  });

  it("answers the same 403 for a tenant of others, an inactive one, and a missing one", async () => {
    const { service } = harness;
    const { uid } = harness.acme.callers.Dispatcher.user;
    const closed = (await setUpTenant(service, "Closed", { username: "x", uid })).scope.tenantId;
    harness.store.update("tenants", closed, { is_active: 0 });
    const bodies = [];
    for (const tenant of [harness.globex.tenantId, closed, 999_999, 0, -1]) {
      const { status, text } = await send({ "x-tenant-id": String(tenant) });
      expect([tenant, status]).toEqual([tenant, 403]);
      const { request_id: _, ...body } = JSON.parse(text);
      bodies.push(body);
    }
    expect(bodies[0]).toMatchObject({ code: "tenant_not_accessible", field: "x-tenant-id" });
    expect(bodies).toEqual(Array(5).fill(bodies[0]));
  });

  it("is optional and ignored for the list of tenants", async () => {
    for (const tenant of [{}, { "x-tenant-id": "abc" }, { "x-tenant-id": "999999" }]) {
      const { status, text } = await send({ ...tenant }, "/tenants");
      expect(status).toBe(200);
      expect(JSON.parse(text).results).toMatchObject([{ id: harness.acme.tenantId }]);
    }
  });

  describe("of a person who works in several tenants", () => {
    const makeSecond = (username: string) =>
      setUpTenant(harness.service, "Second", { username, uid: harness.acme.callers.Dispatcher.user.uid });

    it("selects one of them, with a token that the person created", async () => {
      const second = await makeSecond("dora");
      const { token } = await setUp(harness.service, second, "tokens.create", { body: { username: "dora" } });
      for (const tenantId of [second.scope.tenantId, harness.acme.tenantId]) {
        const { status } = await send({ "x-tenant-id": String(tenantId), authorization: `Bearer ${token}` });
        expect([tenantId, status]).toEqual([tenantId, 200]);
      }
    });

    it("is limited to the tenant of a token that another user created: its Admin is not an Admin elsewhere", async () => {
      const second = await makeSecond("doris");
      const { status, text } = await send({ "x-tenant-id": String(second.scope.tenantId) });
      expect([status, JSON.parse(text).code]).toEqual([403, "tenant_not_accessible"]);
      const { text: tenants } = await harness.send({
        path: "/tenants",
        headers: harness.headersOf("Dispatcher"),
      });
      expect(JSON.parse(tenants).results.map(({ id }: { id: number }) => id)).toEqual([
        harness.acme.tenantId,
      ]);
    });
  });
});

describeOverHttp("x-api-version", (harness) => {
  const send = (headers: Record<string, string>, path = "/jobs") =>
    harness.send({ path, headers: { ...harness.headersOf("Dispatcher"), ...headers } });

  it.each(versions)("appears in the answer: %s", async (version) => {
    const { status, headers } = await send({ "x-api-version": version });
    expect([status, headers["x-api-version"]]).toEqual([200, version]);
  });

  it("is 2019/02/08 without a header (interface: Versioning)", async () => {
    const { headers } = await send({});
    expect(headers["x-api-version"]).toBe("2019/02/08");
  });

  it.each([
    "",
    "2020/01/01",
    "2019-02-08",
    "2019/2/8",
    "latest",
    "2019/02/08, 2021/04/07",
    "9".repeat(64),
    "9".repeat(65),
  ])("must be a version of the interface, not %j; the refusal names 2019/02/08", async (version) => {
    const { status, headers, text } = await send({ "x-api-version": version });
    expect([status, headers["x-api-version"]]).toEqual([400, "2019/02/08"]);
    expect(JSON.parse(text)).toMatchObject({ code: "invalid_header", field: "x-api-version" });
  });

  it("defaults to the version pinned on the token, also for errors", async () => {
    const pinned = await harness.addCaller({ roles: ["Dispatcher"] }, { api_version: "2021/11/04" });
    const headers = harness.headersOf(pinned);
    const shown = async (more: Record<string, string>, path = "/jobs") => {
      const answer = await harness.send({ path, headers: { ...headers, ...more } });
      return [answer.status, answer.headers["x-api-version"]];
    };
    expect(await shown({})).toEqual([200, "2021/11/04"]);
    expect(await shown({ "x-api-version": "2021/04/07" })).toEqual([200, "2021/04/07"]);
    expect(await shown({}, "/hooks/999999")).toEqual([404, "2021/11/04"]);
    expect(await shown({ "x-tenant-id": "999999" })).toEqual([403, "2021/11/04"]);
    expect(await shown({ "x-api-version": "2020/01/01" })).toEqual([400, "2019/02/08"]);
    const path = `/locations/${harness.acme.locationId}/trucks/${harness.acme.truckId}/get_jobs_list_pdf`;
    expect(await shown({}, path)).toEqual([404, "2021/11/04"]);
    expect(await shown({ "x-api-version": "2021/08/02" }, path)).toEqual([200, "2021/08/02"]);
  });

  it("appears in earlier refusals: the requested version if it is valid, else 2019/02/08", async () => {
    for (const [asked, shown] of [
      ["2021/05/07", "2021/05/07"],
      ["soon", "2019/02/08"],
    ] as const) {
      for (const [path, status] of [
        ["/jobs", 401],
        ["/nowhere", 404],
      ] as const) {
        const answer = await harness.send({ path, headers: { "x-api-version": asked } });
        expect([answer.status, answer.headers["x-api-version"]]).toEqual([status, shown]);
      }
    }
  });
});
