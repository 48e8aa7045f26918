import type { ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createSender } from "../../src/webhooks/send.ts";
import { createHook, createJob, startTestWorker } from "../support/delivering.ts";
import type { Harness } from "../support/harness.ts";
import { startReceiver, unusedUrl } from "../support/receiver.ts";
import { describeInProcessOnSqlite, freshHarness } from "../support/targets.ts";
import { tlsFixture } from "../support/tls-fixture.ts";

/** Uses a sender with a short timeout that trusts the tests' certificate. */
async function useSender(harness: Harness, timeoutMs: number): Promise<void> {
  const sender = createSender({
    allowPrivateAddresses: true,
    userAgent: "dispatch-cli/test",
    timeoutMs,
    extraAuthorities: [tlsFixture.cert],
  });
  Object.assign(harness.service, { sender: async () => sender });
  onTestFinished(() => sender.close());
}

/** Sends an endless response: a gigabyte, unless the sender hangs up. */
function pour(response: ServerResponse): void {
  response.writeHead(200, { "content-length": 1024 ** 3 });
  const chunk = Buffer.alloc(64 * 1024, "x");
  const write = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", write).on("error", () => undefined);
  write();
}

/** Sends an endless header, one byte at a time. */
function drip(response: ServerResponse): void {
  const socket = response.socket;
  socket?.write("HTTP/1.1 200 OK\r\nx-slow: ");
  const dripping = setInterval(() => socket?.write("x"), 20);
  socket?.once("close", () => clearInterval(dripping));
}

describeInProcessOnSqlite("a worker and a receiver that", (like) => {
  it.each<[string, (response: ServerResponse) => unknown, object]>([
    ["hangs", () => undefined, { status: -1, message: /No answer .* within 0.5 s/ }],
    ["resets", (response) => response.socket?.resetAndDestroy(), { status: -1, message: /closed/ }],
    ["drips bytes", drip, { status: -1, message: /within 0.5 s/ }],
    [
      "redirects",
      (response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
      { status: 302, message: /redirect to http:\/\/127.0.0.1:1\/; redirects are not followed/ },
    ],
    [
      "answers no HTTP",
      (response) => response.socket?.end("hello\r\n\r\n"),
      { status: -1, message: /not valid HTTP/ },
    ],
  ])("%s: the worker logs it and retries", async (_, answer, expected) => {
    const harness = await freshHarness(like);
    await useSender(harness, 500);
    const { url, deliveries } = await startReceiver(answer);
    await createHook(harness, url);
    await createJob(harness);
    const worker = startTestWorker(harness);
    await worker.drain();
    const { status, message } = { message: /./, ...expected } as {
      status?: number;
      message: RegExp;
    };
    expect(worker.lines).toMatchObject([
      { attempt: 1, status, message: expect.stringMatching(message), state: "pending" },
    ]);
    expect(deliveries).toHaveLength(1);
    expect(harness.store.rows("delivery_attempts")).toMatchObject([{ http_status: status }]);
    harness.clock.advance(10_000);
    await worker.drain();
    expect(deliveries).toHaveLength(2);
  });

  it("answers a gigabyte: the worker uses the status, keeps 16 KiB and hangs up", async () => {
    const harness = await freshHarness(like);
    await useSender(harness, 5000);
    const { url } = await startReceiver(pour);
    await createHook(harness, url);
    await createJob(harness);
    const worker = startTestWorker(harness);
    await worker.drain();
    expect(worker.lines).toMatchObject([{ status: 200, state: "delivered" }]);
    expect(String(harness.store.rows("delivery_attempts")[0]?.response_body)).toHaveLength(16 * 1024);
  });

  it("speaks TLS: the worker delivers", async () => {
    const harness = await freshHarness(like);
    await useSender(harness, 5000);
    const server = createHttpsServer({ cert: tlsFixture.cert, key: tlsFixture.key }, (_, response) =>
      response.end(),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    await createHook(harness, `https://localhost:${(server.address() as AddressInfo).port}/`);
    await createJob(harness);
    const worker = startTestWorker(harness);
    await worker.drain();
    expect(worker.lines).toMatchObject([{ status: 200, state: "delivered" }]);
  });

  it("is down and returns: the worker delivers then", async () => {
    const harness = await freshHarness(like);
    const hook_id = await createHook(harness, await unusedUrl());
    await createJob(harness);
    const worker = startTestWorker(harness);
    await worker.drain();
    const { url, deliveries } = await startReceiver();
    await harness.ok("hooks.update", { params: { hook_id }, body: { url } });
    harness.clock.advance(10_000);
    await worker.drain();
    expect(deliveries).toHaveLength(1);
    expect(worker.lines.map(({ state }) => state)).toEqual(["pending", "delivered"]);
  });
});
