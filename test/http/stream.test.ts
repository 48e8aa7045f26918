import { expect, it, onTestFinished } from "vitest";
import { identifyByToken } from "../../src/http/identify.ts";
import { buildServer } from "../../src/http/server.ts";
import { createStreams } from "../../src/http/streams/streams.ts";
import { newestVersion } from "../../src/models/api-versions.ts";
import type { Role } from "../../src/models/user.ts";
import { aTruck } from "../support/builders.ts";
import { crossOrigin } from "../support/cross-origin.ts";
import type { Harness } from "../support/harness.ts";
import { type OpenedStream, openStream } from "../support/stream-client.ts";
import { describeOverHttp, describeOverHttpOnEveryDatabase } from "../support/targets.ts";
import type { Caller } from "../support/tenants.ts";
import { sendKeyed } from "../support/wire-requests.ts";

type Options = Parameters<typeof createStreams>[1];

async function follow(
  origin: string,
  headers: Record<string, string>,
  lastEventId?: string,
  query = "",
): Promise<OpenedStream> {
  const named = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
  const stream = await openStream(`${origin}/stream${query}`, { ...headers, ...named });
  onTestFinished(() => stream.close());
  return stream;
}

/** A server whose streams use the test's clock. */
async function serve(harness: Harness, options: Options = {}) {
  let now = 0;
  let tick = () => {};
  const streams = createStreams(harness.service, {
    ...options,
    nowMs: () => now,
    everyTick: (listener) => {
      tick = listener;
      return () => {};
    },
  });
  const lines: Record<string, unknown>[] = [];
  const server = await buildServer(harness.service, {
    identify: identifyByToken(harness.service),
    log: { write: (line) => void lines.push(JSON.parse(line)) },
    logLevel: "info",
    slowMs: 0,
    streams,
  });
  const origin = await server.listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(() => server.close());
  const pass = (ms: number) => {
    now += ms;
    tick();
  };
  return { lines, origin, pass, server, streams };
}

const makeTruck = (harness: Harness, name?: string) =>
  harness.ok("trucks.create", {
    params: { location_id: harness.acme.locationId },
    body: aTruck(name === undefined ? {} : { name }),
  });

describeOverHttpOnEveryDatabase("GET /stream", (harness) => {
  it("sends each event as a webhook at the newest version would get it", async () => {
    const stream = await follow(harness.origin, harness.headersOf("Dispatcher"));
    await stream.until("\n\n");
    const truck = await makeTruck(harness);
    const { body, id, type } = await stream.next();
    const listed = await harness.ok("events.list", { query: { record: `Truck:${truck.id}` } });
    expect([type, id]).toEqual(["Truck", listed.results[0]?.id]);
    const { created_on: timestamp, ...event } = listed.results[0] ?? {};
    const {
      record_id: _record,
      trace_id: _trace,
      trace_state: _state,
      cause: _cause,
      ...told
    } = { ...event, timestamp } as Record<string, unknown>;
    expect(body).toEqual({ ...told, api_version: "2023/04/19", tenant_id: harness.acme.tenantId });
  });

  it("resumes after the last event, without loss or repetition, however often the connection is lost", async () => {
    const dispatcher = harness.headersOf("Dispatcher");
    const { locationId } = harness.acme;
    const first = await follow(harness.origin, dispatcher);
    await first.until("\n\n");
    let { lastEventId } = first.place();
    first.close();
    const seen: number[] = [];
    const made: number[] = [];
    for (let cuts = 0; cuts < 10; cuts += 1) {
      const stream = await follow(harness.origin, dispatcher, lastEventId ?? "");
      const batch = Array.from({ length: 20 }, () => ({
        method: "POST",
        path: `/locations/${locationId}/trucks`,
        body: aTruck(),
      }));
      const { results } = await harness.ok("batch.run", { body: { operations: batch } });
      made.push(...results.map(({ body }) => (body as { id: number }).id));
      // Each connection delivers some of the events.
      for (let taken = 0; taken < 20 - cuts; taken += 1) {
        const { body, id } = await stream.next();
        seen.push(body.data.id);
        lastEventId = id;
      }
      stream.close();
    }
    const last = await follow(harness.origin, dispatcher, lastEventId ?? "");
    while (seen.length < made.length) seen.push((await last.next()).body.data.id);
    expect(seen).toEqual(made);
  });

  it("reports that the event to resume from is gone, and continues with new events", async () => {
    const gone = "00000000-0000-4000-8000-00000000dead";
    const stream = await follow(harness.origin, harness.headersOf("Dispatcher"), gone);
    expect(await stream.next()).toMatchObject({ type: "Missed", body: { last_event_id: gone } });
    const { id } = await makeTruck(harness);
    expect((await stream.next()).body.data.id).toBe(id);
  });

  it("sends only the wanted kinds and actions, with former values and the cause on request", async () => {
    const { locationId: location_id, tenantId } = harness.acme;
    const admin = harness.callerOf("Admin");
    const { id: truck_id } = await makeTruck(harness, "Truck 8");
    const query = "?events=Truck:updated,Customer&include_cause=true&include_previous=true";
    const stream = await follow(harness.origin, harness.headersOf("Dispatcher"), undefined, query);
    await stream.until("\n\n");
    await makeTruck(harness);
    const path = `/locations/${location_id}/trucks/${truck_id}`;
    const change = { as: admin, method: "PATCH", path, body: { name: "Truck 9" } };
    const { headers } = await sendKeyed(harness, "sync-1", change);
    const { body, type } = await stream.next();
    expect([type, body.action, body.previous]).toEqual(["Truck", "updated", { name: "Truck 8" }]);
    const token_id = expect.any(Number);
    const cause = { idempotency_key: "sync-1", request_id: headers["x-request-id"], token_id };
    expect([body.cause, body.tenant_id]).toEqual([{ ...cause, user_id: admin.user.id }, tenantId]);
    const logged = await harness.ok("events.list", { query: { record: `Truck:${truck_id}` } });
    expect(logged.results.at(-1)?.cause).toEqual(body.cause);
  });

  it("shows nothing of another tenant", async () => {
    const stream = await follow(harness.origin, harness.headersOf(harness.globex.caller));
    await stream.until("\n\n");
    await makeTruck(harness);
    const { locationId } = harness.globex;
    const own = await harness.ok("trucks.create", {
      as: harness.globex.caller,
      params: { location_id: locationId },
      body: aTruck(),
    });
    expect((await stream.next()).body.data.id).toBe(own.id);
  });
});

describeOverHttp("the stream of a server", (harness) => {
  it("has the headers of every answer, and forbids buffering", async () => {
    const headers = { ...harness.headersOf("Driver"), "x-api-version": "2019/02/08" };
    const { headers: answered, status } = await follow(harness.origin, headers);
    expect([status, Object.fromEntries(answered)]).toMatchObject([
      200,
      {
        ...crossOrigin,
        allow: "GET",
        "cache-control": "no-cache",
        "content-type": "text/event-stream",
        "transfer-encoding": "chunked",
        "x-accel-buffering": "no",
        "x-api-version": "2019/02/08",
        "x-request-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    ]);
    expect([answered.get("content-encoding"), answered.get("content-length")]).toEqual([null, null]);
    const head = await harness.send({ method: "HEAD", path: "/stream", headers });
    expect([head.status, head.headers["content-type"], head.text]).toEqual([200, "text/event-stream", ""]);
  });

  it.each([
    ["without a token", { authorization: undefined }, 401, "authorization"],
    ["without a tenant", { "x-tenant-id": undefined }, 400, "x-tenant-id"],
    ["at no version", { "x-api-version": "2020/01/01" }, 400, "x-api-version"],
    ["for who takes no stream", { accept: "application/json" }, 406, "accept"],
    ["behind what is no id", { "last-event-id": "17" }, 400, "last-event-id"],
  ])("is refused %s", async (_, changes, status, field) => {
    const given = { ...harness.headersOf("Dispatcher"), ...changes };
    const headers = Object.fromEntries(
      Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
    const answer = await harness.send({ path: "/stream", headers });
    expect([answer.status, JSON.parse(answer.text).field]).toEqual([status, field]);
  });

  it("refuses parameters that it does not know, and other methods", async () => {
    const send = async (method: string, path: string, as: Role = "Dispatcher") => {
      const headers = harness.headersOf(as);
      const { status, text } = await harness.send({ method, path, headers });
      return [status, JSON.parse(text).code];
    };
    expect(await send("GET", "/stream?type=Job")).toEqual([400, "unknown_parameter"]);
    expect(await send("GET", "/stream?events=Job,Trucks")).toEqual([400, "invalid_choice"]);
    expect(await send("GET", "/stream?include_cause=yes")).toEqual([400, "wrong_type"]);
    expect(await send("GET", "/stream?include_previous=true", "Driver")).toEqual([403, "role_not_allowed"]);
    expect(await send("POST", "/stream")).toEqual([405, "method_not_allowed"]);
  });

  it("sends a heartbeat after 15 s without events", async () => {
    const { origin, pass } = await serve(harness);
    const stream = await follow(origin, harness.headersOf("Dispatcher"));
    await stream.until("\n\n");
    pass(14_999);
    await makeTruck(harness);
    await stream.next();
    expect(stream.text()).not.toContain(": keep-alive");
    pass(15_000);
    await stream.until(": keep-alive");
  });

  const losses: [what: string, token: object, lose: (caller: Caller) => unknown][] = [
    [
      "its token is revoked",
      {},
      async ({ user }) => {
        const { results } = await harness.ok("tokens.list", { as: "Admin", query: { page_limit: 100 } });
        const token = results.find(({ username }) => username === user.username);
        await harness.ok("tokens.revoke", { as: "Admin", params: { token_id: token?.id ?? 0 } });
      },
    ],
    [
      "its token has expired",
      { expires_on: "2026-11-21T13:00:00Z" },
      () => {
        harness.clock.advance(3_600_000);
        onTestFinished(() => harness.clock.advance(-3_600_000));
      },
    ],
    ["its user is deactivated", {}, ({ user }) => updateUser(user.id, { is_active: false })],
  ];

  const updateUser = (userId: number, body: object) =>
    harness.ok("users.update", {
      as: "Admin",
      params: { location_id: harness.acme.locationId, user_id: userId },
      body: body as never,
    });

  it.each(losses)("ends within a second after %s, and sends nothing from then on", async (_, token, lose) => {
    const { origin, pass, streams } = await serve(harness);
    const caller: Caller = await harness.addCaller({ roles: ["Dispatcher"] }, token as never);
    const stream = await follow(origin, harness.headersOf(caller));
    await stream.until("\n\n");
    await lose(caller);
    await makeTruck(harness);
    pass(1000);
    expect(await stream.rest()).toEqual([]);
    expect(streams.read()).toMatchObject({ open: 0, ended: { access: 1 } });
  });

  it("uses the current roles of its user", async () => {
    const { origin, pass } = await serve(harness);
    const caller: Caller = await harness.addCaller({ roles: ["ClientCustomer", "Dispatcher"] });
    const stream = await follow(origin, harness.headersOf(caller));
    await stream.until("\n\n");
    await updateUser(caller.user.id, { roles: ["ClientCustomer"] });
    const hidden = await makeTruck(harness);
    const { results } = await harness.ok("events.list", { query: { record: `Truck:${hidden.id}` } });
    // A heartbeat names the skipped events.
    const beating = setInterval(() => pass(15_000), 20);
    await stream.until(results[0]?.id ?? "");
    clearInterval(beating);
    await updateUser(caller.user.id, { roles: ["Dispatcher"] });
    const seen = await makeTruck(harness);
    expect((await stream.next()).body.data.id).toBe(seen.id);
  });

  it("ends when the server closes, with a time to reconnect", async () => {
    const { origin, server, streams } = await serve(harness);
    const stream = await follow(origin, harness.headersOf("Dispatcher"));
    await stream.until("\n\n");
    const closed = server.close();
    expect(await stream.rest()).toEqual([]);
    await closed;
    expect(stream.place().retryMs).toBeGreaterThan(0);
    expect(streams.read()).toMatchObject({ open: 0, ended: { server: 1 } });
  });

  it("is logged when it ends, and not as a slow request", async () => {
    const { lines, origin, streams } = await serve(harness);
    const stream = await follow(origin, harness.headersOf("Dispatcher"));
    await stream.until("\n\n");
    const ofStream = () => lines.filter(({ path }) => path === "/stream");
    expect(ofStream()).toEqual([]);
    const bytes = stream.text().length;
    stream.close();
    await expect
      .poll(ofStream)
      .toMatchObject([
        { msg: "request", bytes, operation: "stream", status: 200, tenant_id: harness.acme.tenantId },
      ]);
    expect(streams.read().ended).toMatchObject({ client: 1 });
  });

  it("is cut off if its client reads nothing for 15 s, and buffers at most one batch of events until then", async () => {
    let now = 0;
    let tick = () => {};
    const streams = createStreams(harness.service, {
      nowMs: () => now,
      everyTick: (listener) => {
        tick = listener;
        return () => {};
      },
    });
    const { actor } = { actor: harness.acme.owner };
    const stream = streams.open(
      { tenantId: actor.scope.tenantId, tokenId: null },
      {
        again: async () => actor,
        head: 0,
        missedId: null,
        onFault: (error) => expect.fail(String(error)),
        place: { number: 0, uuid: "00000000-0000-0000-0000-000000000000" },
        requestId: harness.service.makeUuid(),
        service: harness.service,
        shown: {
          apiVersion: newestVersion,
          includesCause: false,
          includesPrevious: false,
          wants: () => true,
        },
        turn: { leave: () => undefined, take: () => undefined },
      },
    );
    const sent: string[] = [];
    const ends: unknown[] = [];
    stream.start({
      // The socket's buffer is full after the first event.
      write: (text) => sent.push(text) === 1,
      onDrain: () => undefined,
      onClose: () => undefined,
      end: (options) => void ends.push(options),
    });
    await expect.poll(() => sent.length).toBeGreaterThan(1);
    const before = sent.length;
    await makeTruck(harness);
    for (const ms of [14_000, 999]) {
      now += ms;
      tick();
    }
    expect([sent.length, ends]).toEqual([before, []]);
    now += 1;
    tick();
    expect([sent.length, ends]).toEqual([before, [{ cut: true }]]);
  });

  it("counts against the limits of a token, a tenant, and a process", async () => {
    const { origin } = await serve(harness, { limits: { perProcess: 3, perTenant: 2, perToken: 1 } });
    const open = async (headers: Record<string, string>) => {
      const stream = await follow(origin, headers);
      await stream.until(stream.status === 200 ? "\n\n" : "}");
      return stream.status === 200 ? 200 : [stream.status, JSON.parse(stream.text()).code];
    };
    expect(await open(harness.headersOf("Dispatcher"))).toBe(200);
    expect(await open(harness.headersOf("Dispatcher"))).toEqual([429, "rate_limited"]);
    expect(await open(harness.headersOf("Admin"))).toBe(200);
    expect(await open(harness.headersOf("CrmUser"))).toEqual([429, "rate_limited"]);
    expect(await open(harness.headersOf(harness.globex.caller))).toBe(200);
    const other = await harness.addCaller({ roles: ["Driver"] });
    expect(await open(harness.headersOf(other))).toEqual([503, "overloaded"]);
  });
});
