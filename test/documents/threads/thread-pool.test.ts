import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { TaskRunner } from "../../../src/documents/threads/tasks.ts";
import { startThreadPool, type ThreadPoolOptions } from "../../../src/documents/threads/thread-pool.ts";
import { useTempFolder } from "../../support/temp-folder.ts";

const folder = useTempFolder();
const file = join(folder, "thread.cjs");
writeFileSync(
  file,
  `const { threadId } = require("node:worker_threads");
  const words = {
    spin: () => { for (;;); },
    refuse: () => ({ violations: [{ code: "invalid_format", detail: "No font.", field: null }] }),
    fail: () => { throw new Error("broken"); },
    fill: () => { const all = []; for (;;) all.push(new Array(1e6).fill(all.length)); },
    where: () => ({ result: { near: [String(threadId)], isComplete: true } }),
  };
  module.exports = ({ input }) => words[input.keys[0]]();`,
);

const pools: TaskRunner[] = [];
afterAll(() => Promise.all(pools.map((pool) => pool.close())));

function start(options: Partial<ThreadPoolOptions> = {}) {
  const pool = startThreadPool({ file, threads: 2, ...options });
  pools.push(pool);
  return (word: string, tenantId = 1) =>
    pool.run(tenantId, "nearAddresses", { edits: 0, keys: [word], texts: [] });
}

describe("a pool of threads", () => {
  it("works in another thread", async () => {
    const { near } = await start()("where");
    expect(Number(near[0])).toBeGreaterThan(0);
  });

  it("aborts work that takes too long, ends its thread, and starts another", async () => {
    const run = start({ timeLimitMs: 1500 });
    await run("where");
    await expect(run("spin")).rejects.toMatchObject({ code: "overloaded" });
    expect((await run("where")).isComplete).toBe(true);
  });

  it("ends a thread that takes too much memory, and nothing else", async () => {
    const run = start({ memoryMiB: 64 });
    await expect(run("fill")).rejects.toMatchObject({ code: "overloaded" });
    expect((await run("where")).isComplete).toBe(true);
  });

  it("continues for a tenant while the work of another tenant uses its whole share", async () => {
    const run = start({ timeLimitMs: 10_000 });
    const spinning = run("spin", 1).catch((error: unknown) => error);
    expect((await run("where", 2)).isComplete).toBe(true);
    await pools.at(-1)?.close();
    expect(await spinning).toBeInstanceOf(Error);
  });

  it("refuses work when the queue is too long", async () => {
    const run = start({ timeLimitMs: 3000, waitingPerTenantMax: 1 });
    const running = run("spin").catch((error: unknown) => error);
    const waiting = run("spin").catch((error: unknown) => error);
    await expect(run("where")).rejects.toThrow("Too many tasks are waiting");
    expect(await running).toMatchObject({ code: "overloaded" });
    expect(await waiting).toMatchObject({ code: "overloaded" });
  });

  it("passes on errors of the work, and reports bugs as bugs", async () => {
    const run = start();
    await expect(run("refuse")).rejects.toMatchObject({ code: "invalid_format", message: "No font." });
    await expect(run("fail")).rejects.toThrow("broken");
  });
});
