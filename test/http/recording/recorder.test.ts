import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { createRecorder } from "../../../src/http/recording/recorder.ts";
import { systemClock } from "../../../src/runtime/clock.ts";

const requestsMade = 4_000;
const tenants = 100;
const bodyBytes = 60 * 1024;
/** Twenty tenants with 2 MiB each, and some room for the rest of the process. */
const memoryBytesMax = 60 * 1024 * 1024;

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

const memoryBytes = () => {
  collectGarbage();
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return arrayBuffers + heapUsed;
};

it("keeps a limited part of 4,000 requests with large bodies, the newest of each tenant", async () => {
  const recorder = createRecorder(systemClock);
  const before = memoryBytes();
  for (let number = 0; number < requestsMade; number++) {
    const caller = {
      operation: "jobs.create",
      tenantId: 1 + (number % tenants),
      userId: 1,
      version: "2023/04/19",
    };
    const handle = recorder.record(async ({ readBody }) => {
      await readBody();
      return {
        status: 200,
        head: ["content-type", "application/json"],
        body: Buffer.alloc(bodyBytes, number),
      };
    });
    const request = {
      client: { address: null, caller, isKnown: true },
      headers: {},
      id: String(number),
      method: "POST",
      readBody: async () => Buffer.alloc(bodyBytes, number),
      url: `/jobs?number=${number}`,
    };
    await handle(request, () => undefined);
  }
  // The engine frees memory in the background.
  await expect.poll(() => memoryBytes() - before).toBeLessThan(memoryBytesMax);
  const kept = Array.from({ length: tenants }, (_, tenant) => recorder.read(tenant + 1));
  expect(kept.filter((requests) => requests.length > 0)).toHaveLength(20);
  const newest = kept.at(-1)?.at(-1);
  expect(newest?.request.url).toBe(`/jobs?number=${requestsMade - 1}`);
  expect(newest?.answer.bytes).toBe(bodyBytes);
});
