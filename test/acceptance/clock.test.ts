import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { toEpochMs } from "../../src/runtime/clock.ts";
import { retryWaitsMs } from "../../src/webhooks/retry.ts";
import { runCommand } from "../support/command-line.ts";
import { eventually } from "../support/eventually.ts";
import { serveStore } from "../support/program.ts";
import { startReceiver } from "../support/receiver.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
let made = 0;

interface Delivery {
  delivery_id: string;
  attempt: number;
  attempts: { started_on: string }[];
  next_attempt_on: string | null;
  status: string;
}

/** A served sandbox store with a webhook for trucks, and ways to use both from outside. */
async function startSandbox(receiverUrl: string) {
  made += 1;
  const data = join(folder, `sandbox-${made}.db`);
  const run = async (words: string, ...more: string[]) => {
    const result = await runCommand([...words.split(" "), ...more, "--data", data, "-o", "json"]);
    expect([result.code, result.stderr]).toEqual([0, ""]);
    return JSON.parse(result.stdout);
  };
  await run("init --sandbox");
  await run("hooks create --events Truck --callback-url", receiverUrl);
  const { token } = await run("tokens create --username owner");
  const server = await serveStore(data);
  const call = async (method: string, path: string, body?: object, bearer: string = token) => {
    const headers = {
      authorization: `Bearer ${bearer}`,
      "content-type": "application/json",
      "x-tenant-id": "1",
    };
    const answer = await fetch(server.url + path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as never };
  };
  const createTruck = () => call("POST", "/locations/1/trucks", { name: "T" });
  const listDeliveries = async (): Promise<Delivery[]> => {
    const { results } = (await call("GET", "/hooks/1/deliveries")).body as { results: Delivery[] };
    const paths = results.map(({ delivery_id: id }) => `/hooks/1/deliveries/${id}`);
    return Promise.all(paths.map(async (path) => (await call("GET", path)).body));
  };
  return { call, createTruck, listDeliveries, run, server };
}

describe("a sandbox store that is served", () => {
  it("runs the whole retry schedule as its clock moves, until the webhook is deactivated and enabled again", async () => {
    let isUp = false;
    const receiver = await startReceiver((response) => response.writeHead(isUp ? 200 : 500).end());
    const { call, createTruck, listDeliveries, run, server } = await startSandbox(receiver.url);
    const { store_time: start } = await run("clock show");
    for (let count = 0; count < 10; count += 1) await createTruck();
    const untilAttempted = async (attempt: number) => {
      await eventually(() => expect(receiver.deliveries).toHaveLength(10 * attempt));
      await eventually(async () => {
        const counts = (await listDeliveries()).map((delivery) => delivery.attempt);
        expect(counts).toEqual(Array(10).fill(attempt));
      }, 200);
    };
    for (const [index, waitMs] of retryWaitsMs.entries()) {
      await untilAttempted(index + 1);
      const waiting = await listDeliveries();
      for (const { attempts, next_attempt_on: next } of waiting) {
        const waitedMs = toEpochMs(next ?? "") - toEpochMs(attempts.at(-1)?.started_on ?? "");
        // The wait begins at the end of the attempt, which is stored within a second of its start.
        expect(waitedMs).toBeGreaterThanOrEqual(waitMs * 0.8);
        expect(waitedMs).toBeLessThanOrEqual(waitMs * 1.2 + 1000);
      }
      const last = waiting
        .map(({ next_attempt_on: next }) => next ?? "")
        .sort()
        .at(-1);
      await run(`clock set ${last}`);
    }
    await untilAttempted(10);
    expect((await listDeliveries()).map(({ status }) => status)).toEqual(Array(10).fill("failed"));
    expect(receiver.deliveries).toHaveLength(100);

    await run("clock set", new Date(toEpochMs(start) + 5 * 86_400_000 + 60_000).toISOString());
    expect((await call("GET", "/hooks/1")).body).toMatchObject({ deleted_at: null });
    await createTruck();
    const hook = await eventually(async () => {
      const { body } = await call("GET", "/hooks/1");
      expect(body).toMatchObject({ deleted_reason: expect.stringContaining("Every delivery failed since") });
      return body as { deleted_at: string };
    });
    expect(toEpochMs(hook.deleted_at) - toEpochMs(start)).toBeGreaterThan(5 * 86_400_000);

    isUp = true;
    await run("hooks enable 1 --backlog send");
    await eventually(() => expect(receiver.deliveries).toHaveLength(102));
    expect((await call("GET", "/hooks/1")).body).toMatchObject({ deleted_at: null, deleted_reason: null });
    await server.end();
  });

  it("expires tokens and old secrets by its clock, and signs with the time of the machine", async () => {
    const receiver = await startReceiver();
    const { call, createTruck, run, server } = await startSandbox(receiver.url);
    const expiresOn = new Date(Date.now() + 86_400_000).toISOString();
    const { token } = await run("tokens create --username owner --expires-on", expiresOn);
    const isAccepted = async () => (await call("GET", "/locations", undefined, token)).status === 200;
    const countSignatures = async () => {
      const before = receiver.deliveries.length;
      await createTruck();
      await eventually(() => expect(receiver.deliveries).toHaveLength(before + 1));
      const { headers } = receiver.deliveries.at(-1) ?? {};
      const ageSeconds = Date.now() / 1000 - Number(headers?.["webhook-timestamp"]);
      expect(Math.abs(ageSeconds)).toBeLessThan(60);
      return String(headers?.["webhook-signature"]).split(" ").length;
    };
    await run("hooks rotate-secret 1 --overlap-hours 24");
    expect([await isAccepted(), await countSignatures()]).toEqual([true, 2]);
    await run("clock advance 23h");
    expect([await isAccepted(), await countSignatures()]).toEqual([true, 2]);
    await run("clock advance 2h");
    expect([await isAccepted(), await countSignatures()]).toEqual([false, 1]);
    await server.end();
  });
});
