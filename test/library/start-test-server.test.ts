import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../src/library/index.ts";
import { systemClock } from "../../src/runtime/clock.ts";
import { nodeHmac } from "../../src/webhooks/hmac-node.ts";
import { verifyDelivery } from "../../src/webhooks/verify.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ now: "2026-03-02T08:00:00Z" });
});

afterAll(() => server.close());

async function send(
  method: string,
  path: string,
  body?: unknown,
  own = server,
  headers: Record<string, string> = {},
) {
  const answer = await fetch(own.url + path, {
    method,
    headers: {
      authorization: `Bearer ${own.token}`,
      "content-type": "application/json",
      "x-api-version": "2023/04/19",
      "x-tenant-id": String(own.tenantId),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, headers: answer.headers, body: toJson(await answer.text()) };
}

/** Tests read fields that they know to exist. */
// biome-ignore lint/suspicious/noExplicitAny: as above
const toJson = (text: string): any => JSON.parse(text);

const makeTruck = (name: string, own = server) =>
  send("POST", `/locations/${own.locationId}/trucks`, { name }, own);

describe("startTestServer", () => {
  it("serves an empty tenant with a location, whose owner may do what Admins and Dispatchers may", async () => {
    expect(await send("GET", "/jobs")).toMatchObject({ status: 200, body: { total_count: 0 } });
    expect(await send("GET", "/locations")).toMatchObject({ body: { results: [{ id: server.locationId }] } });
    expect(await send("GET", "/whoami")).toMatchObject({ body: { roles: ["Admin", "Dispatcher"] } });
  });

  it("returns the events of its webhook in order, each with a valid signature", async () => {
    await makeTruck("First");
    await makeTruck("Second");
    const first = await server.events.next({ type: "Truck" });
    const second = await server.events.next();
    expect(
      [first, second].map(({ action, data, type }) => [type, action, (data as { name?: string }).name]),
    ).toEqual([
      ["Truck", "created", "First"],
      ["Truck", "created", "Second"],
    ]);
    const headers = Object.fromEntries(
      Object.entries(second.headers).map(([name, value]) => [name, String(value)]),
    );
    const caught = {
      headers,
      body: Buffer.from(second.body),
      acceptsLegacy: false,
      secrets: [{ name: "own", text: server.events.secret }],
      now: systemClock.now(),
      toleranceMs: 300_000,
    };
    const report = verifyDelivery(caught, nodeHmac);
    expect(report.holds).toBe(true);
  });

  it("lists the received events when the expected one is missing", async () => {
    await makeTruck("Third");
    const wait = server.events.next({ type: "Job", timeoutMs: 300 });
    await expect(wait).rejects.toThrow(
      /^No Job came within 300 ms\. What came instead: Truck \d+ created\.$/,
    );
  });

  it("uses a clock that a test can set and move", async () => {
    const readClock = async () => (await send("GET", "/sandbox/clock")).body.store_time.slice(0, 16);
    expect(await readClock()).toBe("2026-03-02T08:00");
    await server.clock.advance("3d");
    expect(await readClock()).toBe("2026-03-05T08:00");
    await server.clock.set(new Date("2027-01-01T00:00:00Z"));
    expect(await readClock()).toBe("2027-01-01T00:00");
    await expect(server.clock.advance("soon")).rejects.toThrow("3d, not soon");
    await expect(startTestServer({ now: "soon" })).rejects.toThrow("now must be a Date");
  });

  it("returns an event once, even if the clock moves right after the event", async () => {
    const own = await startTestServer();
    try {
      const moves: (() => Promise<unknown>)[] = [
        () => own.clock.advance("3d"),
        () => own.clock.set("2040-01-01T00:00:00Z"),
        () => send("PUT", "/sandbox/clock", { advance: "3d" }, own),
      ];
      const names: unknown[] = [];
      for (const [index, move] of moves.entries()) {
        await makeTruck(`Truck ${index}`, own);
        names.push((await own.events.next()).data);
        await move();
      }
      await makeTruck("Last", own);
      names.push((await own.events.next()).data);
      expect(names).toMatchObject(["Truck 0", "Truck 1", "Truck 2", "Last"].map((name) => ({ name })));
    } finally {
      await own.close();
    }
  });

  it("returns to its start after a reset: records, ids, clock and events", async () => {
    const { id } = (await makeTruck("Before")).body;
    await server.reset();
    expect(await send("GET", `/locations/${server.locationId}/trucks`)).toMatchObject({
      body: { total_count: 0 },
    });
    expect((await send("GET", "/sandbox/clock")).body.store_time).toMatch(/^2026-03-02T08:00/);
    const again = await makeTruck("After");
    expect(again.body.id).toBeLessThan(id);
    expect(await server.events.next()).toMatchObject({ data: { name: "After" } });
    // The reset drops stored idempotent answers.
    expect(await send("GET", `/locations/${server.locationId}/trucks/${again.body.id}`)).toMatchObject({
      body: { name: "After" },
    });
  });

  it("refuses an unknown option and an unknown kind of event at once", async () => {
    const unknown: object = { clock: "2026-03-02T08:00:00Z" };
    await expect(startTestServer(unknown)).rejects.toThrow(
      "startTestServer takes demo, now, port, not clock.",
    );
    const next: (wanted: object) => Promise<unknown> = server.events.next;
    await expect(next({ type: "Trucks" })).rejects.toThrow(
      "type must be one of Ping, Customer, CustomerLocation, Job, Truck, not Trucks.",
    );
  });

  it("refuses calls after it is closed, with an error", async () => {
    const own = await startTestServer();
    await own.close();
    await own.close();
    await expect(own.reset()).rejects.toThrow("This test server was closed.");
    await expect(own.clock.advance("1d")).rejects.toThrow("This test server was closed.");
    await expect(own.clock.set("2030-01-01T00:00:00Z")).rejects.toThrow("This test server was closed.");
    await expect(own.events.next()).rejects.toThrow("No event came before the server was closed.");
  });

  it("runs next to others with the records of the demo, and they do not affect each other", async () => {
    const [one, other] = await Promise.all([
      startTestServer({ demo: true }),
      startTestServer({ demo: true }),
    ]);
    try {
      expect(await send("GET", "/customers", undefined, one)).toMatchObject({ body: { total_count: 132 } });
      await makeTruck("Own", one);
      expect((await send("GET", "/locations/1/trucks", undefined, one)).body.total_count).toBe(
        (await send("GET", "/locations/1/trucks", undefined, other)).body.total_count + 1,
      );
    } finally {
      await Promise.all([one.close(), other.close()]);
    }
    await expect(fetch(one.url)).rejects.toThrow();
  });
});
