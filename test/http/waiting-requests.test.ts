import { expect, it, onTestFinished, vi } from "vitest";
import { createHandler } from "../../src/http/handler.ts";
import { identifyByToken } from "../../src/http/identify.ts";
import { aCustomer, anAddress, aTruck } from "../support/builders.ts";
import type { Harness } from "../support/harness.ts";
import { describeOverHttp } from "../support/targets.ts";

/** Blocks until this turn of the event loop may not start further requests, on any machine. */
function endTurn(): void {
  const beganAt = performance.now();
  while (performance.now() - beganAt < 10);
}

describeOverHttp("a server with more requests than it answers at once", (harness: Harness) => {
  /** Opens a handler. `leave` closes the connections of the sent requests. */
  async function openHandler() {
    const handle = await createHandler(harness.service, { identify: identifyByToken(harness.service) });
    const faults: unknown[] = [];
    let connections = { areClosed: false };
    const ask = async (url: string, body?: unknown) => {
      const { areClosed } = connections;
      const own = connections;
      expect(areClosed).toBe(false);
      const request = {
        client: { address: "192.0.2.1", isKnown: false, isGone: () => own.areClosed },
        headers: { ...harness.headersOf("Dispatcher"), "content-type": "application/json" },
        id: "of the test",
        method: body === undefined ? "GET" : "POST",
        readBody: async () => Buffer.from(JSON.stringify(body)),
        url,
      };
      return (await handle(request, (error) => faults.push(error))).status;
    };
    const leave = () => {
      connections.areClosed = true;
      connections = { areClosed: false };
    };
    return { ask, faults, leave };
  }

  const trucks = () => `/locations/${harness.acme.locationId}/trucks`;
  const readMany = (ask: (url: string) => Promise<number>, count: number) =>
    Array.from({ length: count }, (_, number) => ask(`/jobs?order=id&page_after=${number}`));

  it("returns a large cached answer, however many requests of the tenant wait", async () => {
    const { ask, faults } = await openHandler();
    const { locationId } = harness.acme;
    const addresses = Array.from({ length: 250 }, () => anAddress());
    const { id } = await harness.ok("customers.create", {
      params: { location_id: locationId },
      body: aCustomer({ addresses }),
    });
    const large = `/locations/${locationId}/customers/${id}`;
    expect(await ask(large)).toBe(200);
    const first = ask("/jobs");
    endTurn();
    const others = readMany(ask, 1100);
    expect(await ask(large)).toBe(200);
    expect(await first).toBe(200);
    expect(await Promise.all(others)).toContain(503);
    expect(faults).toEqual([]);
  });

  it.each(["/whoami", "/docs", "/docs/none", "/openapi.json", "/llms.txt", "/board", "/stream"])(
    "queues %s with the others, and refuses it when too many wait; health pages never wait",
    async (page) => {
      const { ask, faults } = await openHandler();
      const first = ask("/whoami");
      endTurn();
      const asked = Array.from({ length: 1100 }, () => ask(page));
      const health = await Promise.all(Array.from({ length: 1100 }, () => ask("/healthz")));
      expect(new Set(health)).toEqual(new Set([200]));
      expect(await Promise.all([first, ...asked])).toContain(503);
      expect([await ask("/whoami"), faults]).toEqual([200, []]);
    },
  );

  it("does nothing for clients that disconnected while they waited", async () => {
    const { ask, leave } = await openHandler();
    const before = await harness.ok("events.list", { as: "Admin" });
    const first = ask("/jobs");
    endTurn();
    const others = readMany(ask, 20);
    const sent = Array.from({ length: 20 }, () => ask(trucks(), aTruck()));
    leave();
    expect(await first).toBe(200);
    expect(new Set(await Promise.all([...others, ...sent]))).toEqual(new Set([400]));
    expect(await ask(trucks())).toBe(200);
    expect(await harness.ok("events.list", { as: "Admin" })).toEqual(before);
  });

  it("reuses the places of disconnected clients, also for pages", async () => {
    // With real time, more requests would start after a while than there are places.
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { ask, leave } = await openHandler();
    expect(await ask("/jobs")).toBe(200);
    const first = ask("/jobs");
    endTurn();
    const others = Array.from({ length: 20 }, () => ask("/whoami"));
    leave();
    expect(await first).toBe(200);
    expect(new Set(await Promise.all(others))).toEqual(new Set([400]));
    expect(await ask("/whoami")).toBe(200);
  });
});
