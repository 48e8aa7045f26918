import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { takeBaseline } from "../../../src/core/baseline.ts";
import { openService } from "../../../src/core/open-service.ts";
import type { RunningServer } from "../../../src/core/server-factory.ts";
import { setUpTenant } from "../../../src/core/setup.ts";
import { clientOf, makeOwnerToken } from "../../../src/http/local-client.ts";
import { startServer } from "../../../src/http/serve.ts";
import { startTestServer, type TestServer } from "../../../src/library/index.ts";
import { makeSandbox } from "../../../src/store/store-clock.ts";
import { runCommand } from "../../support/command-line.ts";
import { toEnv, toSender } from "../../support/sandbox-client.ts";
import { useTempFolder } from "../../support/temp-folder.ts";

const folder = useTempFolder();

type Facts = Pick<TestServer, "locationId" | "tenantId" | "token" | "url">;

interface Kind {
  facts: Facts;
  close(): Promise<void>;
}

async function serveMemory(): Promise<Kind> {
  const facts = await startTestServer();
  return { facts, close: facts.close };
}

async function serveFile(): Promise<Kind> {
  const options = { data: join(folder, "sandbox.db") };
  const service = openService({ ...options, create: true });
  await makeSandbox(service);
  const owner = await setUpTenant(service, "Acme", { username: "owner", uid: service.makeUuid() });
  const { id } = await clientOf(service, owner).call("locations.create", { body: { name: "Yard" } });
  const { tenantId } = owner.scope;
  const token = await makeOwnerToken(service, tenantId, "test");
  const baseline = await takeBaseline(service, options);
  const server: RunningServer = await startServer(service, {
    delivers: false,
    host: "127.0.0.1",
    log: { write: () => undefined },
    logLevel: "silent",
    port: 0,
    restore: baseline && (() => baseline.restore()),
  });
  return {
    facts: { locationId: id, tenantId, token, url: server.url },
    async close() {
      await server.close(0);
      await server.service().store.close();
    },
  };
}

describe.each([
  ["memory", serveMemory],
  ["a file", serveFile],
])("POST /sandbox/reset of a store in %s", (_name, serve) => {
  let kind: Kind;
  let send: ReturnType<typeof toSender>;

  beforeAll(async () => {
    kind = await serve();
    send = toSender(kind.facts);
  });

  afterAll(() => kind.close());

  it("resets records, ids, webhooks, tokens and the clock; the token of the caller still works", async () => {
    const trucks = `/locations/${kind.facts.locationId}/trucks`;
    const before = await send("GET", "/hooks");
    const { id } = (await send("POST", trucks, { name: "Before" })).body;
    const hook = { api_version: "2023/04/19", events: ["Truck"], url: "http://127.0.0.1:9/" };
    expect(await send("POST", "/hooks", hook)).toMatchObject({ status: 200 });
    const later = (await send("POST", "/tokens", { name: "later", username: "owner" })).body.token;
    expect(await send("PUT", "/sandbox/clock", { advance: "3d" })).toMatchObject({ status: 200 });

    expect(await send("POST", "/sandbox/reset")).toMatchObject({ status: 200, body: { offset_ms: 0 } });

    expect((await send("GET", trucks)).body.results).toEqual([]);
    expect((await send("GET", "/hooks")).body).toEqual(before.body);
    expect(await send("GET", "/jobs", undefined, { authorization: `Bearer ${later}` })).toMatchObject({
      status: 401,
    });
    expect((await send("POST", trucks, { name: "After" })).body.id).toBe(id);
    expect((await send("GET", "/sandbox/requests.har")).body.log.entries.length).toBeLessThan(10);
  });

  it("answers requests during a reset from the old or the new store, and allows several resets at once", async () => {
    const resets = Array.from({ length: 5 }, () => send("POST", "/sandbox/reset"));
    const reads = Array.from({ length: 30 }, () => send("GET", "/jobs"));
    const statuses = (await Promise.all([...resets, ...reads])).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it("moves its clock on request, and refuses a time that it cannot represent", async () => {
    const set = await send("PUT", "/sandbox/clock", { now: "2031-02-03T04:05:06Z" });
    expect(set.body.store_time).toMatch(/^2031-02-03T04:05:06/);
    expect((await send("PUT", "/sandbox/clock", { advance: "3d" })).body.store_time).toMatch(/^2031-02-06/);
    const hostile = [
      {},
      [],
      { advance: "3d", now: "2031-02-03T04:05:06Z" },
      { advance: "-3d" },
      { advance: "soon" },
      { advance: `${"9".repeat(40)}d` },
      { advance: 3 },
      { now: "tomorrow" },
      { now: "1969-12-31T23:59:59Z" },
      { now: "9999-12-31T00:00:00Z" },
      { now: null },
      { reset: false },
      { reset: "yes please" },
      { other: 1 },
    ];
    const clock = await send("GET", "/sandbox/clock");
    for (const body of hostile) {
      const { status } = await send("PUT", "/sandbox/clock", body);
      expect([body, status >= 400 && status < 500]).toEqual([body, true]);
    }
    expect((await send("GET", "/sandbox/clock")).body.offset_ms).toBe(clock.body.offset_ms);
    expect(await send("PUT", "/sandbox/clock", { reset: true })).toMatchObject({ body: { offset_ms: 0 } });
  });

  it("reads typed times by its clock", async () => {
    expect((await send("GET", "/jobs")).headers.get("x-sandbox-clock-offset")).toBeNull();
    await send("PUT", "/sandbox/clock", { now: "2031-02-03T12:00:00Z" });
    expect(Number((await send("GET", "/jobs")).headers.get("x-sandbox-clock-offset"))).toBeGreaterThan(0);
    const { code, stderr } = await runCommand(["jobs", "list", "--from", "tomorrow", "-o", "json"], {
      env: toEnv(kind.facts),
    });
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    const { entries } = (await send("GET", "/sandbox/requests.har")).body.log;
    const asked = entries.map(({ request }: { request: { url: string } }) => decodeURIComponent(request.url));
    expect(asked.filter((url: string) => url.includes("2031-02-04"))).toHaveLength(1);
  });
});
