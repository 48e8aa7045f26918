import { describe, expect, it } from "vitest";
import type { RateLimit } from "../../src/core/server-factory.ts";
import type { Service } from "../../src/core/service.ts";
import { DispatchError } from "../../src/errors/errors.ts";
import { createRateLimits } from "../../src/http/rate-limits.ts";
import { aTruck } from "../support/builders.ts";
import type { Harness } from "../support/harness.ts";
import { openQuietServer } from "../support/quiet-server.ts";
import { describeOverHttpOnEveryDatabase } from "../support/targets.ts";

function openLimits(limit: RateLimit) {
  const clock = { ms: 5000 };
  const limits = createRateLimits(limit, () => clock.ms);
  /** Returns the RateLimit header, and the seconds to wait after a refusal. */
  const take = (token: number) => {
    const client = { address: null, isKnown: true, quota: "" };
    try {
      limits.take(token, client);
      return [client.quota];
    } catch (error) {
      if (error instanceof DispatchError && error.code === "rate_limited")
        return [client.quota, error.retryAfterSeconds];
      throw error;
    }
  };
  const takeAll = (token: number) => {
    let taken = 0;
    while (limits.takes(token, { address: null, isKnown: true })) taken += 1;
    return taken;
  };
  return { clock, limits, take, takeAll };
}

describe("a token's requests", () => {
  it("allow a burst at once, with the rest in a header; then each request waits for a returned token", () => {
    const { clock, take } = openLimits({ perSecond: 2, burst: 3 });
    expect([take(1), take(1), take(1), take(1)]).toEqual([
      ['"token";r=2'],
      ['"token";r=1'],
      ['"token";r=0;t=1'],
      ['"token";r=0;t=1', 1],
    ]);
    clock.ms += 499;
    expect(take(1)).toEqual(['"token";r=0;t=1', 1]);
    clock.ms += 1;
    expect([take(1), take(1)]).toEqual([['"token";r=0;t=1'], ['"token";r=0;t=1', 1]]);
  });

  it.each([1, 3, 7, 100, 999_999])("return at %i a second, and never exceed the burst", (perSecond) => {
    const { clock, takeAll } = openLimits({ perSecond, burst: 1000 });
    expect(takeAll(1)).toBe(1000);
    let taken = 0;
    for (let second = 0; second < 20; second++) {
      clock.ms += 1000;
      taken += takeAll(1);
    }
    expect(taken).toBe(20 * Math.min(perSecond, 1000));
    clock.ms += 3_600_000;
    expect(takeAll(1)).toBe(1000);
  });

  it("are not used up by refused requests", () => {
    const { clock, take, takeAll } = openLimits({ perSecond: 1, burst: 5 });
    takeAll(1);
    for (let refused = 0; refused < 1000; refused++) take(1);
    clock.ms += 5000;
    expect(takeAll(1)).toBe(5);
  });

  it("belong to one token, and are forgotten after 10,000 other tokens, so that memory is limited", () => {
    const { takeAll } = openLimits({ perSecond: 1, burst: 2 });
    expect([takeAll(1), takeAll(2), takeAll(1)]).toEqual([2, 2, 0]);
    for (let other = 0; other < 10_000; other++) takeAll(10 + other);
    expect(takeAll(1)).toBe(2);
  });

  it.each([
    [{ perSecond: 100, burst: 200 }, '"token";q=200;w=2'],
    [{ perSecond: 3, burst: 10 }, '"token";q=10;w=4'],
    [{ perSecond: 10, burst: 1 }, '"token";q=1;w=1'],
  ])("(%j) have the policy %s", (limit, policy) => {
    expect(createRateLimits(limit).policy).toBe(policy);
  });
});

async function openServer(service: Service, limit: RateLimit) {
  const { clock, limits } = openLimits(limit);
  return { client: await openQuietServer(service, { rateLimits: limits }), clock };
}

const policy = '"token";q=3;w=3';

describeOverHttpOnEveryDatabase("a server that limits each token", (harness: Harness) => {
  const open = () => openServer(harness.service, { perSecond: 1, burst: 3 });

  it.each([
    ["a kept answer", "/jobs"],
    ["a new answer", "/hooks"],
    ["/whoami", "/whoami"],
  ])("allows the burst, refuses the next request, and continues with time: %s", async (_, path) => {
    const { client, clock } = await open();
    const headers = harness.headersOf("Admin");
    const ask = async () => {
      const { headers: told, status } = await client.send({ path, headers });
      return [status, told.ratelimit, told["ratelimit-policy"], told["retry-after"]];
    };
    expect([await ask(), await ask(), await ask(), await ask(), await ask()]).toEqual([
      [200, '"token";r=2', policy, undefined],
      [200, '"token";r=1', policy, undefined],
      [200, '"token";r=0;t=1', policy, undefined],
      [429, '"token";r=0;t=1', policy, "1"],
      [429, '"token";r=0;t=1', policy, "1"],
    ]);
    clock.ms += 2000;
    expect([await ask(), await ask(), await ask()].map(([status]) => status)).toEqual([200, 200, 429]);
  });

  it("refuses before any other work, in the format of every error, and counts requests that fail later", async () => {
    const { client } = await open();
    const known = harness.headersOf("Dispatcher");
    const headers = { ...known, "content-type": "application/json" };
    const path = `/locations/${harness.acme.locationId}/trucks`;
    const create = (body: unknown) =>
      client.send({ method: "POST", path, headers, body: JSON.stringify(body) });
    const noTenant = { authorization: known.authorization ?? "" };
    const failed = [
      await create({}),
      await client.send({ path: "/jobs", headers: noTenant }),
      await client.send({ path: "/hooks/999999", headers }),
    ];
    expect(failed.map(({ headers: told, status }) => [status, told.ratelimit])).toEqual([
      [400, '"token";r=2'],
      [400, '"token";r=1'],
      [404, '"token";r=0;t=1'],
    ]);
    const before = harness.store.rowCounts();
    const refused = await create(aTruck({ name: "Too much" }));
    expect(refused.status).toBe(429);
    expect(JSON.parse(refused.text)).toMatchObject({ code: "rate_limited", field: null, status: 429 });
    expect(harness.store.rowCounts()).toEqual(before);
  });

  it("does not limit other tokens of the tenant, health pages, OPTIONS, and requests without a token", async () => {
    const { client } = await open();
    const headers = harness.headersOf("Dispatcher");
    const ask = async (path: string, sent: Record<string, string>, method = "GET") => {
      const { headers: told, status } = await client.send({ method, path, headers: sent });
      return [status, told.ratelimit];
    };
    for (let made = 0; made < 3; made++) await ask("/jobs", headers);
    expect(await ask("/jobs", headers)).toEqual([429, '"token";r=0;t=1']);
    expect(await ask("/jobs", harness.headersOf("Admin"))).toEqual([200, '"token";r=2']);
    const other = await harness.addCaller({ roles: ["Dispatcher"] });
    expect(await ask("/jobs", harness.headersOf(other))).toEqual([200, '"token";r=2']);
    for (const path of ["/healthz", "/readyz", "/openapi.json"])
      for (let made = 0; made < 5; made++) expect(await ask(path, headers)).toEqual([200, undefined]);
    expect(await ask("/jobs", headers, "OPTIONS")).toEqual([200, undefined]);
    expect(await ask("/jobs", {})).toEqual([401, undefined]);
  });

  it("does not count invalid tokens, and answers them 401 every time", async () => {
    const { client } = await open();
    const caller = await harness.addCaller({ roles: ["Dispatcher"] });
    const headers = harness.headersOf(caller);
    const wrong = { ...headers, authorization: `Bearer ${caller.token.slice(0, -1)}` };
    for (let made = 0; made < 6; made++) {
      const { headers: told, status } = await client.send({ path: "/jobs", headers: wrong });
      expect([status, told.ratelimit, told["ratelimit-policy"]]).toEqual([401, undefined, undefined]);
    }
    expect((await client.send({ path: "/jobs", headers })).headers.ratelimit).toBe('"token";r=2');
  });

  it("sends no headers without a limit", async () => {
    const { headers } = await harness.send({ path: "/jobs", headers: harness.headersOf("Dispatcher") });
    expect([headers.ratelimit, headers["ratelimit-policy"]]).toEqual([undefined, undefined]);
  });
});
