import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { createHook, createJob } from "../support/delivering.ts";
import { startReceiver } from "../support/receiver.ts";
import { describeInProcess, freshHarness } from "../support/targets.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();

const run = async (data: string, ...words: string[]) => {
  const { code, stdout, stderr } = await runCommand([...words, "--data", data, "-o", "json"]);
  return { code, stderr, value: stdout === "" ? null : JSON.parse(stdout) };
};

const createHookAt = (url: string) => ["hooks", "create", "--events", "Truck", "--callback-url", url];
const createTruck = ["trucks", "create", "--location", "1", "--name", "T"];

describeInProcess("the policy of a store on private addresses", (like) => {
  it("keeps commands and webhooks from such addresses, unless and while the store allows them", async () => {
    const harness = await freshHarness(like, { allowsPrivateHooks: false });
    const { data } = harness.store;
    const { url, deliveries } = await startReceiver();
    expect((await run(data, "store", "policy")).value).toMatchObject({ private_hooks: "refused" });
    const body = { events: ["Job"], url };
    expect(await harness.refused("hooks.create", { body })).toMatchObject({ code: "invalid_format" });

    const allowed = await run(data, "store", "policy", "--private-hooks", "allow");
    expect(allowed.value).toMatchObject({ private_hooks: "allowed" });
    const hookId = await createHook(harness, url);
    const ping = () => harness.ok("hooks.ping", { params: { hook_id: hookId } });
    expect(await ping()).toMatchObject({ http_status: 200 });
    await createJob(harness);
    expect((await run(data, "hooks", "deliver")).value).toMatchObject({ delivered: 1 });

    await createHook(harness, `${url}/other`);
    await run(data, "store", "policy", "--private-hooks", "refuse");
    // Servers on PostgreSQL notice the change within a second.
    await expect.poll(ping, { interval: 200 }).toMatchObject({
      http_status: -1,
      message: expect.stringContaining("public addresses only"),
    });
    const called = deliveries.length;
    const { value } = await run(data, "doctor");
    const finding = value.findings.find(({ check }: { check: string }) => check === "private hooks");
    expect(finding).toMatchObject({
      detail: expect.stringMatching(new RegExp(`webhook ${hookId} .* \\(and 1 more\\)$`)),
      fix: expect.stringMatching(/^dispatch-cli store policy --private-hooks allow --data /),
      status: "warn",
    });
    expect(deliveries).toHaveLength(called);
  });
});

it("is set by init, copied with the store, and open in sandbox stores", async () => {
  const { url, deliveries } = await startReceiver();
  const place = (name: string) => join(folder, name);
  const policyOf = async (data: string) => (await run(data, "store", "policy")).value.private_hooks;
  await run(place("closed.db"), "init");
  await run(place("open.db"), "init", "--allow-private-hooks");
  await run(place("sandbox.db"), "init", "--sandbox");
  expect(await policyOf(place("closed.db"))).toBe("refused");
  expect(await policyOf(place("sandbox.db"))).toBe("allowed");
  expect(
    (await runCommand(["store", "copy", "--from", place("open.db"), "--to", place("copy.db")])).code,
  ).toBe(0);
  expect(await policyOf(place("copy.db"))).toBe("allowed");

  const refused = await run(place("closed.db"), ...createHookAt(url));
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining("store policy --private-hooks allow"),
  ]);
  expect((await run(place("open.db"), ...createHookAt(url))).code).toBe(0);
  await run(place("open.db"), ...createTruck);
  expect(deliveries).toHaveLength(1);
});
