import { beforeEach, expect, it } from "vitest";
import { createClient, type NewestVersion, type StreamEvent } from "../../src/library/index.ts";
import { aTruck } from "../support/builders.ts";
import type { Harness } from "../support/harness.ts";
import { serveQuietly } from "../support/quiet-server.ts";
import { skipPauses } from "../support/skip-pauses.ts";
import { describeOverHttp } from "../support/targets.ts";

// The client pauses a second before each new connection.
beforeEach(() => void skipPauses());

/**
 * A network that breaks each connection of a stream after this many events. `toOrigin` returns the current address of
 * the server.
 */
function brittleFetch(toOrigin: () => string, eventsMax: number) {
  const network = { connections: 0 };
  const brittle: typeof fetch = async (url, init) => {
    network.connections += 1;
    const answer = await fetch(String(url).replace("http://server.test", toOrigin()), init);
    if (!answer.body || answer.status !== 200) return answer;
    return new Response(ReadableStream.from(breakAfter(eventsMax, answer.body)), answer);
  };
  return { fetch: brittle, network };
}

/** Passes on one block at a time, so that the client reads all events before the break. */
async function* breakAfter(eventsMax: number, body: ReadableStream<Uint8Array>) {
  let events = 0;
  for await (const bytes of body) {
    for (const block of new TextDecoder().decode(bytes).split(/(?<=\n\n)/)) {
      yield new TextEncoder().encode(block);
      if (block.startsWith("event: ")) events += 1;
      if (events === eventsMax) throw new TypeError("The connection is cut.");
    }
  }
}

const toClient = (harness: Harness, toFetch: typeof fetch) => {
  const { tenantId, token } = harness.callerOf("Dispatcher");
  return createClient({ fetch: toFetch, tenant: tenantId, token, url: "http://server.test" });
};

async function makeTrucks(harness: Harness, count: number): Promise<number[]> {
  const path = `/locations/${harness.acme.locationId}/trucks`;
  const operations = Array.from({ length: count }, () => ({ method: "POST", path, body: aTruck() }));
  const { results } = await harness.ok("batch.run", { body: { operations } });
  return results.map(({ body }) => (body as { id: number }).id);
}

const idOf = (event: StreamEvent<NewestVersion>) => (event.type === "Missed" ? null : event.data.id);

describeOverHttp("client.stream", (harness) => {
  it("returns every event once and in order, across ten lost connections and a server restart", async () => {
    let server = await serveQuietly(harness.service);
    const { fetch: brittle, network } = brittleFetch(() => server.origin, 19);
    const states: boolean[] = [];
    const ended = new AbortController();
    const stream = toClient(harness, brittle).stream({
      signal: ended.signal,
      onConnection: (isConnected) => states.push(isConnected),
    });
    // The stream has no events yet, so it has no position to start from.
    const first = stream.next();
    await expect.poll(() => states).toEqual([true]);
    const made = await makeTrucks(harness, 100);
    const seen = [(await first).value].map((event) => idOf(event as StreamEvent<NewestVersion>));
    for await (const event of stream) {
      seen.push(idOf(event));
      if (seen.length === 100) {
        const old = server;
        server = await serveQuietly(harness.service);
        await old.close();
        made.push(...(await makeTrucks(harness, 100)));
      }
      if (seen.length === 200) break;
    }
    expect(seen).toEqual(made);
    expect(network.connections).toBeGreaterThan(10);
    expect(states.at(-1)).toBe(false);
    ended.abort();
  });

  it("recognizes the changes of its own token among the wanted events", async () => {
    const { tenantId, token } = harness.callerOf("Dispatcher");
    const client = createClient({ tenant: tenantId, token, url: harness.origin });
    let isOpen = false;
    const stream = client.stream({
      events: ["Truck:created"],
      includeCause: true,
      onConnection: () => {
        isOpen = true;
      },
    });
    const first = stream.next();
    await expect.poll(() => isOpen).toBe(true);
    await harness.ok("customers.update", {
      params: { customer_id: harness.acme.customerId },
      body: { name: "A" },
    });
    const params = { location_id: harness.acme.locationId };
    await client.trucks.create({ params, body: { name: "Truck 7" }, idempotencyKey: "mine" });
    const { value: event } = await first;
    expect(event).toMatchObject({ type: "Truck", cause: { idempotency_key: "mine" } });
    await stream.return();
  });

  it("throws refusals, with the code of the answer", async () => {
    const { tenantId } = harness.callerOf("Dispatcher");
    const client = createClient({ tenant: tenantId, token: "dispatch.1.wrong", url: harness.origin });
    await expect(client.stream().next()).rejects.toMatchObject({ code: "unauthenticated", status: 401 });
  });

  it("ends with the reason of the signal, also if fetch ignores the signal after its answer", async () => {
    const { tenantId, token } = harness.callerOf("Dispatcher");
    const deaf: typeof fetch = (url, { signal: _, ...init } = {}) => fetch(url, init);
    const client = createClient({ fetch: deaf, tenant: tenantId, token, url: harness.origin });
    const ended = new AbortController();
    let isOpen = false;
    const onConnection = () => {
      isOpen = true;
    };
    const next = client.stream({ signal: ended.signal, onConnection }).next();
    await expect.poll(() => isOpen).toBe(true);
    ended.abort(new Error("enough"));
    await expect(next).rejects.toThrow("enough");
  });

  it("ends with the reason of the signal", async () => {
    const { tenantId, token } = harness.callerOf("Dispatcher");
    const client = createClient({ tenant: tenantId, token, url: harness.origin });
    const ended = new AbortController();
    const next = client.stream({
      signal: ended.signal,
      onConnection: (isConnected) => isConnected && ended.abort(new Error("enough")),
    });
    await expect(next.next()).rejects.toThrow("enough");
  });
});
