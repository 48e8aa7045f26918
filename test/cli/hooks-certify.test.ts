import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import {
  type Delivery,
  startReceiver,
  toSignature,
  toStandardSignature,
  unusedUrl,
} from "../support/receiver.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const secret = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
const secretFile = join(useTempFolder(), "secret.txt");
writeFileSync(secretFile, secret);

async function certify(url: string, ...options: string[]) {
  const words = ["hooks", "certify", url, "--secret-file", secretFile, "-o", "json", ...options];
  const { code, stdout } = await runCommand(words);
  const { rules } = JSON.parse(stdout) as { rules: { rule: string; holds: boolean }[] };
  return { code, broken: rules.filter(({ holds }) => !holds).map(({ rule }) => rule), count: rules.length };
}

const isServiceSigned = ({ headers, body }: Delivery) =>
  headers["x-service-signature"] === toSignature(secret, body);

function isStandardSigned({ headers, body }: Delivery): boolean {
  const timestamp = String(headers["webhook-timestamp"]);
  const isFresh = Math.abs(performance.timeOrigin + performance.now() - Number(timestamp) * 1000) < 300_000;
  const expected = toStandardSignature(secret, String(headers["webhook-id"]), timestamp, body);
  return isFresh && headers["webhook-signature"] === expected;
}

const receiverThat = (takes: (delivery: Delivery, ids: Set<string>) => number) => {
  const ids = new Set<string>();
  return startReceiver((response, _, delivery) => response.writeHead(takes(delivery, ids)).end());
};

describe("hooks certify", () => {
  it("reports no problem of a receiver that verifies Standard Webhooks", async () => {
    const { url } = await receiverThat((delivery) => (isStandardSigned(delivery) ? 204 : 401));
    expect(await certify(url)).toEqual({ code: 0, broken: [], count: 11 });
  });

  it("reports a receiver that only checks x-service-signature, unless --accept-legacy allows it", async () => {
    const { url } = await receiverThat((delivery) => (isServiceSigned(delivery) ? 204 : 401));
    const broken = ["refuses a delivery with only x-service-signature"];
    expect(await certify(url)).toEqual({ code: 9, broken, count: 11 });
    expect(await certify(url, "--accept-legacy")).toEqual({ code: 0, broken: [], count: 10 });
  });

  it("reports a receiver that verifies nothing", async () => {
    const { url } = await startReceiver(200);
    expect(await certify(url)).toMatchObject({
      code: 9,
      broken: [
        "refuses bad signatures",
        "refuses a changed body",
        "refuses a delivery without signatures",
        "refuses a delivery with only x-service-signature",
        "refuses a timestamp that is an hour old",
      ],
    });
  });

  it("reports a receiver that fails on a repeated delivery", async () => {
    const { url } = await receiverThat((delivery, ids) => {
      if (!isStandardSigned(delivery)) return 401;
      const id = String(delivery.headers["webhook-id"]);
      const isKnown = ids.has(id);
      ids.add(id);
      return isKnown ? 409 : 200;
    });
    expect((await certify(url)).broken).toEqual(["accepts a repeated delivery"]);
  });

  it("repeats a failed delivery, and reports a receiver that refuses it", async () => {
    const failingOnce = (isSorry: boolean) =>
      receiverThat((delivery, ids) => {
        if (!isStandardSigned(delivery)) return 401;
        const id = String(delivery.headers["webhook-id"]);
        if (ids.has(id)) return isSorry ? 200 : 503;
        ids.add(id);
        return ids.size === 1 ? 500 : 200;
      });
    const { url, deliveries } = await failingOnce(true);
    expect(await certify(url)).toEqual({ code: 0, broken: [], count: 11 });
    const [first, again] = deliveries;
    expect(again?.body).toBe(first?.body);
    expect(again?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    expect(again?.headers["x-service-delivery"]).toBe(first?.headers["x-service-delivery"]);
    const never = await certify((await failingOnce(false)).url);
    expect(never).toMatchObject({ code: 9 });
    expect(never.broken).toContain("accepts a retry after a failed attempt");
  });

  it("reports a receiver that hangs up on a slow body", async () => {
    const server = createServer((request, response) => {
      const cutOff = setTimeout(() => request.destroy(), 300);
      const chunks: Buffer[] = [];
      request.on("data", (chunk) => chunks.push(chunk));
      request.on("error", () => undefined);
      request.on("end", () => {
        clearTimeout(cutOff);
        const body = Buffer.concat(chunks).toString();
        response
          .writeHead(isStandardSigned({ headers: request.headers, body } as Delivery) ? 200 : 401)
          .end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { broken } = await certify(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    server.closeAllConnections();
    server.close();
    expect(broken).toEqual(["accepts a delivery with a slow body"]);
  });

  it("writes its results as a JUnit report", async () => {
    const { url } = await startReceiver(200);
    const words = ["hooks", "certify", `${url}?a=1&b='2'`, "--secret-file", secretFile, "-o", "junit"];
    const { code, stdout, stderr } = await runCommand(words);
    expect([code, stderr]).toEqual([9, ""]);
    const lines = stdout.split("\n");
    expect(lines.slice(0, 3)).toEqual([
      '<?xml version="1.0" encoding="UTF-8"?>',
      expect.stringMatching(
        /^<testsuites name="hooks certify" tests="11" failures="5" errors="0" time="\d+\.\d{3}">$/,
      ),
      expect.stringContaining(`<testsuite name="${url}?a=1&amp;b=&apos;2&apos;" tests="11" failures="5"`),
    ]);
    expect(lines.filter((line) => line.includes("<testcase"))).toHaveLength(11);
    expect(stdout).toMatch(
      /name="refuses bad signatures" time="[\d.]+"><failure message="It answered 200; 401 is the expected refusal."\/><\/testcase>/,
    );
    expect(lines.slice(-3)).toEqual(["  </testsuite>", "</testsuites>", ""]);
  });

  it("reports all rules as broken when the connection is refused", async () => {
    expect(await certify(await unusedUrl())).toMatchObject({ code: 9, broken: { length: 11 } });
  });

  it("refuses an invalid address with exit code 2", async () => {
    const { code } = await runCommand(["hooks", "certify", "localhost", "--secret-file", secretFile]);
    expect(code).toBe(2);
  });
});
