import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startServer } from "../../src/http/serve.ts";
import { apiVersions, newestVersion } from "../../src/models/api-versions.ts";
import { setPrivateHooks } from "../../src/store/held-deliveries.ts";
import { delivererMark } from "../../src/store/metadata-keys.ts";
import { aCustomer } from "../support/builders.ts";
import { runCommand } from "../support/command-line.ts";
import { sqlite } from "../support/databases.ts";
import { createHook, createJob, createTruck, startTestWorker } from "../support/delivering.ts";
import type { Harness } from "../support/harness.ts";
import {
  type Delivery,
  startReceiver,
  toSignature,
  toStandardSignature,
  unusedUrl,
} from "../support/receiver.ts";
import { describeInProcess, describeInProcessOnSqlite, freshHarness } from "../support/targets.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const secret = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
const secretFile = join(useTempFolder(), "secret.txt");
writeFileSync(secretFile, `${secret}\n`);

/** Runs `hooks trigger` as Acme's dispatcher, or as another. */
function trigger(harness: Harness, words: string, as = harness.acme.callers.Dispatcher.user.username) {
  const target = ["--data", harness.store.data, "--tenant", String(harness.acme.tenantId), "--as", as];
  return runCommand(["hooks", "trigger", ...words.split(" "), ...target, "-o", "json"]);
}

/** Serves a harness's store until the test is over. */
async function serveHarness(harness: Harness) {
  const server = await startServer(harness.service, {
    host: "127.0.0.1",
    port: 0,
    delivers: false,
    logLevel: "silent",
    log: { write: () => undefined },
  });
  onTestFinished(() => server.close());
  return server;
}

/** Removes what changes with each event and each attempt. */
function toLasting({ method, path, headers, body }: Delivery) {
  const changing = ["content-length", "traceparent", "webhook-id", "webhook-signature", "webhook-timestamp"];
  const lasting = Object.entries(headers).filter(
    ([name]) => !changing.includes(name) && !/signature|delivery/.test(name),
  );
  const names = Object.keys(headers).sort();
  return {
    method,
    path,
    names,
    headers: Object.fromEntries(lasting),
    body: body.replaceAll(/"(id|timestamp)":"[^"]*"/g, "$1"),
  };
}

async function openHook(like: Harness, changes: Record<string, unknown> = {}) {
  const harness = await freshHarness(like);
  const receiver = await startReceiver();
  // The command opens the store itself and follows the store's policy.
  await setPrivateHooks(harness.service.store.metadata, true);
  const events = ["Customer", "CustomerLocation", "Job", "Truck"];
  const hookId = await createHook(harness, receiver.url, { events, secret, ...changes });
  return { harness, receiver, hookId };
}

describeInProcess("hooks trigger", (like) => {
  const setUp = (changes?: Record<string, unknown>) => openHook(like, changes);

  // Both databases return the same records, so only SQLite needs all versions.
  it.each(like.database === sqlite ? apiVersions : [newestVersion])(
    "sends the same as a real event, for each kind, at %s",
    async (version) => {
      const { harness, receiver, hookId } = await setUp({ api_version: version });
      const { customerId, locationId } = harness.acme;
      await harness.ok("customers.update", { params: { customer_id: customerId }, body: { name: "Ōsaka" } });
      const jobId = await createJob(harness);
      const truck = await createTruck(harness);
      const { id: newCustomerId } = await harness.ok("customers.create", {
        params: { location_id: locationId },
        body: aCustomer({ name: "Łódź Roofing" }),
      });
      await startTestWorker(harness).drain();
      const real = receiver.deliveries.splice(0);
      const realOf = (kind: string, action: string) =>
        real.filter(({ body }) => {
          const told = JSON.parse(body);
          return told.type === kind && told.action === action;
        });
      const at = `--location ${locationId}`;
      for (const [kind, action, words] of [
        ["Job", "created", `Job --record ${jobId}`],
        ["Job", "created", `job --record ${jobId} ${at}`],
        ["Truck", "created", `Truck --record ${truck.truck_id}`],
        ["Customer", "created", `Customer --record ${newCustomerId}`],
        ["Customer", "updated", `Customer --record ${customerId}`],
        ["CustomerLocation", "created", `CustomerLocation --record ${newCustomerId} ${at}`],
      ] as const) {
        const { code, stderr } = await trigger(harness, `${words} --action ${action} --hook ${hookId}`);
        expect([code, stderr]).toEqual([0, ""]);
        const [sent] = receiver.deliveries.splice(0);
        const [expected] = realOf(kind, action);
        expect(sent && toLasting(sent)).toEqual(expected && toLasting(expected));
      }
    },
  );

  it("stores nothing, whether it succeeds or fails", async () => {
    const { harness, hookId, receiver } = await setUp();
    const jobId = await createJob(harness);
    const before = harness.store.contents();
    expect((await trigger(harness, `Job --record ${jobId} --hook ${hookId}`)).code).toBe(0);
    const closed = `--to ${await unusedUrl()} --secret-file ${secretFile}`;
    expect((await trigger(harness, `Job --record ${jobId} ${closed}`)).code).toBe(9);
    expect(receiver.deliveries).toHaveLength(1);
    expect(harness.store.contents()).toEqual(before);
  });
});

describeInProcessOnSqlite("hooks trigger, on any database,", (like) => {
  const setUp = (changes?: Record<string, unknown>) => openHook(like, changes);

  it("creates a sample record with --sample, equal for a webhook and a URL, and requires one of the two", async () => {
    const { harness, receiver, hookId } = await setUp({ api_version: "2021/11/04" });
    const toUrl = `--to ${receiver.url} --secret-file ${secretFile} --api-version 2021/11/04`;
    for (const kind of ["Customer", "CustomerLocation", "Job", "Truck"])
      for (const to of [`--hook ${hookId}`, toUrl]) {
        const { code, stderr } = await trigger(harness, `${kind} --sample ${to}`);
        expect([code, stderr]).toEqual([0, ""]);
      }
    const bodies = receiver.deliveries.map(toLasting).map(({ body }) => body);
    for (let at = 0; at < bodies.length; at += 2) expect(bodies[at + 1]).toBe(bodies[at]);
    expect(JSON.parse(receiver.deliveries[4]?.body ?? "")).toMatchObject({ data: { id: 17 }, type: "Job" });
    const neither = await trigger(harness, `Job --hook ${hookId}`);
    expect([neither.code, neither.stderr]).toEqual([2, expect.stringContaining("--sample")]);
  });

  it("does the same on a server: to a webhook from the server, to a URL from this machine, and stores nothing", async () => {
    const { harness, receiver, hookId } = await setUp({ api_version: "2021/11/04" });
    const jobId = await createJob(harness);
    await startTestWorker(harness).drain();
    const [real] = receiver.deliveries.splice(0);
    const server = await serveHarness(harness);
    const before = withoutWorkers(harness.store.contents());
    const onServer = (words: string, token = harness.acme.callers.Dispatcher.token) =>
      runCommand(["hooks", "trigger", ...words.split(" "), "--url", server.url, "-o", "json"], {
        env: { DISPATCH_TOKEN: token },
      });
    const asked = `Job --record ${jobId} --action created`;
    const toUrl = `--to ${receiver.url} --secret-file ${secretFile} --api-version 2021/11/04`;
    for (const words of [`${asked} --hook ${hookId}`, `${asked} ${toUrl}`]) {
      const { code, stderr, stdout } = await onServer(words);
      expect([code, stderr]).toEqual([0, ""]);
      const [sent] = receiver.deliveries.splice(0);
      expect(sent && toLasting(sent)).toEqual(real && toLasting(real));
      expect(sent?.headers["x-service-signature"]).toBe(toSignature(secret, sent?.body ?? ""));
      expect(JSON.parse(stdout)).toMatchObject({
        action: "created",
        api_version: "2021/11/04",
        event_id: JSON.parse(sent?.body ?? "").id,
        http_status: 200,
        url: receiver.url,
      });
    }
    expect((await onServer(`Job --record 99999 --hook ${hookId}`)).code).toBe(5);
    expect((await onServer(`Job --record 99999 ${toUrl}`)).code).toBe(5);
    const driver = harness.acme.callers.Driver.token;
    expect((await onServer(`${asked} --hook ${hookId}`, driver)).code).toBe(4);
    expect((await onServer(`${asked} ${toUrl}`, driver)).code).toBe(4);
    expect(withoutWorkers(harness.store.contents())).toEqual(before);
  });

  it("signs with the secret of the webhook and uses new delivery ids", async () => {
    const { harness, receiver, hookId } = await setUp();
    const jobId = await createJob(harness);
    const runs = [];
    for (const action of ["completed", "failed"])
      runs.push(
        JSON.parse(
          (await trigger(harness, `Job --record ${jobId} --action ${action} --hook ${hookId}`)).stdout,
        ),
      );
    const [first, second] = receiver.deliveries;
    const { headers = {}, body = "" } = first ?? {};
    expect(headers["x-service-signature"]).toBe(toSignature(secret, body));
    expect(headers["webhook-signature"]).toBe(
      toStandardSignature(secret, runs[0].event_id, String(headers["webhook-timestamp"]), body),
    );
    expect(runs[0]).toEqual({
      action: "completed",
      api_version: "2019/02/08",
      delivery_id: headers["x-service-delivery"],
      duration_ms: expect.any(Number),
      event_id: JSON.parse(body).id,
      http_status: 200,
      message: "No exceptions raised.",
      record_id: jobId,
      type: "Job",
      url: receiver.url,
    });
    expect(runs[1].delivery_id).not.toBe(runs[0].delivery_id);
    expect(JSON.parse(second?.body ?? "").id).toBe(runs[1].event_id);
  });

  it("sends to a URL as to an existing webhook, in the requested version", async () => {
    const { harness, receiver } = await setUp();
    const jobId = await createJob(harness);
    const to = `--to ${receiver.url}?who=me --secret-file ${secretFile}`;
    expect((await trigger(harness, `Job --record ${jobId} ${to} --api-version 2021/11/04`)).code).toBe(0);
    const [sent] = receiver.deliveries;
    expect(sent?.headers["x-api-version"]).toBe("2021/11/04");
    expect(sent?.headers["x-service-signature"]).toBe(toSignature(secret, sent?.body ?? ""));
    expect(sent?.path).toBe("/hook?who=me");
  });

  it("exits with 9 after an answer other than 2xx, or no answer", async () => {
    const { harness } = await setUp();
    const jobId = await createJob(harness);
    const failing = await startReceiver(503);
    const refused = await trigger(
      harness,
      `Job --record ${jobId} --to ${failing.url} --secret-file ${secretFile}`,
    );
    expect([refused.code, JSON.parse(refused.stdout).http_status]).toEqual([9, 503]);
    const closed = await unusedUrl();
    const none = await trigger(harness, `Job --record ${jobId} --to ${closed} --secret-file ${secretFile}`);
    expect([none.code, JSON.parse(none.stdout).http_status]).toEqual([9, -1]);
    expect(none.stderr).toBe("");
  });

  it("refuses missing records, records of other tenants, and callers who may not call webhooks", async () => {
    const { harness, hookId, receiver } = await setUp();
    const jobId = await createJob(harness);
    const driver = harness.acme.callers.Driver.user.username;
    const codes = async (words: string, as?: string) => (await trigger(harness, words, as)).code;
    expect(await codes(`Job --record 99999 --hook ${hookId}`)).toBe(5);
    expect(await codes(`Job --record ${jobId} --location 99999 --hook ${hookId}`)).toBe(5);
    expect(await codes(`Job --record ${jobId} --hook 99999`)).toBe(5);
    expect(await codes(`Customer --record ${harness.globex.customerId} --hook ${hookId}`)).toBe(5);
    expect(await codes(`Job --record ${jobId} --hook ${hookId}`, driver)).toBe(4);
    await harness.ok("hooks.delete", { params: { hook_id: hookId } });
    expect(await codes(`Job --record ${jobId} --hook ${hookId}`)).toBe(6);
    expect(receiver.deliveries).toEqual([]);
  });
});

describe("the options of hooks trigger", () => {
  it.each([
    ["Jobs --record 1 --hook 1", "must be one of Customer, CustomerLocation, Job, Truck"],
    ["Ping --record 1 --hook 1", "hooks ping"],
    ["Job --record 0 --hook 1", "--record must be an ID"],
    ["Job --record 1 --action painted --hook 1", "must be one of created, updated, dispatched"],
    ["Job:completed --action failed --sample --hook 1", "leave one of them out"],
    ["Truck:completed --record 1 --hook 1", "must be one of created, updated"],
    ["CustomerLocation --record 1 --hook 1", "name it with --location"],
    ["Job --record 1", "either --hook, or --to"],
    ["Job --record 1 --hook 1 --to http://127.0.0.1:9/", "either --hook, or --to"],
    [`Job --record 1 --hook 1 --secret-file ${secretFile}`, "has its own secret"],
    ["Job --record 1 --to http://127.0.0.1:9/", "--to needs --secret-file"],
    [`Job --record 1 --to nowhere --secret-file ${secretFile}`, "--to must start with http"],
    ["Job --record 1 --hook 1 --api-version 2000/01/01", "--api-version must be one of"],
  ])("are refused with a sentence and exit code 2: %s", async (words, told) => {
    const { code, stderr } = await runCommand(["hooks", "trigger", ...words.split(" ")]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(told)]);
  });
});

/** Removes what a server's worker writes: its row among the live workers, and the mark that it delivers. */
function withoutWorkers({ delivery_workers: _, meta = [], ...contents }: Record<string, unknown[]>) {
  return { ...contents, meta: meta.filter((row) => !JSON.stringify(row).includes(`"${delivererMark}"`)) };
}
