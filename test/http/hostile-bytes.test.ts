import { expect, it } from "vitest";
import { describeOverHttp } from "../support/targets.ts";

const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";

describeOverHttp("bytes that are not a request", (harness) => {
  const parse = (answer: string) => {
    const [head = "", body = ""] = answer.split("\r\n\r\n");
    const [start = "", ...lines] = head.split("\r\n");
    const headers = Object.fromEntries(lines.map((line) => line.split(": ", 2) as [string, string]));
    return { status: Number(start.split(" ")[1]), start, headers, body };
  };

  it.each([
    ["garbage", "\u0001\u0002garbage\r\n\r\n"],
    ["another protocol", "SSH-2.0-OpenSSH_9.6\r\n"],
    ["TLS", "\u0016\u0003\u0001\u0000\u00a5\u0001\u0000\u0000"],
    ["no method", "/jobs HTTP/1.1\r\n\r\n"],
    ["an unknown method without a path", "BREW jobs HTTP/1.1\r\nhost: x\r\n\r\n"],
    ["a tunnel", "CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n\r\n"],
    ["an unknown version", "GET /jobs HTTP/9.9\r\nhost: x\r\n\r\n"],
    ["a header without a name", "GET /jobs HTTP/1.1\r\n: x\r\n\r\n"],
    ["a header with a control character", "GET /jobs HTTP/1.1\r\nhost: x\r\nx-y: a\u0000b\r\n\r\n"],
    ["two lengths", "POST /hooks HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab"],
    ["a negative length", "POST /hooks HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n"],
    [
      "a length and chunks",
      "POST /hooks HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ["a line feed in the path", "GET /jo\nbs HTTP/1.1\r\nhost: x\r\n\r\n"],
  ])("(%s) get 400 in the format of every error", async (_, bytes) => {
    const { status, start, headers, body } = parse(await harness.sendBytes(Buffer.from(bytes, "latin1")));
    expect(status, start).toBe(400);
    expect(headers).toMatchObject({
      "access-control-allow-origin": "*",
      connection: "close",
      "content-length": String(Buffer.byteLength(body)),
      "content-type": "application/json",
      "x-api-version": "2019/02/08",
      "x-request-id": expect.stringMatching(new RegExp(`^${uuid}$`)),
    });
    const { code, request_id } = JSON.parse(body);
    expect([code, request_id]).toEqual(["malformed_request", headers["x-request-id"]]);
  });

  it("(no host) get the usual answer, in HTTP/1.1 too", async () => {
    const headers = Object.entries(harness.headersOf("Driver")).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    for (const [path, expected] of [
      ["/jobs", 200],
      ["/nowhere", 404],
    ] as const) {
      const bytes = `GET ${path} HTTP/1.1\r\nconnection: close\r\n${headers.join("")}\r\n`;
      const { status, headers: answered } = parse(await harness.sendBytes(bytes));
      expect(status).toBe(expected);
      expect(answered["x-request-id"]).toMatch(new RegExp(`^${uuid}$`));
    }
  });

  it.each([
    ["BREW /jobs", 405, "method_not_allowed", "GET"],
    ["get /jobs?x=1", 405, "method_not_allowed", "GET"],
    ["FOO /hooks/1", 405, "method_not_allowed", "GET,PATCH,DELETE"],
    ["FOO /whoami", 405, "method_not_allowed", "GET"],
    ["FOO /nowhere", 404, "operation_not_found", ""],
  ])("(%s) of an unknown method are a request, refused like any other method", async (asked, ...expected) => {
    const bytes = `${asked} HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}`;
    const { status, headers, body } = parse(await harness.sendBytes(bytes));
    const { code, request_id } = JSON.parse(body);
    expect([status, code, headers.allow]).toEqual(expected);
    expect([headers.connection, request_id]).toEqual(["close", headers["x-request-id"]]);
  });

  it("(an unknown method after another request) do not answer for that request", async () => {
    const answers = await harness.sendBytes("GET /healthz HTTP/1.1\r\n\r\nFOO /jobs HTTP/1.1\r\n\r\n");
    expect(answers).not.toContain("method_not_allowed");
  });

  it("(an unknown expectation) get 417 in the format of every error", async () => {
    const headers = { ...harness.headersOf("Driver"), expect: "foo", connection: "close" };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const answer = parse(await harness.sendBytes(`GET /jobs HTTP/1.1\r\n${lines.join("")}\r\n`));
    const { code, field, request_id } = JSON.parse(answer.body);
    expect([answer.status, code, field]).toEqual([417, "expectation_failed", "expect"]);
    expect(request_id).toBe(answer.headers["x-request-id"]);
  });

  it("of more than 16 KiB of headers get 431", async () => {
    const head = (bytes: number) => {
      const start = "GET /jobs HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-filler: ";
      return `${start}${"a".repeat(bytes - start.length - 4)}\r\n\r\n`;
    };
    expect(parse(await harness.sendBytes(head(15 * 1024))).status).toBe(401);
    const { status, body } = parse(await harness.sendBytes(head(17 * 1024)));
    expect([status, JSON.parse(body).code]).toEqual([431, "header_too_large"]);
    const toHead = parse(await harness.sendBytes(head(17 * 1024).replace("GET", "HEAD")));
    expect([toHead.status, toHead.body]).toEqual([431, ""]);
  });

  it("do not harm the server", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => harness.sendBytes("\u0000\u0000\r\n\r\n")),
    );
    expect(new Set(answers.map((answer) => parse(answer).status))).toEqual(new Set([400]));
    const { status } = await harness.send({ path: "/jobs", headers: harness.headersOf("Driver") });
    expect(status).toBe(200);
  });

  it("(a body shorter than promised) store nothing when the caller leaves", async () => {
    const before = harness.store.contents();
    const headers = Object.entries(harness.headersOf("Dispatcher")).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    const body = JSON.stringify({ events: ["Job"], url: "https://example.com" });
    const answer = await harness.sendBytesAndLeave(
      `POST /hooks HTTP/1.1\r\nhost: x\r\n${headers.join("")}content-length: ${body.length + 1}\r\n\r\n${body}`,
    );
    expect(answer).not.toMatch(/^HTTP\/1\.1 200/);
    expect(harness.store.contents()).toEqual(before);
    // The caller hung up, which is not an internal error.
    expect(harness.faults.splice(0)).toEqual([]);
  });
});
