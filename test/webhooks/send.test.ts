import { once } from "node:events";
import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSender, type HookRequest, type SenderOptions } from "../../src/webhooks/send.ts";
import { until, within } from "../support/eventually.ts";
import { tlsFixture } from "../support/tls-fixture.ts";

const longEnoughMs = 5_000;

describe("an attempt that is answered", () => {
  it("posts the body as JSON with the user agent of the sender and the given headers", async () => {
    const requests: { request: IncomingMessage; body: string }[] = [];
    const url = await receive(async (request, response) => {
      requests.push({ request, body: await text(request) });
      response.end();
    });

    await send({
      url: `${url}/hooks/a%20b?tenant=7`,
      body: '{"name":"Zürich"}',
      headers: { "x-tenant-id": "7" },
    });

    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      body: '{"name":"Zürich"}',
      request: {
        method: "POST",
        url: "/hooks/a%20b?tenant=7",
        headers: {
          host: new URL(url).host,
          connection: "keep-alive",
          "content-type": "application/json",
          "content-length": "18",
          "user-agent": "dispatch-cli/test",
          "x-tenant-id": "7",
        },
      },
    });
  });

  it("returns the status, the headers and the body", async () => {
    const url = await receive((_, response) => {
      response.writeHead(202, { "X-Seen": ["once", "twice"], "retry-after": "7" }).end("thank you");
    });

    expect(await send({ url })).toEqual({
      kind: "answered",
      status: 202,
      headers: expect.objectContaining({ "x-seen": "once, twice", "retry-after": "7" }),
      body: "thank you",
      durationMs: expect.any(Number),
    });
  });

  it.each([204, 400, 410, 429, 500, 503, 599])("returns the status %i unchanged", async (status) => {
    const url = await receive((_, response) => response.writeHead(status).end());

    expect(await send({ url })).toMatchObject({ kind: "answered", status, body: "" });
  });

  it.each([301, 302, 303, 307, 308])("does not follow a redirect (%i), wherever it leads", async (status) => {
    const followed: unknown[] = [];
    const inner = await receive((request, response) => {
      followed.push(request.url);
      response.end();
    });
    const url = await receive((_, response) => response.writeHead(status, { location: inner }).end());

    expect(await send({ url })).toMatchObject({ kind: "answered", status, headers: { location: inner } });
    expect(followed).toEqual([]);
  });

  it("measures its duration with the given clock", async () => {
    const url = await receive((_, response) => response.end());
    const times = [1_000, 1_234.4];

    expect(await send({ url }, { now: () => times.shift() ?? Number.NaN })).toMatchObject({
      durationMs: 234,
    });
  });

  it("reads 16 KiB of an endless body, then drops the connection", async () => {
    const connections: Socket[] = [];
    const url = await receive((request, response) => {
      connections.push(request.socket);
      response.writeHead(200, { "content-length": String(1024 ** 3) });
      const chunk = Buffer.alloc(64 * 1024, "x");
      const pour = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on("drain", pour);
      pour();
    });

    expect(await send({ url })).toMatchObject({ kind: "answered", status: 200, body: "x".repeat(16 * 1024) });
    await expectClosed(connections);
  });

  it("omits a character that the limit of 16 KiB cuts in two", async () => {
    const url = await receive((_, response) => response.end(`x${"ü".repeat(10_000)}`));

    expect(await send({ url })).toMatchObject({ body: `x${"ü".repeat(8_191)}` });
  });

  it("shows bytes that are not UTF-8 as replacement characters", async () => {
    const url = await receive((_, response) => response.end(Buffer.from([0x61, 0xff, 0x62])));

    expect(await send({ url })).toMatchObject({ body: "a\u{fffd}b" });
  });

  it("counts by its status if the body is still arriving at the timeout", async () => {
    const url = await receive((_, response) => {
      response.writeHead(200);
      const dripping = setInterval(() => response.write("."), 20);
      response.on("close", () => clearInterval(dripping));
    });

    expect(await send({ url }, { timeoutMs: 300 })).toMatchObject({
      kind: "answered",
      status: 200,
      body: expect.stringMatching(/^\.+$/),
    });
  });

  it.each([
    ["at once", (socket: Socket) => socket.end()],
    ["after a while", (socket: Socket) => setTimeout(() => socket.resetAndDestroy(), 50)],
  ])("counts by its status if the connection breaks inside the body %s", async (_, cut) => {
    const url = await listen((socket) => {
      socket.once("data", () => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf");
        cut(socket);
      });
    });

    expect(await send({ url })).toMatchObject({ kind: "answered", status: 200, body: "half" });
  });
});

describe("a connection", () => {
  it("is reused for the next attempt at the same receiver, one for each running attempt", async () => {
    const { url, connections } = await countingReceiver();
    const sender = newSender();
    const sendOften = async () => {
      for (let attempt = 1; attempt <= 5; attempt++) {
        expect(await sender.send(toRequest({ url: `${url}/${attempt}` }))).toMatchObject({ status: 200 });
      }
    };

    await sendOften();
    expect(connections()).toBe(1);
    await Promise.all([sendOften(), sendOften(), sendOften()]);
    expect(connections()).toBe(3);
  });

  it("is reused only for its receiver, by name and port", async () => {
    const { url, connections } = await countingReceiver();
    const other = await countingReceiver();
    const sender = newSender({ resolve: toLoopback });
    const byName = url.replace("127.0.0.1", "hook.example");

    for (const target of [url, byName, other.url, byName, other.url, url]) {
      expect(await sender.send(toRequest({ url: target }))).toMatchObject({ status: 200 });
    }
    expect([connections(), other.connections()]).toEqual([2, 1]);
  });

  it("over TLS is reused too", async () => {
    let count = 0;
    const server = createHttpsServer({ key: tlsFixture.key, cert: tlsFixture.cert }, (_, response) =>
      response.end(),
    );
    server.on("secureConnection", () => count++);
    const url = (await start(server)).replace("http:", "https:");
    const sender = newSender({ extraAuthorities: [tlsFixture.cert] });

    for (let attempt = 1; attempt <= 3; attempt++) {
      expect(await sender.send(toRequest({ url }))).toMatchObject({ status: 200 });
    }
    expect(count).toBe(1);
  });

  it.each([
    ["says that it closes it", "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok"],
    ["promises to keep it", "HTTP/1.1 200 OK\r\nconnection: keep-alive\r\ncontent-length: 2\r\n\r\nok"],
  ])("that the receiver closes after the answer causes no failure, when it %s", async (_, answer) => {
    const connections = new Set<Socket>();
    const url = await listen((socket) => {
      connections.add(socket);
      socket.once("data", () => socket.end(answer));
    });
    const sender = newSender();

    for (let attempt = 1; attempt <= 3; attempt++) {
      expect(await sender.send(toRequest({ url }))).toMatchObject({
        kind: "answered",
        status: 200,
        body: "ok",
      });
    }
    expect(connections.size).toBe(3);
  });

  it.each([
    ["ends", (socket: Socket) => socket.end()],
    ["resets", (socket: Socket) => socket.resetAndDestroy()],
  ])("that the receiver %s during the next request costs no attempt", async (_, close) => {
    const requests: number[] = [];
    let connections = 0;
    const url = await listen((socket) => {
      connections += 1;
      const number = connections;
      let isUsed = false;
      socket.on("data", () => {
        requests.push(number);
        if (isUsed) close(socket);
        else socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
        isUsed = true;
      });
    });
    const sender = newSender();

    expect(await sender.send(toRequest({ url }))).toMatchObject({ status: 200 });
    expect(await sender.send(toRequest({ url }))).toMatchObject({ status: 200, body: "ok" });
    expect(requests).toEqual([1, 1, 2]);
  });

  it("that is new and breaks causes a failed attempt, also after a reused one", async () => {
    let requests = 0;
    const url = await listen((socket) => {
      socket.on("data", () => {
        requests += 1;
        if (requests === 1) socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
        else socket.resetAndDestroy();
      });
    });
    const sender = newSender();

    expect(await sender.send(toRequest({ url }))).toMatchObject({ status: 200 });
    expect(await sender.send(toRequest({ url }))).toMatchObject({ kind: "failed", reason: "connection" });
    expect(requests).toBe(3);
    expect(await sender.send(toRequest({ url }))).toMatchObject({ kind: "failed", reason: "connection" });
    expect(requests).toBe(4);
  });

  it("is closed after an answer that was not read to its end", async () => {
    const connections: Socket[] = [];
    const url = await receive((request, response) => {
      connections.push(request.socket);
      response.end("x".repeat(17 * 1024));
    });
    const sender = newSender();

    for (let attempt = 1; attempt <= 2; attempt++) {
      expect(await sender.send(toRequest({ url }))).toMatchObject({ status: 200 });
    }
    expect(new Set(connections).size).toBe(2);
    await until(() => connections.every(({ closed }) => closed));
  });

  it("has the timeout of its current attempt, and is not reused after that", async () => {
    const connections: Socket[] = [];
    let requests = 0;
    const url = await receive((request, response) => {
      requests += 1;
      connections.push(request.socket);
      if (requests === 1) response.end();
    });
    const sender = newSender({ timeoutMs: 2000 });

    expect(await sender.send(toRequest({ url }))).toMatchObject({ status: 200 });
    expect(await sender.send(toRequest({ url }))).toMatchObject({
      kind: "failed",
      reason: "timeout",
      message: `No answer from ${hostOf(url)} within 2 s.`,
    });
    expect(requests).toBe(2);
    await until(() => connections.every(({ closed }) => closed));
  });

  it("carries at most a hundred requests, so that a moved name is resolved again", async () => {
    const { url, connections } = await countingReceiver();
    let resolutions = 0;
    const resolve = () => {
      resolutions += 1;
      return toLoopback();
    };
    const sender = newSender({ resolve });

    for (let attempt = 1; attempt <= 150; attempt++) {
      const request = toRequest({ url: url.replace("127.0.0.1", "hook.example") });
      expect(await sender.send(request)).toMatchObject({ status: 200 });
    }
    expect([connections(), resolutions]).toEqual([2, 2]);
  });
});

describe("an attempt that gets no answer", () => {
  it("ends after the timeout if the receiver hangs, and closes the connection", async () => {
    const connections: Socket[] = [];
    const url = await listen((socket) => connections.push(socket.resume()));

    expect(await send({ url }, { timeoutMs: 200 })).toEqual({
      kind: "failed",
      reason: "timeout",
      message: `No answer from ${hostOf(url)} within 0.2 s.`,
      durationMs: expect.any(Number),
    });
    await expectClosed(connections);
  });

  it("ends after the timeout if the headers arrive too slowly", async () => {
    const url = await listen((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const dripping = setInterval(() => socket.write("x-drip: 1\r\n"), 20);
      socket.on("close", () => clearInterval(dripping));
    });

    expect(await send({ url }, { timeoutMs: 300 })).toMatchObject({ kind: "failed", reason: "timeout" });
  });

  it("ends after the timeout if the name servers hang", async () => {
    expect(
      await send({ url: "http://hook.example/" }, { timeoutMs: 50, resolve: () => new Promise(() => {}) }),
    ).toMatchObject({
      reason: "timeout",
      message: "The name of hook.example:80 was not resolved within 0.05 s.",
    });
  });

  it("ends after the timeout if the TLS handshake hangs", async () => {
    const url = await listen((socket) => socket.resume());

    expect(await send({ url: url.replace("http:", "https:") }, { timeoutMs: 200 })).toMatchObject({
      reason: "timeout",
      message: `The TLS handshake with ${hostOf(url)} was not finished within 0.2 s.`,
    });
  });

  it("reports a refused connection", async () => {
    const url = await closedPort();

    expect(await send({ url })).toMatchObject({
      kind: "failed",
      reason: "connection",
      message: `Connection refused by ${hostOf(url)} – is the receiver running?`,
    });
  });

  it("reports a refused connection if every address of the name refuses", async () => {
    const { port } = new URL(await closedPort());
    const resolve = async () => [
      { address: "::1", family: 6 },
      { address: "127.0.0.1", family: 4 },
    ];

    expect(await send({ url: `http://hook.example:${port}/` }, { resolve })).toMatchObject({
      reason: "connection",
      message: `Connection refused by hook.example:${port} – is the receiver running?`,
    });
  });

  it.each([
    ["resets", (socket: Socket) => socket.resetAndDestroy()],
    ["ends", (socket: Socket) => socket.end()],
    ["ends within the headers", (socket: Socket) => socket.end("HTTP/1.1 200 OK\r\nx-half")],
  ])("reports a closed connection if the receiver %s", async (_, close) => {
    const url = await listen((socket) => socket.once("data", () => close(socket)));

    expect(await send({ url })).toMatchObject({
      kind: "failed",
      reason: "connection",
      message: `${hostOf(url)} closed the connection before it answered.`,
    });
  });

  it.each([
    ["another protocol", "220 mail.example ESMTP\r\n"],
    ["bytes", Buffer.from([0, 255, 1, 254, 13, 10])],
    ["an upgrade", "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n"],
    ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\na"],
    ["headers without end", `HTTP/1.1 200 OK\r\n${"x-long: 0123456789\r\n".repeat(5_000)}`],
    ["a status beyond 599", "HTTP/1.1 777 Lucky\r\ncontent-length: 0\r\n\r\n"],
  ])("reports that %s is not HTTP", async (_, answer) => {
    const url = await listen((socket) => socket.once("data", () => socket.write(answer)));

    expect(await send({ url })).toMatchObject({
      kind: "failed",
      reason: "protocol",
      message: expect.stringContaining("HTTP"),
    });
  });

  it("reports an invalid URL", async () => {
    expect(await send({ url: "hook.example" })).toMatchObject({
      reason: "url",
      message: "The URL must start with http:// or https://, followed by a host.",
    });
  });

  it("fails, and does not throw, for an invalid header", async () => {
    const url = await receive((_, response) => response.end());

    expect(await send({ url, headers: { "x-bad": "a\nb" } })).toMatchObject({
      reason: "other",
      message: `The request to ${hostOf(url)} failed: invalid x-bad header.`,
    });
  });
});

describe("an attempt over TLS", () => {
  const trusting = { extraAuthorities: [tlsFixture.cert] };

  it("reaches a receiver with a trusted certificate, by name and by address", async () => {
    const url = await receiveOverTls(tlsFixture.cert);
    const byName = url.replace("127.0.0.1", "localhost");

    expect(await send({ url }, trusting)).toMatchObject({ kind: "answered", status: 200 });
    expect(await send({ url: byName }, { ...trusting, resolve: toLoopback })).toMatchObject({ status: 200 });
  });

  it("refuses a certificate of an unknown authority", async () => {
    const url = await receiveOverTls(tlsFixture.cert);

    expect(await send({ url })).toMatchObject({
      kind: "failed",
      reason: "tls",
      message: `The certificate of ${hostOf(url)} is not trusted: self-signed certificate.`,
    });
  });

  it("refuses a certificate that has expired", async () => {
    const url = await receiveOverTls(tlsFixture.expiredCert);

    expect(await send({ url }, { extraAuthorities: [tlsFixture.expiredCert] })).toMatchObject({
      reason: "tls",
      message: `The certificate of ${hostOf(url)} is not trusted: certificate has expired.`,
    });
  });

  it("refuses a certificate of another name", async () => {
    const { port } = new URL(await receiveOverTls(tlsFixture.cert));

    expect(
      await send({ url: `https://hook.example:${port}/` }, { ...trusting, resolve: toLoopback }),
    ).toMatchObject({
      reason: "tls",
      message:
        `The certificate of hook.example:${port} is not trusted: ` +
        "Host: hook.example. is not in the cert's altnames: DNS:localhost, IP Address:127.0.0.1.",
    });
  });

  it("reports it if the receiver speaks plain HTTP", async () => {
    const url = await receive((_, response) => response.end());

    expect(await send({ url: url.replace("http:", "https:") })).toMatchObject({
      reason: "tls",
      message: `${hostOf(url)} does not speak TLS – is http:// meant?`,
    });
  });

  it("reports it if the receiver closes the connection inside the handshake", async () => {
    const url = await listen((socket) => socket.once("data", () => socket.end()));

    expect(await send({ url: url.replace("http:", "https:") })).toMatchObject({
      reason: "tls",
      message: expect.stringContaining(`The TLS handshake with ${hostOf(url)} failed: `),
    });
  });

  it("reports plain HTTP to a receiver that speaks TLS", async () => {
    const url = await receiveOverTls(tlsFixture.cert);

    expect(await send({ url: url.replace("https:", "http:") })).toMatchObject({ kind: "failed" });
  });
});

describe("the guard of addresses", () => {
  const guarded = { allowPrivateAddresses: false };

  it.each([
    "127.0.0.1",
    "2130706433",
    "0177.0.0.1",
    "0x7f.0.0.1",
    "127.1",
    "localhost",
    "[::ffff:127.0.0.1]",
  ])("lets no attempt reach this machine as %s", async (host) => {
    const { url, connections } = await countingReceiver();

    expect(await send({ url: url.replace("127.0.0.1", host) }, guarded)).toMatchObject({
      kind: "failed",
      reason: "refused_address",
      message: expect.stringMatching(/the server's operator can allow others\.$/),
    });
    expect(connections()).toBe(0);
  });

  it("lets no attempt reach this machine by a name that resolves to it", async () => {
    const { url, connections } = await countingReceiver();
    const byName = url.replace("127.0.0.1", "hook.example");

    expect(await send({ url: byName }, { ...guarded, resolve: toLoopback })).toMatchObject({
      reason: "refused_address",
      message: expect.stringContaining("The name hook.example leads to a loopback address,"),
    });
    expect(connections()).toBe(0);
  });

  it("lets no attempt reach this machine by a mapped address behind a name", async () => {
    const { url, connections } = await countingReceiver();
    const resolve = async () => [{ address: "::ffff:127.0.0.1", family: 6 }];

    expect(
      await send({ url: url.replace("127.0.0.1", "hook.example") }, { ...guarded, resolve }),
    ).toMatchObject({
      reason: "refused_address",
    });
    expect(connections()).toBe(0);
  });

  it("connects to the address from its single resolution, although the name changes", async () => {
    const { url, connections } = await countingReceiver();
    let resolutions = 0;
    const resolve = async () => {
      resolutions++;
      return [{ address: resolutions === 1 ? "127.0.0.1" : "127.0.0.2", family: 4 }];
    };

    expect(await send({ url: url.replace("127.0.0.1", "hook.example") }, { resolve })).toMatchObject({
      status: 200,
    });
    expect(resolutions).toBe(1);
    expect(connections()).toBe(1);
  });

  it("resolves the name for every attempt", async () => {
    const { url } = await countingReceiver();
    const answers = ["127.0.0.1", "10.0.0.5"];
    const sender = newSender({
      ...guarded,
      resolve: async () => [{ address: answers.shift() ?? "", family: 4 }],
    });
    const request = toRequest({ url: url.replace("127.0.0.1", "hook.example") });

    expect(await sender.send(request)).toMatchObject({
      message: expect.stringContaining("a loopback address"),
    });
    expect(await sender.send(request)).toMatchObject({
      message: expect.stringContaining("a private address"),
    });
  });

  it("resolves again for each new connection, and checks the current address", async () => {
    const url = await receive((_, response) => response.writeHead(200, { connection: "close" }).end());
    const addresses = ["127.0.0.1", "127.0.0.1", "no address"];
    const sender = newSender({ resolve: async () => [{ address: addresses.shift() ?? "", family: 4 }] });
    const request = toRequest({ url: url.replace("127.0.0.1", "hook.example") });

    expect(await sender.send(request)).toMatchObject({ status: 200 });
    expect(await sender.send(request)).toMatchObject({ status: 200 });
    expect(await sender.send(request)).toMatchObject({ kind: "failed" });
    expect(addresses).toEqual([]);
  });

  it("tries the next address of a name when one refuses", async () => {
    const { url } = await countingReceiver();
    const resolve = async () => [
      { address: "::1", family: 6 },
      { address: "127.0.0.1", family: 4 },
    ];

    expect(await send({ url: url.replace("127.0.0.1", "hook.example") }, { resolve })).toMatchObject({
      status: 200,
    });
  });

  it("reports that a name cannot be resolved", async () => {
    const resolve = () => Promise.reject(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }));

    expect(await send({ url: "http://hook.invalid/" }, { resolve })).toMatchObject({
      kind: "failed",
      reason: "name",
      message: "The name hook.invalid could not be resolved.",
    });
  });

  it("reports that the resolver of the system cannot resolve a name", async () => {
    // On a machine without a network, the name servers do not answer. The error about the name differs then.
    expect(await send({ url: "http://hook.invalid/" })).toMatchObject({
      kind: "failed",
      reason: expect.stringMatching(/^(name|timeout)$/),
      message: expect.stringContaining("hook.invalid"),
    });
  });
});

describe("closing the sender", () => {
  it("closes its idle connections", async () => {
    const connections: Socket[] = [];
    const url = await receive((request, response) => {
      connections.push(request.socket);
      response.end();
    });
    const sender = newSender();
    expect(await sender.send(toRequest({ url }))).toMatchObject({ status: 200 });
    expect(connections[0]?.closed).toBe(false);

    await sender.close();

    await expectClosed(connections);
  });

  it("ends running attempts and starts no others", async () => {
    const connections: Socket[] = [];
    const url = await listen((socket) => connections.push(socket.resume()));
    const sender = newSender();
    const underWay = sender.send(toRequest({ url }));
    await until(() => connections.length === 1);

    await sender.close();

    const stopped = {
      kind: "failed",
      reason: "closed",
      message: "The attempt was stopped because the sender is shutting down.",
    };
    expect(await underWay).toMatchObject(stopped);
    expect(await sender.send(toRequest({ url }))).toMatchObject(stopped);
    await expectClosed(connections);
  });

  it("does nothing the second time", async () => {
    const sender = newSender();

    await sender.close();
    await sender.close();
  });
});

function newSender(options: Partial<SenderOptions> = {}) {
  const sender = createSender({
    allowPrivateAddresses: true,
    userAgent: "dispatch-cli/test",
    timeoutMs: longEnoughMs,
    ...options,
  });
  onTestFinished(() => sender.close());
  return sender;
}

function send(request: Partial<HookRequest>, options: Partial<SenderOptions> = {}) {
  return newSender(options).send(toRequest(request));
}

function toRequest(request: Partial<HookRequest>): HookRequest {
  return { url: "", headers: {}, body: "{}", ...request };
}

const toLoopback = async () => [{ address: "127.0.0.1", family: 4 }];

function hostOf(url: string): string {
  return new URL(url).host;
}

/** Expects the receiver's only connection to end before the idle timeout of 4 s. */
async function expectClosed(connections: Socket[]): Promise<void> {
  expect(connections).toHaveLength(1);
  await within(3_000, () => expect(connections[0]?.closed).toBe(true));
}

function receive(handler: RequestListener): Promise<string> {
  return start(createHttpServer(handler));
}

async function receiveOverTls(cert: string): Promise<string> {
  const server = createHttpsServer({ key: tlsFixture.key, cert }, (_, response) => response.end());
  return (await start(server)).replace("http:", "https:");
}

function listen(handler: (socket: Socket) => unknown): Promise<string> {
  return start(
    createTcpServer((socket) => {
      // The sender breaks connections on purpose.
      socket.on("error", () => {});
      handler(socket);
    }),
  );
}

async function countingReceiver() {
  let count = 0;
  const server = createHttpServer((_, response) => response.end());
  server.on("connection", () => {
    count++;
  });
  return { url: await start(server), connections: () => count };
}

async function closedPort(): Promise<string> {
  const server = createTcpServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = urlOf(server);
  server.close();
  await once(server, "close");
  return url;
}

async function start(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => sockets.add(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  return urlOf(server);
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
