import { describe, expect, it } from "vitest";
import { aHook } from "../support/builders.ts";
import { describeOverHttp } from "../support/targets.ts";

describeOverHttp("the address of a request", (harness) => {
  const get = async (path: string) => {
    const { status, text, headers } = await harness.send({ path, headers: harness.headersOf("Admin") });
    const body = text.startsWith("{") ? JSON.parse(text) : text;
    return { status, body, headers };
  };

  it("may end with a slash, without a redirect", async () => {
    const headers = harness.headersOf("Admin");
    for (const path of [
      "/jobs",
      "/hooks/999999",
      `/locations/${harness.acme.locationId}`,
      "/jobs?page_limit=7",
    ]) {
      const [one, other] = [await get(path), await get(path.replace(/(?=\?|$)/, "/"))];
      expect(other.status).toBe(one.status);
      expect({ ...other.body, request_id: null }).toEqual({ ...one.body, request_id: null });
    }
    const created = await harness.send({
      method: "POST",
      path: "/hooks/",
      headers,
      body: JSON.stringify(aHook()),
    });
    const { id } = JSON.parse(created.text);
    expect([created.status, (await get(`/hooks/${id}`)).body.id]).toEqual([200, id]);
    const deleted = await harness.send({ method: "DELETE", path: `/hooks/${id}/`, headers });
    expect(deleted.status).toBe(200);
  });

  it.each([
    "/",
    "/nowhere",
    "/Jobs",
    "/jobs/1",
    "/jobs//",
    "//jobs",
    "/job",
    "/jobsx",
    "/hooks/1/pings",
    "/hooks/1/ping/2",
    "/../jobs/..",
    "/jobs%2F",
    "/%6aobs/x",
    "/__proto__",
    "/constructor",
    "/hooks/1/__proto__",
    `/${"x".repeat(5000)}`,
  ])("%s is an unknown path: 404 in the format of every error", async (path) => {
    const { status, body, headers } = await get(path);
    expect(status).toBe(404);
    expect(body).toMatchObject({
      code: "operation_not_found",
      field: null,
      request_id: headers["x-request-id"],
    });
  });

  it("without an operation answers 404 to pages too, and their preflight succeeds", async () => {
    const answer = await harness.send({ method: "OPTIONS", path: "/nowhere" });
    expect([answer.status, answer.text]).toEqual([200, ""]);
    expect(answer.headers).toMatchObject({
      "access-control-allow-methods": "GET,POST,PATCH,DELETE",
      "access-control-max-age": "7200",
      "access-control-allow-origin": "*",
    });
    expect((await harness.send({ method: "OPTIONS", path: "/jobs/%zz" })).status).toBe(400);
  });

  it.each(["%", "%z", "%zz", "%e", "%ff", "%c3", "%c3%28", "%ed%a0%80"])(
    "with the invalid UTF-8 escape %s is refused with 400",
    async (broken) => {
      for (const path of [`/jobs?driver_id=${broken}`, `/jobs?${broken}=1`, `/hooks/${broken}`]) {
        const { status, body } = await get(path);
        expect([path, status, body.code]).toEqual([path, 400, "malformed_url"]);
      }
    },
  );

  it.each([
    ["empty", ""],
    ["a space", "%20"],
    ["1000 digits", "1".repeat(1000)],
    ["5000 digits", "1".repeat(5000)],
  ])("refuses an id that is not an Integer: %s", async (_, id) => {
    const { status, body } = await get(`/hooks/${id}/ping`);
    expect([status, body.field, body.code]).toEqual([400, "hook_id", "wrong_type"]);
  });

  it("is decoded once", async () => {
    expect((await get("/hooks/%39%39%39")).body.detail).toBe("There is no webhook 999.");
    expect((await get("/hooks/%2531")).body).toMatchObject({ code: "wrong_type", field: "hook_id" });
    expect((await get("/hooks/1%2F2")).body).toMatchObject({ code: "wrong_type", field: "hook_id" });
    expect((await get("/hooks/1%00")).body).toMatchObject({ code: "wrong_type", field: "hook_id" });
  });

  describe("its query", () => {
    it("reads plus and %20 as a space, and keeps = in a value", async () => {
      const create = (name: string) =>
        harness.ok("customers.create", {
          params: { location_id: harness.acme.locationId },
          body: { addresses: [], contacts: [], name },
        });
      await create("a b");
      await create("c=d");
      const names = async (query: string) =>
        (await get(`/locations/${harness.acme.locationId}/customers?${query}`)).body.results.map(
          ({ name }: { name: string }) => name,
        );
      expect(await names("name=a+b")).toEqual(["a b"]);
      expect(await names("name=a%20b")).toEqual(["a b"]);
      expect(await names("name=c=d")).toEqual(["c=d"]);
      expect(await names("name=c%3Dd")).toEqual(["c=d"]);
      expect(await names("n%61me=a+b")).toEqual(["a b"]);
      expect(await names("&name=a+b&&")).toEqual(["a b"]);
    });

    it.each([
      "page_limit=1&page_limit=1",
      "page_limit=1&page_limit=2",
      "page_limit&page_limit",
      "page_limit=1&page%5Flimit=1",
    ])("may not repeat a parameter: %s", async (query) => {
      const { status, body } = await get(`/jobs?${query}`);
      expect(status).toBe(400);
      expect(body).toMatchObject({ code: "repeated_parameter", field: "page_limit" });
    });

    it("reports all repeated parameters at once, with other mistakes", async () => {
      const { body } = await get("/jobs?page_limit=1&page_limit=2&page_index=1&page_index=1&colour=1");
      const named = body.errors.map(({ code, field }: { code: string; field: string }) => [code, field]);
      expect(named.toSorted()).toEqual([
        ["repeated_parameter", "page_index"],
        ["repeated_parameter", "page_limit"],
        ["unknown_parameter", "colour"],
      ]);
    });

    it("cannot set inherited properties: __proto__ is one more unknown parameter", async () => {
      for (const name of ["__proto__", "constructor", "__proto__[x]"]) {
        const { status, body } = await get(`/jobs?${encodeURIComponent(name)}=1`);
        expect([status, body.errors]).toMatchObject([400, [{ code: "unknown_parameter", field: name }]]);
      }
    });
  });
});
