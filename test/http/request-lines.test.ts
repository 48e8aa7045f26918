import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { identifyByToken } from "../../src/http/identify.ts";
import { buildServer, type HttpServer } from "../../src/http/server.ts";
import { newestVersion } from "../../src/models/api-versions.ts";
import { createHttpClient, type HttpClient, type WireRequest } from "../support/http-client.ts";
import { describeOverHttp } from "../support/targets.ts";

type Line = Readonly<Record<string, unknown>>;

describeOverHttp("the log line of a request", (harness) => {
  const lines: Line[] = [];
  let server: HttpServer;
  let client: HttpClient;
  let told: (line: Line) => void = () => undefined;

  beforeAll(async () => {
    server = await buildServer(harness.service, {
      identify: identifyByToken(harness.service),
      log: {
        write(text) {
          const line = JSON.parse(text) as Line;
          if (line.msg !== "request") return;
          lines.push(line);
          told(line);
        },
      },
      logLevel: "info",
    });
    client = createHttpClient(await server.listen({ host: "127.0.0.1", port: 0 }));
  });

  afterAll(async () => {
    await client.close();
    await server.close();
  });

  async function lineOf(work: () => Promise<unknown>): Promise<Line> {
    const line = new Promise<Line>((resolve) => {
      told = resolve;
    });
    await work();
    return line;
  }

  const ask = (request: WireRequest) => lineOf(() => client.send(request));
  const admin = () => harness.headersOf("Admin");

  it("names the verified caller, the operation, and the answer, also for a cached answer", async () => {
    const path = "/locations/1/trucks";
    const headers = { ...admin(), "x-api-version": newestVersion };
    for (const query of ["", "", "?page_limit=5"]) {
      let bytes = 0;
      const { duration_ms: ms, ...line } = await lineOf(async () => {
        bytes = (await client.send({ path: path + query, headers })).bytes.length;
      });
      expect(ms).toBeGreaterThanOrEqual(0);
      expect(line).toMatchObject({
        operation: "trucks.list",
        tenant_id: harness.acme.tenantId,
        user_id: expect.any(Number),
        token_id: expect.any(Number),
        client_ip: "127.0.0.1",
        version: newestVersion,
        method: "GET",
        path,
        status: 200,
        code: null,
        bytes,
      });
    }
  });

  it("logs what an unknown caller sent, and none of its claims", async () => {
    const headers = { authorization: "Bearer dispatch.1.x", "x-tenant-id": String(harness.acme.tenantId) };
    expect(await ask({ path: "/hooks", headers })).toMatchObject({
      ...{ operation: "hooks.list", status: 401, code: "unauthenticated" },
      ...{ tenant_id: null, user_id: null, token_id: null, version: null },
    });
    expect(
      await ask({ path: "/hooks", headers: { ...admin(), "x-tenant-id": String(harness.globex.tenantId) } }),
    ).toMatchObject({ token_id: expect.any(Number), tenant_id: null, user_id: null, status: 403 });
    expect(await ask({ path: "/nowhere?token=x" })).toMatchObject({
      ...{ operation: null, path: "/nowhere", status: 404, code: "operation_not_found" },
    });
    expect(await lineOf(() => client.sendBytes("no request\r\n\r\n"))).toMatchObject({
      ...{ method: null, path: null, status: 400, code: "malformed_request", duration_ms: null },
    });
  });

  it("uses the trace of the sender, or else a new one", async () => {
    const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    const idOf = async (traceparent: string) => {
      const { request_id: own, trace_id: id } = await ask({ path: "/nothing", headers: { traceparent } });
      return id === String(own).replaceAll("-", "") ? "own" : id;
    };
    expect(await idOf(`00-${trace}-00f067aa0ba902b7-01`)).toBe(trace);
    expect(await idOf(`cc-${trace}-00f067aa0ba902b7-01-later`)).toBe(trace);
    for (const bad of [
      `00-${trace}-00f067aa0ba902b7-01-later`,
      `ff-${trace}-00f067aa0ba902b7-01`,
      `00-${"0".repeat(32)}-00f067aa0ba902b7-01`,
      `00-${trace}-${"0".repeat(16)}-01`,
      `00-${trace.toUpperCase()}-00f067aa0ba902b7-01`,
      `${trace}\t"`,
    ])
      expect(await idOf(bad), bad).toBe("own");
  });

  it("always has the same keys, and no content of queries, headers or bodies", async () => {
    const secret = "Xy7-secret-Value";
    const headers = {
      ...admin(),
      cookie: secret,
      "x-api-key": secret,
      "idempotency-key": secret,
      referer: secret,
    };
    await ask({ path: `/hooks?token=${secret}&page_limit=${secret}`, headers });
    await ask({ path: "/hooks", headers: { ...headers, authorization: `Bearer ${secret}` } });
    const body = JSON.stringify({ url: `https://${secret}@example.com`, events: [secret], password: secret });
    await ask({
      method: "POST",
      path: "/hooks",
      headers: { ...headers, "content-type": "application/json" },
      body,
    });
    await ask({ path: "/hooks", headers: { ...admin(), "x-request-id": secret, traceparent: secret } });
    expect(JSON.stringify(lines)).not.toContain(secret);
    const keys =
      "level time request_id trace_id operation tenant_id user_id token_id client_ip version method path status code bytes duration_ms msg";
    expect(new Set(lines.map((line) => Object.keys(line).join(" ")))).toEqual(new Set([keys]));
    expect(lines[0]).toMatchObject({
      level: "info",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
    });
  });

  it("counts the sent bytes: 0 for HEAD and 304", async () => {
    const path = "/locations/1/trucks";
    const { etag = "" } = (await client.send({ path, headers: admin() })).headers;
    expect(await ask({ path, headers: { ...admin(), "if-none-match": etag } })).toMatchObject({
      status: 304,
      bytes: 0,
    });
    expect(await ask({ method: "HEAD", path, headers: admin() })).toMatchObject({ status: 200, bytes: 0 });
  });

  it("contains the start of a long path: requests of unknown callers take the same room as others", async () => {
    const { path, status } = await ask({ path: `/${"x".repeat(14_000)}?y=z` });
    expect([status, path]).toEqual([404, `/${"x".repeat(511)}…`]);
    expect((await ask({ path: `/nowhere?${"y".repeat(14_000)}` })).path).toBe("/nowhere");
  });

  it("masks a token in a path", async () => {
    const token = `dispatch.1.${"a".repeat(43)}`;
    expect((await ask({ path: `/jobs/${token}/x`, headers: admin() })).path).toBe("/jobs/***/x");
    const { path } = await ask({ path: `/${"x".repeat(490)}/${token}`, headers: admin() });
    expect(path).toBe(`/${"x".repeat(490)}/***`);
  });

  it("has status 499 if the client disconnects before the answer", async () => {
    const head = Object.entries(admin()).map(([name, value]) => `${name}: ${value}\r\n`);
    const line = await lineOf(async () => {
      const socket = connect(Number(new URL(client.origin).port), "127.0.0.1");
      socket.write(
        `POST /hooks HTTP/1.1\r\nexpect: 100-continue\r\ncontent-length: 2\r\n${head.join("")}\r\n`,
      );
      await once(socket, "data");
      socket.resetAndDestroy();
    });
    expect(line).toMatchObject({ operation: "hooks.create", status: 499, code: null, bytes: null });
    expect(line).toMatchObject({ tenant_id: harness.acme.tenantId });
  });

  it("has the status of the answer if a client disconnects while sending its body", async () => {
    const head = Object.entries(admin()).map(([name, value]) => `${name}: ${value}\r\n`);
    const line = await lineOf(() =>
      client.sendBytesAndLeave(`POST /hooks HTTP/1.1\r\ncontent-length: 20\r\n${head.join("")}\r\n{`),
    );
    expect(line).toMatchObject({ operation: "hooks.create", status: 400, code: "malformed_request" });
  });

  it("appears once for each request", () => {
    expect(new Set(lines.map(({ request_id: id }) => id)).size).toBe(lines.length);
  });

  it("is left out for good answers to probes, unless the level is debug", async () => {
    lines.length = 0;
    for (const path of ["/healthz", "/readyz", "/healthz"]) await client.send({ path });
    await ask({ path: "/nothing" });
    expect(lines.map(({ path }) => path)).toEqual(["/nothing"]);
  });
});
