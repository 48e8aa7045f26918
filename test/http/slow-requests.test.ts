import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { identifyByToken } from "../../src/http/identify.ts";
import { buildServer } from "../../src/http/server.ts";
import { drip } from "../support/drip.ts";
import { describeOverHttp } from "../support/targets.ts";

/** A short limit for the test. The default is 30 s. */
const requestMsMax = 3_000;

describeOverHttp("a request that does not arrive in time", (harness) => {
  it("gets 408, is logged, and is cut off, for any slow part; other requests get their answers", async () => {
    const log: Record<string, unknown>[] = [];
    const server = await buildServer(harness.service, {
      identify: identifyByToken(harness.service),
      log: { write: (line: string) => void log.push(JSON.parse(line)) },
      logLevel: "info",
      requestMsMax,
    });
    const url = await server.listen({ host: "127.0.0.1", port: 0 });
    const headers = Object.entries(harness.headersOf("Dispatcher")).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const path = `/locations/${harness.acme.locationId}/trucks`;
    const head = `POST ${path} HTTP/1.1\r\nhost: x\r\n${headers.join("\r\n")}\r\n`;
    const beginnings = [
      "GET /jobs HTTP/1.1\r\nx-slow: ",
      `${head}content-type: application/json\r\ncontent-length: 5000\r\n\r\n{`,
      `${head}transfer-encoding: chunked\r\n\r\nfff\r\n{`,
      "",
    ];
    const dripping = beginnings.flatMap((beginning) =>
      Array.from({ length: 15 }, () => drip(url, beginning)),
    );
    let isOver = false;
    const over = Promise.all(dripping).finally(() => {
      isOver = true;
    });
    const others: number[] = [];
    while (!isOver) {
      others.push((await fetch(`${url}/healthz`)).status);
      await sleep(100);
    }
    for (const answer of await over) {
      expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 408"]);
      const body = JSON.parse(answer.split("\r\n\r\n")[1] ?? "");
      expect(body).toMatchObject({
        code: "request_timeout",
        detail: "The request did not arrive within 3 s.",
      });
    }
    expect(new Set(others)).toEqual(new Set([200]));
    await server.close();
    const told = log.filter(({ msg, status }) => msg === "request" && status === 408);
    expect(told).toHaveLength(60);
    expect(log.filter(({ status }) => status === 400)).toEqual([]);
  });
});
