import { expect, it } from "vitest";
import { crossOrigin } from "../support/cross-origin.ts";
import { describeOverHttp, describeOverHttpOnEveryDatabase, freshHarness } from "../support/targets.ts";

const pages = ["/healthz", "/readyz", "/openapi.json", "/llms.txt", "/docs", "/whoami"];

describeOverHttp("the pages outside the interface", (harness) => {
  it.each(["/healthz", "/readyz", "/openapi.json"])("%s needs no token", async (path) => {
    const { status, headers } = await harness.send({ path });
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("application/json");
  });

  it.each(pages)("%s has the headers and methods of every path", async (path) => {
    const headers = { ...harness.headersOf("Driver"), "x-api-version": "2019/02/08" };
    const send = (method: string) => harness.send({ method, path, headers });
    const get = await send("GET");
    const answers = { GET: get, HEAD: await send("HEAD"), OPTIONS: await send("OPTIONS") };
    const refused = { POST: await send("POST"), PUT: await send("PUT"), PURGE: await send("PURGE") };
    for (const { headers: answered } of Object.values({ ...answers, ...refused })) {
      expect(answered).toMatchObject({
        ...crossOrigin,
        "access-control-allow-methods": "GET",
        allow: "GET",
        "x-api-version": "2019/02/08",
        "x-request-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
    }
    expect(Object.values(answers).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect([answers.HEAD.text, answers.OPTIONS.text]).toEqual(["", ""]);
    expect(answers.HEAD.headers["content-length"]).toBe(get.headers["content-length"]);
    for (const [method, { status, text }] of Object.entries(refused)) {
      expect([method, status]).toEqual([method, 405]);
      expect(JSON.parse(text).detail).toBe(`${path} takes GET, not ${method}.`);
    }
  });

  it("/whoami returns the token and its user; without a token it answers 401, without a tenant 400", async () => {
    const headers = harness.headersOf("Driver");
    expect(JSON.parse((await harness.send({ path: "/whoami", headers })).text)).toEqual({
      driver_id: harness.acme.driverId,
      frozen_reason: null,
      roles: ["Driver"],
      token_expires_on: null,
      token_id: expect.any(Number),
      user: "the-Driver",
    });
    const { authorization = "" } = headers;
    const refused = [
      await harness.send({ path: "/whoami" }),
      await harness.send({ path: "/whoami", headers: { authorization } }),
    ];
    expect(refused.map(({ status, text }) => [status, JSON.parse(text).field])).toEqual([
      [401, "authorization"],
      [400, "x-tenant-id"],
    ]);
  });

  it("/openapi.json has an entity tag, and compresses to the same bytes for everyone", async () => {
    const send = (headers: Record<string, string>) => harness.send({ headers, path: "/openapi.json" });
    const first = await send({ "accept-encoding": "gzip" });
    const again = await send({ "accept-encoding": "gzip", "x-api-version": "2023/04/19" });
    expect(again.headers.etag).toBe(first.headers.etag);
    expect(again.headers["x-request-id"]).not.toBe(first.headers["x-request-id"]);
    expect((await send({ "if-none-match": first.headers.etag ?? "" })).status).toBe(304);
    expect((await send({ "if-none-match": '"other"' })).status).toBe(200);
  });

  it("/openapi.json has the requested version: from the query, else from the header, else the newest", async () => {
    const versionOf = async (query: string, headers: Record<string, string> = {}) => {
      const answer = await harness.send({ headers, path: `/openapi.json${query}` });
      return [JSON.parse(answer.text).info.version, answer.headers["x-api-version"]];
    };
    expect(await versionOf("")).toEqual(["2023/04/19", "2023/04/19"]);
    expect(await versionOf("?version=2021/04/07")).toEqual(["2021/04/07", "2021/04/07"]);
    expect(await versionOf("", { "x-api-version": "2019/02/08" })).toEqual(["2019/02/08", "2019/02/08"]);
    expect(await versionOf("?version=2021/04/07", { "x-api-version": "2019/02/08" })).toEqual([
      "2021/04/07",
      "2021/04/07",
    ]);
  });

  it("/openapi.json names the address of its request, unless the host is invalid or there are too many hosts", async () => {
    const fresh = await freshHarness(harness);
    const serverFor = async (headers: Record<string, string>) => {
      const { text } = await fresh.send({ headers, path: "/openapi.json" });
      return JSON.parse(text).servers[0].url;
    };
    expect(await serverFor({ host: "Dispatch.example:8443" })).toBe("http://dispatch.example:8443");
    expect(await serverFor({ host: "dispatch.example", "x-forwarded-proto": "https" })).toBe(
      "http://dispatch.example",
    );
    expect(await serverFor({ host: '"},{"url":"http://elsewhere' })).toBe("/");
    for (let count = 0; count < 30; count++) await serverFor({ host: `host-${count}.example` });
    expect(await serverFor({ host: "one-more.example" })).toBe("/");
    expect(await serverFor({ host: "dispatch.example:8443" })).toBe("http://dispatch.example:8443");
  });

  it("/openapi.json is built in steps, and the server answers other requests in between", async () => {
    const fresh = await freshHarness(harness);
    // The first request loads the code.
    await fresh.send({ path: "/openapi.json?version=2019/02/08" });
    let isMade = false;
    const made = fresh.send({ path: "/openapi.json?version=2021/04/07" }).then(({ status }) => {
      isMade = true;
      return status;
    });
    let answeredMeanwhile = 0;
    while (!isMade) {
      expect((await fresh.send({ path: "/healthz" })).status).toBe(200);
      if (!isMade) answeredMeanwhile += 1;
    }
    expect(await made).toBe(200);
    // One answer may come before the request for the document.
    expect(answeredMeanwhile).toBeGreaterThan(1);
  });

  it("/openapi.json reports an unknown version in the format of every error", async () => {
    const { status, text } = await harness.send({ path: "/openapi.json?version=2020/01/01" });
    expect([status, JSON.parse(text)]).toMatchObject([400, { code: "invalid_choice", field: "version" }]);
  });
});

describeOverHttpOnEveryDatabase("a store that cannot be read", (harness) => {
  it("makes /readyz report it; /healthz still answers", async () => {
    const broken = await freshHarness(harness);
    broken.store.execute("alter table tenants rename to former_tenants");
    const { status, text } = await broken.send({ path: "/readyz" });
    expect([status, JSON.parse(text)]).toEqual([
      503,
      { check: "read", reason: "The store answers with an error.", status: "not ready" },
    ]);
    expect((await broken.send({ path: "/healthz" })).status).toBe(200);
  });
});
