import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { serveStore } from "../support/program.ts";
import { initStore, postTruck } from "../support/program-store.ts";
import { parseScrape, seriesValue } from "../support/scrape.ts";
import { openStream } from "../support/stream-client.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();

/** Enough streams and changes for both processes to have some. */
const streamCount = 8;

/** Serves a store with two processes, with open streams at both. */
async function serveStreams(name: string) {
  const { data, headers } = await initStore(join(folder, name));
  const server = await serveStore(data, ["--workers", "2"]);
  onTestFinished(async () => void (await server.end()));
  // New connections reach both processes.
  const apart = { ...headers, connection: "close" };
  const open = async (lastEventId?: string) => {
    const named = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
    const stream = await openStream(`${server.url}/stream`, { ...apart, ...named });
    onTestFinished(() => stream.close());
    await stream.until("\n\n");
    return stream;
  };
  const streams = await Promise.all(Array.from({ length: streamCount }, () => open()));
  const makeTruck = async (truck: string) => {
    const made = await postTruck(server.url, { ...apart }, truck);
    expect(made.status).toBe(200);
    return ((await made.json()) as { id: number }).id;
  };
  const read = async (series: string, labels?: Record<string, string>) =>
    seriesValue(parseScrape(await (await fetch(`${server.url}/metrics`)).text()), series, labels);
  return { makeTruck, open, read, server, streams };
}

describe("the streams of a server", () => {
  it("carry the events of every process, and the metrics count them all", async () => {
    const { makeTruck, read, streams } = await serveStreams("workers.db");
    const made: number[] = [];
    for (let number = 0; number < streamCount; number++) made.push(await makeTruck(`Truck ${number}`));
    for (const stream of streams) {
      const seen: number[] = [];
      while (seen.length < made.length) seen.push((await stream.next()).body.data.id);
      expect(seen).toEqual(made);
    }
    expect(await read("dispatch_streams")).toBe(streamCount);
    for (const stream of streams) stream.close();
    await expect.poll(() => read("dispatch_streams"), { timeout: 10_000 }).toBe(0);
    expect(await read("dispatch_streams_ended_total", { why: "client" })).toBe(streamCount);
  });

  it("end at SIGHUP with a time to reconnect, and resume without loss", async () => {
    const { makeTruck, open, read, server, streams } = await serveStreams("reload.db");
    const before = await makeTruck("Before");
    for (const stream of streams) expect((await stream.next()).body.data.id).toBe(before);
    server.child.kill("SIGHUP");
    const ends = await Promise.all(
      streams.map(async (stream) => [await stream.rest(), (stream.place().retryMs ?? 0) > 0]),
    );
    expect(ends).toEqual(streams.map(() => [[], true]));
    const between = await makeTruck("Between");
    const resumed = await open(streams[0]?.place().lastEventId ?? "");
    expect((await resumed.next()).body.data.id).toBe(between);
    await expect
      .poll(() => read("dispatch_streams_ended_total", { why: "server" }), { timeout: 10_000 })
      .toBe(streamCount);
  });
});
