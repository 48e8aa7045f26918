import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { identifyByToken } from "../../src/http/answer.ts";
import { buildServer, type HttpServer } from "../../src/http/server.ts";
import { newestVersion } from "../../src/models/api-versions.ts";
import { createHttpClient, type HttpClient, type WireRequest } from "../support/http-client.ts";
import { describeOverHttp } from "../support/targets.ts";

type Line = Readonly<Record<string, unknown>>;

describeOverHttp("the line of a request", (harness) => {
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

  /** Does something that has one line, and gives it. */
  async function lineOf(work: () => Promise<unknown>): Promise<Line> {
    const line = new Promise<Line>((resolve) => {
      told = resolve;
    });
    await work();
    return line;
  }

  const ask = (request: WireRequest) => lineOf(() => client.send(request));
  const admin = () => harness.headersOf("Admin");

  it("tells who was verified, what was asked for and what was answered, the first time and from the memory of answers", async () => {
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

  it("says of a stranger what it sent, and nothing that it claims to be", async () => {
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

  it("counts the bytes that were sent: none for HEAD and 304", async () => {
    const path = "/locations/1/trucks";
    const { etag = "" } = (await client.send({ path, headers: admin() })).headers;
    expect(await ask({ path, headers: { ...admin(), "if-none-match": etag } })).toMatchObject({
      status: 304,
      bytes: 0,
    });
    expect(await ask({ method: "HEAD", path, headers: admin() })).toMatchObject({ status: 200, bytes: 0 });
  });

  it("is there with 499 when the client went away before it was answered", async () => {
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

  it("is one with the answer, when a client hangs up in the midst of its body", async () => {
    const head = Object.entries(admin()).map(([name, value]) => `${name}: ${value}\r\n`);
    const line = await lineOf(() =>
      client.sendBytesAndLeave(`POST /hooks HTTP/1.1\r\ncontent-length: 20\r\n${head.join("")}\r\n{`),
    );
    expect(line).toMatchObject({ operation: "hooks.create", status: 400, code: "malformed_request" });
  });

  it("is one for each request", () => {
    expect(new Set(lines.map(({ request_id: id }) => id)).size).toBe(lines.length);
  });
});
