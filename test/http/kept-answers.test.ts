import { expect, it } from "vitest";
import { type Operation, routeOf } from "../../src/core/operation.ts";
import { identifyByToken } from "../../src/http/identify.ts";
import { apiVersions } from "../../src/models/api-versions.ts";
import { loadOperations } from "../../src/operations/index.ts";
import { toEpochMs } from "../../src/runtime/clock.ts";
import type { Json } from "../support/builders.ts";
import { describeFixtureOverHttp, type Fixture } from "../support/fixture.ts";
import type { Harness } from "../support/harness.ts";
import type { HttpClient, WireAnswer, WireRequest } from "../support/http-client.ts";
import { openQuietServer } from "../support/quiet-server.ts";
import { describeOverHttp, freshHarness } from "../support/targets.ts";
import { addToken } from "../support/tenants.ts";
import { toParams, toValidCall } from "../support/valid-call.ts";

describeFixtureOverHttp("a server that caches answers", (fixture) => {
  it("answers every caller like a server without a cache, also a year later", async () => {
    const { harness } = fixture;
    const forgetful = await openQuietServer(harness.service, { answerBytesMax: 0 });
    const callers = await everyCaller(harness);
    // Each path gets a third of the callers, and the next path another third.
    const requests = (await readPaths(fixture)).flatMap((path, at) =>
      callers.filter((_, index) => (index + at) % 3 === 0).map((headers) => ({ path, headers })),
    );
    expect(requests.length).toBeGreaterThan(300);
    const compare = async (order: WireRequest[], truth: Map<WireRequest, unknown>) => {
      const answers = await sendAll(harness, order);
      for (const request of new Set(order))
        expect([request, answers.get(request)]).toEqual([request, truth.get(request)]);
    };
    const truth = await sendAll(forgetful, requests);
    // The callers of a path ask one after another, twice each, so the server caches the answers of all of them.
    await compare([...requests, ...requests.toReversed()], truth);
    // Only the time changes.
    harness.clock.advance(365 * 86_400_000);
    await compare(requests, await sendAll(forgetful, requests));
  });
});

describeOverHttp("a cached answer", (harness) => {
  const path = () => `/locations/${harness.acme.locationId}/trucks`;

  it("is not returned for another method or header", async () => {
    const headers = harness.headersOf("Dispatcher");
    const { authorization = "", "x-tenant-id": tenant = "" } = headers;
    const statusOf = async (request: Omit<WireRequest, "path">) => {
      expect((await harness.send({ path: path(), headers })).status).toBe(200);
      return (await harness.send({ path: path(), ...request })).status;
    };
    for (const version of ["", "undefined", "2019/02/09"])
      expect(await statusOf({ headers: { ...headers, "x-api-version": version } })).toBe(400);
    expect(await statusOf({ headers: { authorization } })).toBe(400);
    expect(await statusOf({ headers: { authorization, "x-tenant-id": "" } })).toBe(400);
    expect(
      await statusOf({ headers: { authorization, "x-tenant-id": String(harness.globex.tenantId) } }),
    ).toBe(403);
    expect(await statusOf({ headers: { "x-tenant-id": tenant } })).toBe(401);
    expect(await statusOf({ headers: { ...headers, authorization: authorization.slice(0, -1) } })).toBe(401);
    expect(await statusOf({ method: "POST", headers, body: "{}" })).toBe(400);
    expect(await statusOf({ method: "PUT", headers })).toBe(405);
  });

  it("has a new request id each time", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => harness.send({ path: path(), headers: harness.headersOf("Admin") })),
    );
    expect(new Set(answers.map(({ headers }) => headers["x-request-id"])).size).toBe(20);
  });

  it("is not returned after the token has expired, although the store has not changed", async () => {
    const own = await freshHarness(harness);
    const expires_on = "2030-01-01T00:00:00";
    const caller = await own.addCaller({ roles: ["Dispatcher"] }, { expires_on });
    const ask = () => own.send({ path: "/jobs", headers: own.headersOf(caller) });
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
    own.clock.advance(10 * 365 * 86_400_000);
    expect((await ask()).status).toBe(401);
  });

  it("does not report an expired token as active", async () => {
    const own = await freshHarness(harness);
    const caller = await own.addCaller({ roles: ["Dispatcher"] }, { expires_on: "2030-01-01T00:00:00" });
    const isActive = async () => {
      const { text } = await own.send({ path: "/tokens", headers: own.headersOf("Admin") });
      const { results } = JSON.parse(text) as { results: { id: number; is_active: boolean }[] };
      return results.find(({ id }) => String(id) === caller.token.split(".")[1])?.is_active;
    };
    expect([await isActive(), await isActive()]).toEqual([true, true]);
    own.clock.advance(10 * 365 * 86_400_000);
    expect(await isActive()).toBe(false);
  });

  it("is not stored if the token was revoked while it was built", async () => {
    const own = await freshHarness(harness);
    const caller = await own.addCaller({ roles: ["Dispatcher"] });
    const identify = identifyByToken(own.service);
    const client = await openQuietServer(own.service, {
      identify: async (request, operation) => {
        const identity = await identify(request, operation);
        const [, id] = caller.token.split(".");
        own.store.update("tokens", Number(id), { revoked_on: "2020-01-01T00:00:00.000000" });
        return identity;
      },
    });
    const ask = async () => (await client.send({ path: "/jobs", headers: own.headersOf(caller) })).status;
    expect([await ask(), await ask()]).toEqual([200, 401]);
  });
});

/** The answers to requests, some of which run at the same time. */
async function sendAll(
  client: Pick<HttpClient, "send">,
  requests: readonly WireRequest[],
): Promise<Map<WireRequest, unknown>> {
  const answers = new Map<WireRequest, unknown>();
  for (let at = 0; at < requests.length; at += atOnce) {
    const send = async (request: WireRequest) =>
      void answers.set(request, toComparable(await client.send(request)));
    await Promise.all(requests.slice(at, at + atOnce).map(send));
  }
  return answers;
}

const atOnce = 16;

async function everyCaller(harness: Harness): Promise<Record<string, string>[]> {
  const { acme, globex, service } = harness;
  const both = await harness.addCaller({ roles: ["Admin", "Dispatcher"] });
  const tokenOf = async (changes: Json) => {
    const { token } = await addToken(service, acme.owner, both.user.username, changes);
    return harness.headersOf({ ...both, token });
  };
  const everyRole = Object.values(acme.callers).map((caller) => harness.headersOf(caller));
  return [
    ...everyRole,
    harness.headersOf(globex.caller),
    // Use a token of one tenant in the other.
    { ...harness.headersOf("Admin"), "x-tenant-id": String(globex.tenantId) },
    { ...harness.headersOf(globex.caller), "x-tenant-id": String(acme.tenantId) },
    harness.headersOf(both),
    await tokenOf({ roles: ["Admin"] }),
    await tokenOf({ roles: ["Dispatcher"] }),
    await tokenOf({ expires_on: new Date(toEpochMs(service.clock.now()) + 86_400_000).toISOString() }),
    await tokenOf({ api_version: "2021/05/07" }),
    ...apiVersions.slice(-2).map((version) => ({ ...harness.headersOf("Admin"), "x-api-version": version })),
    { authorization: "Bearer dispatch.1.wrong", "x-tenant-id": String(acme.tenantId) },
    {},
  ];
}

/** The paths of all reads, with the records of either tenant. */
async function readPaths(fixture: Fixture): Promise<string[]> {
  const reads = (await loadOperations()).filter(isKeptRead);
  return reads.flatMap((operation) =>
    [fixture.own, fixture.foreign].map((ids) => toPath(operation, toParams(operation, ids), fixture)),
  );
}

const isKeptRead = ({ effect, output, reads }: Operation) =>
  effect === "read" && reads.varies !== "by-call" && !("mediaType" in output);

function toPath(operation: Operation, params: Record<string, string | number>, fixture: Fixture): string {
  const path = routeOf(operation).path.replaceAll(/\{(\w+)\}/g, (_, name) => String(params[name]));
  const { query = {} } = toValidCall(operation, fixture);
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return pairs.length === 0 ? path : `${path}?${pairs.join("&")}`;
}

/** Removes the parts that differ each time. */
function toComparable({ headers, status, text }: WireAnswer) {
  const { "x-request-id": id = "", date: _, ...kept } = headers;
  return { headers: kept, status, text: text.replaceAll(id, "") };
}
