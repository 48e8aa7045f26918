import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { apiVersions } from "../../src/models/api-versions.ts";
import { createHttpClient } from "../support/http-client.ts";
import { serveStore } from "../support/program.ts";
import { initStore } from "../support/program-store.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();

describe("a flood of requests without a valid token", () => {
  it("of 1,200 leaves few lines in the log, which count them all; other callers keep their lines", async () => {
    const { data, headers } = await initStore(join(folder, "flood.db"));
    const server = await serveStore(data, ["--log-level", "info"]);
    let log = "";
    server.child.stderr?.on("data", (chunk) => {
      log += chunk;
    });
    const client = createHttpClient(server.url);
    const flood = Array.from({ length: 1200 }, (_, number) => {
      const authorization = `Bearer dispatch.${number}.${"a".repeat(43)}`;
      const requests = [
        { path: "/jobs", headers: { authorization } },
        { path: `/nowhere/${number}` },
        { method: "DELETE", path: "/jobs", headers: { authorization } },
        { path: "/%ff" },
      ];
      return requests[number % requests.length] ?? { path: "/" };
    });
    const statuses: number[] = [];
    const lanes = Array.from({ length: 30 }, async () => {
      for (let next = flood.pop(); next; next = flood.pop()) statuses.push((await client.send(next)).status);
    });
    await Promise.all(lanes);
    for (let number = 0; number < 150; number++) await client.send({ path: "/jobs", headers });
    await client.close();
    expect(await server.end()).toBe(0);

    const lines = log
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const single = lines.filter(({ msg, token_id }) => msg === "request" && token_id === null);
    const summaries = lines.filter(({ msg }) => msg === "unauthenticated requests");
    expect(single.length).toBeLessThanOrEqual(200);
    expect(summaries.length).toBeGreaterThan(0);
    expect(lines.length - 150).toBeLessThan(300);
    const summed = summaries.reduce<number>((sum, { requests }) => sum + Number(requests), 0);
    expect(single.length + summed).toBe(1200);
    expect(summaries[0]).toMatchObject({
      client_ips: { "127.0.0.1": summaries[0]?.requests },
      other_client_ips: 0,
    });
    const told = single.map(({ status }) => String(status));
    for (const { statuses } of summaries) {
      for (const [status, count] of Object.entries(statuses as Record<string, number>))
        told.push(...Array.from({ length: count }, () => status));
    }
    expect(count(told)).toEqual(count(statuses.map(String)));
    expect(count(told)).toEqual({ 400: 300, 401: 10, 404: 300, 405: 300, 429: 290 });
    const known = lines.filter(
      ({ msg, status, tenant_id: tenant }) => msg === "request" && status === 200 && tenant,
    );
    expect(known).toHaveLength(150);
  });
});

describe("a flood of requests for public pages, sent at once on one connection", () => {
  it.each([
    ["of the reference that do not exist", "/docs/none"],
    ["of the reference", "/docs/conventions"],
    ["as large as the OpenAPI document", "/openapi.json"],
  ])("leaves a caller with a token its answers in between: pages %s", async (_, path) => {
    const { data, headers } = await initStore(join(folder, "pages.db"));
    const server = await serveStore(data);
    const client = createHttpClient(server.url);
    try {
      expect((await client.send({ path: "/jobs", headers })).status).toBe(200);
      const flood = Array.from({ length: 300 }, (_, number) => {
        const version = apiVersions[number % apiVersions.length];
        return `GET ${path}?version=${version} HTTP/1.1\r\nhost: a.example\r\nconnection: ${number < 299 ? "keep-alive" : "close"}\r\n\r\n`;
      });
      const { hostname, port } = new URL(server.url);
      const socket = connect({ host: hostname, port: Number(port) });
      const over = once(socket, "close");
      let isOver = false;
      void over.then(() => {
        isOver = true;
      });
      socket.resume().write(flood.join(""));
      let answered = 0;
      while (!isOver) {
        expect(
          (await client.send({ path: `/jobs?page_limit=${1 + (answered % 100)}`, headers })).status,
        ).toBe(200);
        answered += 1;
      }
      expect(answered).toBeGreaterThan(20);
    } finally {
      await client.close();
      expect(await server.end()).toBe(0);
    }
  });
});

function count(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
