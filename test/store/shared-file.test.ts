import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { openService } from "../../src/core/open-service.ts";
import { anAddress } from "../support/builders.ts";
import { bundleScript } from "../support/bundle.ts";
import type { Harness } from "../support/harness.ts";
import { describeInProcess } from "../support/targets.ts";
import { useTempFolder } from "../support/temp-folder.ts";
import { transports } from "../support/transports.ts";

describeInProcess("a store that several processes share", (harness) => {
  const folder = useTempFolder();

  it("stores all 200 customers that two processes create at once", async () => {
    const script = join(folder, "create-customers.mjs");
    await bundleScript(fileURLToPath(new URL("./create-customers.ts", import.meta.url)), script);
    const { locationId, tenantId } = harness.acme;
    const start = (name: string) =>
      spawn(process.execPath, [script, harness.store.data, `${tenantId}`, `${locationId}`, "100", name]);
    const processes = [start("left"), start("right")];
    await Promise.all(processes.map(untilReady));
    for (const { stdin } of processes) stdin?.write("go\n");
    const outcomes = await Promise.all(processes.map(outcomeOf));

    expect(outcomes.flatMap(({ refused }) => refused)).toEqual([]);
    const ids = outcomes.flatMap((outcome) => outcome.ids);
    expect(new Set(ids).size).toBe(200);
    // Each process had created a customer before the other one ended.
    const [left = [], right = []] = outcomes.map((outcome) => outcome.ids);
    expect(Math.min(...left)).toBeLessThan(Math.max(...right));
    expect(Math.min(...right)).toBeLessThan(Math.max(...left));

    const params = { location_id: locationId };
    for (const name of ["left", "right"]) {
      const query = { name: `${name} *`, page_limit: 1000 };
      const { results } = await harness.ok("locations.customers", { params, query });
      expect(results.map((customer) => customer.name)).toEqual(
        Array.from({ length: 100 }, (_, index) => `${name} ${index}`),
      );
    }
    const events = harness.store
      .rows("events")
      .filter(({ kind, record_id }) => /^Customer/.test(String(kind)) && ids.includes(Number(record_id)));
    expect(events).toHaveLength(400);
  });
});

describe("two openings of one store", () => {
  describeInProcess("share their changes at once", (harness) => {
    it("however often a record was shown before", async () => {
      const other = await openAgain(harness);
      const { acme } = harness;
      const params = { customer_id: acme.customerId, location_id: acme.locationId };
      for (let round = 0; round < 3; round++) {
        const before = await harness.ok("locations.customer", { params });
        expect(await other("locations.customer", { ...params })).toEqual(before);
        const added = await other("addresses.add", { ...params }, anAddress());
        const { addresses } = await harness.ok("locations.customer", { params });
        expect(addresses).toEqual([...before.addresses, added]);
      }
    });
  });
});

/** Opens the harness's store as a second process would. */
async function openAgain(harness: Harness) {
  const service = openService({ clock: harness.clock, data: harness.store.data });
  onTestFinished(() => service.store.close());
  const [inProcess] = transports;
  const transport = await inProcess?.open(service);
  const caller = harness.callerOf("Dispatcher");
  return async (name: Parameters<Harness["call"]>[0], params: Record<string, number>, body?: unknown) => {
    const { loadOperation } = await import("../../src/operations/index.ts");
    const operation = await loadOperation(name);
    const names = [...operation.route.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
    const answer = await transport?.call(operation, {
      bodyText: body === undefined ? undefined : JSON.stringify(body),
      caller,
      dryRun: false,
      params: Object.fromEntries(names.map((param) => [param, String(params[param])])),
      query: {},
      version: "2023/04/19",
    });
    expect(answer?.status, answer?.text).toBe(200);
    return JSON.parse(answer?.text ?? "null");
  };
}

/** Waits until the process reports that it is ready. If it exits first, throws its error output. */
async function untilReady({ stdout, stderr }: ChildProcess): Promise<void> {
  if (!stdout || !stderr) throw new Error("The process has no output.");
  const said = text(stderr);
  const isReady = await Promise.race([once(stdout, "data").then(() => true), said.then(() => false)]);
  if (!isReady) throw new Error(`The process ended: ${await said}`);
}

async function outcomeOf({ stdout }: ChildProcess): Promise<{ ids: number[]; refused: string[] }> {
  if (!stdout) throw new Error("The process has no output.");
  return JSON.parse(await text(stdout));
}
