import type { ServerResponse } from "node:http";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { listen } from "../support/listen.ts";

const env = { DISPATCH_TOKEN: "1.secret" };
const mebibyte = Buffer.alloc(1024 * 1024, " ");
const tenants = { results: [{ id: 1, name: "Acme" }], total_count: 1 };
const page = { results: [], page_index: 1, page_limit: 100, total_count: 0, total_pages: 0 };
const json = { "content-type": "application/json" };

describe("the answer of a server", () => {
  it.each<[string, string[], (response: ServerResponse) => void]>([
    ["without end", ["jobs", "list"], (response) => writeOn(response, json)],
    ["without end, as PDF", ["trucks", "job-list-pdf", "1", "--location", "1"], writePdfOn],
    ["with a length above the limit", ["jobs", "list"], writeLength],
    ["that expands without end", ["jobs", "list"], (response) => writePacked(response, "gzip", gzipSync)],
    ["in brotli that does", ["jobs", "list"], (response) => writePacked(response, "br", brotliCompressSync)],
    ["for `api`", ["api", "GET", "/jobs"], (response) => writeOn(response, json)],
  ])("(%s) is read up to 64 MiB, then reported as an error", async (_, words, answer) => {
    const url = await listen((request, response) => {
      if (request.url?.startsWith("/tenants")) response.writeHead(200, json).end(JSON.stringify(tenants));
      else answer(response);
    });
    const { code, stdout, stderr } = await runCommand([...words, "--url", url], { env });
    expect([code, stdout]).toEqual([8, ""]);
    expect(stderr).toContain(`${url} answers with more than 64 MiB.`);
  });

  it("(an endless error) is read up to 1 MiB", async () => {
    const url = await listen((_, response) => writeOn(response, json, 400));
    const { code, stderr } = await runCommand(["jobs", "list", "--url", url, "-o", "json"], { env });
    expect([code, JSON.parse(stderr).code]).toEqual([8, "answer_too_large"]);
    expect(stderr).toContain("more than 1 MiB");
  });

  it.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
    ["deflate", deflateSync],
  ] as const)("is decompressed if a proxy compressed it (%s)", async (coding, pack) => {
    const url = await listen((request, response) => {
      const value = request.url?.startsWith("/tenants") ? tenants : page;
      response.writeHead(200, { ...json, "content-encoding": coding }).end(pack(JSON.stringify(value)));
    });
    const { code, stdout } = await runCommand(["jobs", "list", "--url", url, "-o", "json"], { env });
    expect([code, JSON.parse(stdout)]).toEqual([0, page]);
  });

  it.each([
    ["gzip", "cannot be decoded"],
    ["rot13", 'the content coding "rot13"'],
    ["__proto__", 'the content coding "__proto__"'],
  ])("is an error if it cannot be decompressed (%s)", async (coding, why) => {
    const url = await listen((_, response) =>
      response.writeHead(200, { ...json, "content-encoding": coding }).end(JSON.stringify(tenants)),
    );
    const { code, stderr } = await runCommand(["jobs", "list", "--url", url], { env });
    expect([code, stderr]).toEqual([8, expect.stringContaining(why)]);
  });
});

function writePdfOn(response: ServerResponse): void {
  writeOn(response, { "content-type": "application/pdf" });
}

/** Writes until the client stops reading. */
function writeOn(response: ServerResponse, headers: Record<string, string>, status = 200): void {
  response.writeHead(status, headers);
  const write = () => {
    while (!response.destroyed && response.write(mebibyte));
  };
  response.on("drain", write);
  write();
}

function writeLength(response: ServerResponse): void {
  response.writeHead(200, { ...json, "content-length": String(1024 ** 4) }).write("{");
}

function writePacked(response: ServerResponse, coding: string, pack: (bytes: Buffer) => Buffer): void {
  response.writeHead(200, { ...json, "content-encoding": coding });
  response.end(pack(Buffer.alloc(65 * 1024 * 1024, " ")));
}
