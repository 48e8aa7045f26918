import { describe, expect, it } from "vitest";
import type { DispatchError } from "../../src/errors/errors.ts";
import { RequestQueues } from "../../src/http/request-queues.ts";

function work(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}

/**
 * Sends requests of a key in one turn of the event loop, and collects in `began` the order of their starts. As with
 * sockets, the next request arrives after the synchronous work of the last one.
 */
function createRequests(queues: RequestQueues, began: string[]) {
  const send = async (key: string, ms: number) => {
    const place = queues.placeFor(key);
    await place.take();
    began.push(key);
    work(ms);
    place.leave();
  };
  /** Returns a function that waits for their results. */
  return async (count: number, key: string, ms: number) => {
    const sent: Promise<string>[] = [];
    for (let number = 0; number < count; number += 1) {
      sent.push(
        send(key, ms).then(
          () => "answered",
          (error: DispatchError) => error.code,
        ),
      );
      await Promise.resolve();
    }
    return () => Promise.all(sent);
  };
}

describe("queued requests", () => {
  it("of a tenant with few requests start before the requests of a busy one", async () => {
    const began: string[] = [];
    const send = createRequests(new RequestQueues(), began);
    const many = await send(20, "many", 3);
    const few = await send(3, "few", 0);
    await Promise.all([many(), few()]);
    expect(began.indexOf("few")).toBeLessThan(3);
    expect(began.lastIndexOf("few")).toBeLessThan(8);
  });

  it("share the server by time, not by number of requests", async () => {
    const began: string[] = [];
    const send = createRequests(new RequestQueues(), began);
    const longOnes = await send(30, "long", 8);
    const shortOnes = await send(30, "short", 2);
    await Promise.all([longOnes(), shortOnes()]);
    // By time, four short ones equal a long one. By count, there would be 29.
    const long = began.slice(0, began.lastIndexOf("short")).filter((key) => key === "long").length;
    expect(long).toBeLessThan(25);
  });

  it("let the event loop read other requests in between", async () => {
    const began: string[] = [];
    const send = createRequests(new RequestQueues(), began);
    const sent = await send(10, "many", 5);
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    expect(began.length).toBeLessThan(10);
    await sent();
    expect(began).toHaveLength(10);
  });

  it("are refused when too many of one tenant wait, without effect on others", async () => {
    const queues = new RequestQueues({ waitingMax: 10, waitingPerKeyMax: 5 });
    const began: string[] = [];
    const send = createRequests(queues, began);
    const many = await send(9, "many", 10);
    const few = await send(1, "few", 0);
    const refused = (await many()).filter((end) => end !== "answered");
    expect(refused).toEqual(["overloaded", "overloaded", "overloaded"]);
    await few();
    expect(began.filter((key) => key === "few")).toHaveLength(1);
  });
});
