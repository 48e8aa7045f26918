import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createClient } from "../../src/library/index.ts";
import { listen } from "../support/listen.ts";
import { skipPauses } from "../support/skip-pauses.ts";

const json = { "content-type": "application/json" };
const mebibyte = Buffer.alloc(1024 * 1024, " ");

describe("an answer that is too large for the client", () => {
  const sixtyFive = Buffer.alloc(65 * 1024 * 1024, " ");

  it.each<[string, number, (response: ServerResponse) => void]>([
    ["has no end", 64, (response) => writeForever(response.writeHead(200, json), mebibyte)],
    ["promises a terabyte", 64, (response) => writeLength(response)],
    ["expands from a small gzip", 64, (response) => writeGzip(response, sixtyFive)],
    ["is an error without end", 1, (response) => writeForever(response.writeHead(400, json), mebibyte)],
  ])("is refused once if it %s", async (_, mebibytes, answer) => {
    const { client, paths } = await against(answer);
    await expect(client.locations.list()).rejects.toMatchObject({
      code: "answer_too_large",
      message: expect.stringContaining(`more than ${mebibytes} MiB`),
    });
    expect(paths).toHaveLength(1);
  });

  it("is refused if it arrives instead of a stream", async () => {
    const { client } = await against((response) => writeForever(response.writeHead(403, json), mebibyte));
    await expect(client.stream().next()).rejects.toMatchObject({ code: "answer_too_large", status: 403 });
  });
});

describe("the stream of the client", () => {
  it("waits at least a second before each new connection, also with `retry: 0`", async () => {
    const pauses = skipPauses();
    const { client, paths } = await against((response) => startStream(response).end("retry: 0\n\n"));
    const ended = new AbortController();
    const next = client.stream({
      signal: ended.signal,
      onConnection: () => paths.length > 10 && ended.abort(new Error("enough")),
    });
    await expect(next.next()).rejects.toThrow("enough");
    expect(pauses.filter((ms) => ms === 1000)).toHaveLength(10);
  });

  it.each([
    ["one line without end", mebibyte],
    ["an event of lines without end", Buffer.from(`data: ${"x".repeat(1000)}\n`.repeat(1000))],
  ])("refuses %s", async (_, piece) => {
    const { client, paths } = await against((response) => writeForever(startStream(response), piece));
    await expect(client.stream().next()).rejects.toMatchObject({ code: "answer_too_large" });
    expect(paths).toHaveLength(1);
  });

  it("returns more than 64 MiB in small events", async () => {
    const event = Buffer.from(`data: ${JSON.stringify("x".repeat(mebibyte.length))}\n\n`);
    const { client } = await against((response) => writeForever(startStream(response), event));
    let count = 0;
    for await (const _ of client.stream()) if (++count === 70) break;
    expect(count).toBe(70);
  });

  it("refuses an event that is not JSON", async () => {
    const { client } = await against((response) => startStream(response).write("data: {half\n\n"));
    await expect(client.stream().next()).rejects.toMatchObject({ code: "target_unreachable" });
  });
});

describe("the pages of the client", () => {
  const page = (results: object[], total_count = 99_999) =>
    JSON.stringify({ current_limit: 1, results, total_count });

  it("end with an error if the server returns empty pages with a growing count", async () => {
    const { client, paths } = await against((response, path) => {
      const index = Number(/page_index=(\d+)/.exec(path)?.[1] ?? 1);
      const link = `</hooks?page_index=${index + 1}>; rel="next"`;
      response.writeHead(200, { ...json, link }).end(page(index === 1 ? [{ id: 1 }] : []));
    });
    await expect(readAll(client.pages("hooks.list"))).rejects.toMatchObject({ code: "result_limited" });
    expect(paths).toHaveLength(2);
  });

  it("end with an error if the server repeats a cycle of cursors", async () => {
    const { client, paths } = await against((response, path) =>
      response.writeHead(200, json).end(page([{ id: path.includes("page_after=1") ? 2 : 1 }])),
    );
    await expect(readAll(client.pages("customers.list"))).rejects.toMatchObject({
      code: "target_unreachable",
      message: expect.stringContaining("page after 1"),
    });
    expect(paths.length).toBeLessThan(5);
  });

  it("end if the server returns the same page again and again", async () => {
    const { client, paths } = await against((response) =>
      response.writeHead(200, json).end(page([{ id: 1 }], 5)),
    );
    expect(await readAll(client.pages("customers.list"))).toBe(1);
    expect(paths).toHaveLength(6);
  });
});

async function readAll(records: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of records) count += 1;
  return count;
}

/** Creates a client of a server with the given answers, and records the requested paths. */
async function against(answer: (response: ServerResponse, path: string) => unknown) {
  const paths: string[] = [];
  const url = await listen((request, response) => {
    paths.push(request.url ?? "");
    answer(response, request.url ?? "");
  });
  return { client: createClient({ url, token: "a.b", tenant: 1 }), paths };
}

function startStream(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { "content-type": "text/event-stream" });
}

/** Writes the chunk repeatedly for as long as the client reads. */
function writeForever(response: ServerResponse, piece: Buffer): void {
  const write = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on("drain", write);
  write();
}

function writeLength(response: ServerResponse): void {
  response.writeHead(200, { ...json, "content-length": String(1024 ** 4) }).write("{");
}

function writeGzip(response: ServerResponse, body: Buffer): void {
  response.writeHead(200, { ...json, "content-encoding": "gzip" }).end(gzipSync(body));
}
