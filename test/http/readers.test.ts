import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createHandler } from "../../src/http/handler.ts";
import { identifyByToken } from "../../src/http/identify.ts";
import { type ReadersOptions, startReaders } from "../../src/http/readers/readers.ts";
import { eventually } from "../support/eventually.ts";
import type { Harness } from "../support/harness.ts";
import { describeOverHttp } from "../support/targets.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const program = join(folder, "reader.cjs");
// The query names the thread's action: `act` is its first parameter.
writeFileSync(
  program,
  `const { existsSync, writeFileSync } = require("node:fs");
  const { parentPort, threadId, workerData } = require("node:worker_threads");
  const toAnswer = (body) => ({ answer: {
    status: 200, headers: { "content-type": "application/json" }, etag: '"' + threadId + '"', body: Buffer.from(body) } });
  const acts = {
    spin: () => { for (;;); },
    die: () => process.exit(1),
    dieOnce: (flag) => { if (existsSync(flag)) return toAnswer("again"); writeFileSync(flag, ""); process.exit(1); },
    fill: () => { const all = []; for (;;) all.push(new Array(1e6).fill(all.length)); },
    refuse: () => ({ violations: [{ code: "unknown_parameter", detail: "No such filter.", field: "act" }] }),
    damage: () => ({ violations: [{ code: "store_unreadable", detail: "Damaged.", field: null }] }),
    fail: () => ({ fault: "broken" }),
    rest: (ms) => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(ms));
      return toAnswer("rested");
    },
    where: () => toAnswer("thread " + threadId),
  };
  parentPort.on("message", ({ number, read }) => {
    const [act, word] = new URLSearchParams(read.request.query).get("act").split(" ");
    parentPort.postMessage({ number, outcome: acts[act](word) });
  });
  if (workerData.data === "cannot be opened") throw new Error("no store");
  parentPort.postMessage("open");`,
);

describeOverHttp("long reads in a thread", (harness: Harness) => {
  /** Opens a server with such a thread, and collects its internal errors. */
  async function open(options: ReadersOptions = {}, path: string | null = join(folder, "store.db")) {
    const file = { path };
    const sharedFile = () => (file.path === null ? null : { path: file.path, bytes: 100 });
    const readers = startReaders({ sharedFile }, { bytesMin: 100, program, shortMsMax: 60_000, ...options });
    onTestFinished(() => readers.close());
    const handle = await createHandler(harness.service, {
      answerBytesMax: 0,
      identify: identifyByToken(harness.service),
      readers,
    });
    const faults: unknown[] = [];
    const get = (query: string, as: "acme" | "globex" = "acme", isGone = () => false) =>
      getAt(`/jobs?${query.includes("page_") ? "" : "page_limit=101&"}${query}`, as, isGone);
    const getAt = async (url: string, as: "acme" | "globex" = "acme", isGone = () => false) => {
      const request = {
        client: { address: "192.0.2.1", isKnown: false, isGone },
        headers: harness.headersOf(as === "acme" ? "Admin" : harness.globex.caller),
        id: "of the test",
        method: "GET",
        readBody: async () => new Uint8Array(),
        url,
      };
      const { body, status } = await handle(request, (error) => faults.push(error));
      return { status, text: Buffer.from(body).toString() };
    };
    return { faults, file, get, getAt, readers };
  }

  const isHere = { status: 200, text: expect.stringContaining('"results":') };
  /** The main thread does not know the filter, so it refuses the request. */
  const isRefusedHere = { status: 400, text: expect.stringContaining("unknown_parameter") };
  const isOverloaded = { status: 503, text: expect.stringContaining("overloaded") };

  it("are searches, long pages, and late pages, of a large file", async () => {
    const { get, getAt } = await open();
    const event = "/events/0b1c2d3e-4f50-4152-8364-75869708a9ba?act=where";
    const isInThread = { status: 200, text: expect.stringMatching(/^thread/) };
    expect(await getAt(event)).toMatchObject(isInThread);
    for (const query of ["page_limit=101&act=where", "page_index=101&act=where"])
      expect(await get(query)).toMatchObject(isInThread);
    for (const query of ["page_limit=100", "page_index=2", "page_limit=20&completed=false"])
      expect(await get(query)).toMatchObject(isHere);
    const small = await open({ bytesMin: 101 });
    expect(await small.get("page_limit=1000")).toMatchObject(isHere);
  });

  it("are pages of any length while another tenant sends requests", async () => {
    const { get } = await open();
    // The server knows the caller from the second request on.
    for (let asked = 0; asked < 2; asked += 1)
      expect(await get("page_limit=20", "globex")).toMatchObject(isHere);
    expect(await get("page_limit=20&act=where")).toEqual({
      status: 200,
      text: expect.stringMatching(/^thread/),
    });
  });

  it("are lists whose last read was slow", async () => {
    const { get } = await open({ shortMsMax: 0 });
    expect(await get("page_limit=20")).toMatchObject(isHere);
    expect(await get("page_limit=20&act=where")).toEqual({
      status: 200,
      text: expect.stringMatching(/^thread/),
    });
  });

  it("fail with the errors of the thread, and its bugs are reported as bugs", async () => {
    const { faults, get } = await open();
    expect(await get("act=refuse")).toMatchObject({
      status: 400,
      text: expect.stringContaining("No such filter."),
    });
    expect(faults).toEqual([]);
    expect(await get("act=fail")).toMatchObject({ status: 500 });
    expect(String(faults)).toContain("broken");
  });

  it("are aborted with the thread after their time limit, and the next read gets a new thread", async () => {
    const { faults, get } = await open({ timeLimitMs: 1500 });
    expect(await get("act=spin")).toMatchObject(isOverloaded);
    expect(await get("act=where")).toMatchObject({ status: 200 });
    expect(faults).toEqual([]);
  });

  it("have their full time from their start, after other reads and after the end of their thread", async () => {
    const { faults, get } = await open({ timeLimitMs: 2000, waitMsMax: 60_000 });
    await get("act=where");
    // Together these requests exceed the limit of one tenant.
    const slow = Array.from({ length: 10 }, () => get("act=rest 300"));
    for (const { status } of await Promise.all(slow)) expect(status).toBe(200);
    const endless = get("act=spin");
    const [beside, behind] = [get("act=rest 700", "globex"), get("act=rest 700", "globex")];
    for (const outcome of [await beside, await behind])
      expect(outcome).toEqual({ status: 200, text: "rested" });
    expect(await endless).toMatchObject(isOverloaded);
    expect(faults).toEqual([]);
  });

  it("that wait too long in the queue are not started, and end no thread", async () => {
    const { get } = await open({ waitMsMax: 100 });
    const { text } = await get("act=where");
    const resting = Array.from({ length: 3 }, () => get("act=rest 700"));
    expect(await get("act=die")).toMatchObject(isOverloaded);
    expect((await Promise.all(resting)).map(({ status }) => status)).toEqual([200, 200, 503]);
    expect(await get("act=where")).toEqual({ status: 200, text });
  });

  it("are aborted when the thread takes too much memory, and the next read gets a new thread", async () => {
    const { faults, get } = await open({ memoryMiB: 32 });
    expect(await get("act=fill")).toMatchObject(isOverloaded);
    expect(await get("act=where")).toMatchObject({ status: 200 });
    expect(faults).toEqual([]);
  });

  it("are retried once when the thread dies in between", async () => {
    const { faults, get } = await open();
    const flag = join(folder, `died ${Math.random()}`);
    expect(await get(`act=dieOnce ${flag.replaceAll(" ", "-")}`)).toEqual({ status: 200, text: "again" });
    expect(existsSync(flag.replaceAll(" ", "-"))).toBe(true);
    expect(await get("act=die")).toMatchObject(isOverloaded);
    expect(await get("act=where")).toMatchObject({ status: 200 });
    expect(faults).toEqual([]);
  });

  it("run in the main thread if no thread can open the store, or the file is lost", async () => {
    const { get } = await open({}, "cannot be opened");
    expect(await get("page_limit=1000")).toMatchObject(isHere);
    expect(await get("page_limit=1000")).toMatchObject(isHere);
    const lost = await open();
    expect(await lost.get("act=where")).toMatchObject({ status: 200 });
    lost.file.path = null;
    expect(await lost.get("page_limit=1000")).toMatchObject(isHere);
  });

  it("run again in the main thread if the thread finds a damaged store", async () => {
    const { get } = await open();
    expect(await get("act=damage")).toMatchObject(isRefusedHere);
  });

  it("of one tenant take turns with the reads of another", async () => {
    const { get } = await open({ timeLimitMs: 60_000 });
    await get("act=where");
    const order: string[] = [];
    const note = async (as: "acme" | "globex") => {
      await get("act=rest 10", as);
      order.push(as);
    };
    await Promise.all([...Array.from({ length: 40 }, () => note("acme")), note("globex")]);
    // Some of the others may finish before this request starts.
    expect(order.indexOf("globex")).toBeLessThan(35);
  });

  it("are refused when too many of the tenant wait, without effect on others", async () => {
    const { get, readers } = await open({ waitingPerTenantMax: 1 });
    const running = Array.from({ length: 3 }, () => get("act=spin"));
    await eventually(async () => expect(await get("act=where")).toMatchObject(isOverloaded));
    expect(await get("page_limit=100")).toMatchObject(isHere);
    await readers.close();
    for (const { status } of await Promise.all(running)) expect(status).toBe(503);
  });

  it("are not started for a client that disconnected", async () => {
    const { faults, get } = await open();
    expect(await get("act=die", "acme", () => true)).toMatchObject({ status: 400 });
    expect(faults).toEqual([]);
  });

  it("do not start a thread before the first long read", async () => {
    const { get } = await open({ idleMs: 50 });
    const { text } = await get("act=where");
    await eventually(async () => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect((await get("act=where")).text).not.toBe(text);
    });
  });
});
