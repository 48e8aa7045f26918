import { once } from "node:events";
import { connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { identifyByToken } from "../../src/http/identify.ts";
import { buildServer } from "../../src/http/server.ts";
import { describeOverHttp } from "../support/targets.ts";

describeOverHttp("a server that closes", (harness) => {
  it("answers arriving requests, and then waits for no client that keeps its connection", async () => {
    const server = await buildServer(harness.service, {
      identify: identifyByToken(harness.service),
      log: { write: () => undefined },
      logLevel: "silent",
    });
    const { port } = new URL(await server.listen({ host: "127.0.0.1", port: 0 }));
    const socket = connect({ host: "127.0.0.1", port: Number(port) });
    onTestFinished(() => {
      socket.destroy();
      server.closeAllConnections();
    });
    const headers = Object.entries(harness.headersOf("Admin"));
    const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    // The server asks for the body, so it has read the head.
    socket.write(
      `POST /hooks HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 2\r\n${head}\r\n`,
    );
    expect(String(await once(socket, "data"))).toMatch(/^HTTP\/1\.1 100 /);

    const closed = server.close();
    socket.write("{}");
    expect(String(await once(socket, "data"))).toMatch(/^HTTP\/1\.1 400 /);
    const ended = once(socket, "close");
    socket.resume();
    await closed;
    await ended;
    // A server that keeps the connection open would take a minute.
  }, 20_000);

  it("does not wait for a client that connects and sends nothing, as browsers do", async () => {
    const server = await buildServer(harness.service, {
      identify: identifyByToken(harness.service),
      log: { write: () => undefined },
      logLevel: "silent",
    });
    const origin = await server.listen({ host: "127.0.0.1", port: 0 });
    const socket = connect({ host: "127.0.0.1", port: Number(new URL(origin).port) });
    onTestFinished(() => void socket.destroy());
    await once(socket, "connect");
    // The server has accepted the earlier connection when it answers a later one.
    await fetch(`${origin}/healthz`);
    await Promise.all([once(socket.resume(), "close"), server.close()]);
    // A server that waits for a request would take half a minute.
  }, 20_000);
});
