import { expect, it } from "vitest";
import { toEpochMs } from "../../src/runtime/clock.ts";
import { createHook, createJob, createTruck, startTestWorker } from "../support/delivering.ts";
import { eventually } from "../support/eventually.ts";
import { startReceiver, toSignature, toStandardSignature, unusedUrl } from "../support/receiver.ts";
import { describeInProcess, describeInProcessOnSqlite, freshHarness } from "../support/targets.ts";
import { testStart } from "../support/test-clock.ts";

const secret = " c2VjcmV0LWtleS0xMjM0NTY=\n";

const seconds = 1000;
const minutes = 60 * seconds;

describeInProcess("a worker", (like) => {
  it("starts the first attempt within 200 ms of the commit", async () => {
    const harness = await freshHarness(like);
    const { url, deliveries } = await startReceiver();
    await createHook(harness, url);
    const worker = startTestWorker(harness);
    const waits: number[] = [];
    // Take the best of five, because the machine may be busy. Polling once a second would be slower each time.
    for (let number = 1; number <= 5; number += 1) {
      await worker.drain();
      await createJob(harness);
      const committedMs = performance.now();
      await eventually(() => expect(deliveries).toHaveLength(number));
      waits.push(performance.now() - committedMs);
    }
    expect(Math.min(...waits)).toBeLessThan(200);
  });

  it("logs the attempt, finishes the delivery and stores the time of the success", async () => {
    const harness = await freshHarness(like);
    const { url } = await startReceiver((response) => {
      response.writeHead(200, { "x-seen": "yes", "set-cookie": "a=b" }).end("ü".repeat(20_000));
    });
    const hookId = await createHook(harness, url);
    await createJob(harness, { customer_notes: "x".repeat(2000) });
    const worker = startTestWorker(harness);
    await worker.drain();
    expect(worker.faults).toEqual([]);
    expect(harness.store.rows("deliveries")).toMatchObject([
      {
        attempt: 1,
        finished_on: testStart,
        http_status: 200,
        leased_by: null,
        leased_until: null,
        message: "No exceptions raised.",
        next_attempt_on: null,
        status: "delivered",
      },
    ]);
    const [attempt] = harness.store.rows("delivery_attempts");
    expect(attempt).toMatchObject({
      attempt: 1,
      http_status: 200,
      message: "No exceptions raised.",
      started_on: testStart,
      url,
    });
    expect(attempt?.duration_ms).toBeGreaterThanOrEqual(0);
    expect(JSON.parse(String(attempt?.response_headers))).toMatchObject({ "x-seen": "yes" });
    expect(JSON.parse(String(attempt?.request_headers))).toMatchObject({ "x-service-event": "Job" });
    expect(attempt?.response_body).toBe("ü".repeat(8192));
    expect(JSON.parse(String(attempt?.request_body))).toMatchObject({ type: "Job" });
    const hook = await harness.ok("hooks.get", { params: { hook_id: hookId } });
    expect([hook.last_http_success, hook.last_http_fail]).toEqual([testStart, null]);
  });

  it("sends the events of a record in order, and lets other records overtake", async () => {
    const harness = await freshHarness(like);
    const seen: string[] = [];
    let isDown = true;
    const first = await createTruck(harness);
    const { url } = await startReceiver((response, _, { body }) => {
      const { data } = JSON.parse(body);
      if (data.id === first.truck_id && isDown) return void response.writeHead(500).end();
      seen.push(`${data.id} ${data.weight}`);
      response.end();
    });
    await createHook(harness, url, { events: ["Truck"] });
    const second = await createTruck(harness);
    for (const weight of [1, 2, 3]) {
      await harness.ok("trucks.update", { params: first, body: { weight } });
      await harness.ok("trucks.update", { params: second, body: { weight } });
    }
    const worker = startTestWorker(harness);
    await worker.drain();
    const ofSecond = [null, 1, 2, 3].map((weight) => `${second.truck_id} ${weight}`);
    expect(seen).toEqual(ofSecond);
    // Later events of a record wait until its first event is delivered.
    await harness.ok("trucks.update", { params: first, body: { weight: 4 } });
    await worker.drain();
    expect(seen).toEqual(ofSecond);
    isDown = false;
    harness.clock.advance(10 * seconds);
    await worker.drain();
    expect(seen).toEqual([...ofSecond, ...[1, 2, 3, 4].map((weight) => `${first.truck_id} ${weight}`)]);
    expect(harness.store.rows("deliveries").filter(({ status }) => status !== "delivered")).toEqual([]);
  });

  it("makes each attempt once, with four workers on one store", async () => {
    const harness = await freshHarness(like);
    const receivers = [await startReceiver(), await startReceiver()];
    for (const { url } of receivers) await createHook(harness, url, { events: ["Truck"] });
    const truck = await createTruck(harness);
    const workers = [1, 2, 3, 4].map(() => startTestWorker(harness));
    for (let weight = 1; weight < 30; weight += 1) {
      await harness.ok("trucks.update", { params: truck, body: { weight } });
      if (weight % 2) await createTruck(harness);
    }
    await Promise.all(workers.map((worker) => worker.drain()));
    // Each worker was idle at some moment, but not all at once.
    await eventually(
      () =>
        expect(harness.store.rows("deliveries").filter(({ status }) => status !== "delivered")).toEqual([]),
      200,
    );
    for (const { deliveries } of receivers) {
      const ids = deliveries.map(({ headers }) => headers["webhook-id"]);
      expect(ids).toHaveLength(45);
      expect(new Set(ids).size).toBe(45);
      const weights = deliveries
        .map(({ body }) => JSON.parse(body).data)
        .filter(({ id }) => id === truck.truck_id)
        .map(({ weight }) => weight);
      expect(weights).toEqual([null, ...Array.from({ length: 29 }, (_, index) => index + 1)]);
    }
    expect(harness.store.rows("delivery_attempts")).toHaveLength(90);
    expect(workers.flatMap(({ faults }) => faults)).toEqual([]);
  });

  it("takes over the claims of a dead worker when the lease ends", async () => {
    const harness = await freshHarness(like);
    const { url, deliveries } = await startReceiver();
    const hookId = await createHook(harness, url);
    await createJob(harness);
    const scope = { tenantId: harness.acme.tenantId, rowScopes: [{ kind: "tenant" }] } as const;
    const now = harness.clock.now();
    const leasedUntil = "2026-11-21T12:00:45.000000";
    const claim = { hookId, now, leasedBy: "dead", leasedUntil, limit: 10, firstEventId: 0 };
    expect(await harness.service.store.direct(scope).dueDeliveries.claim(claim)).toHaveLength(1);
    const worker = startTestWorker(harness);
    harness.clock.advance(44 * seconds);
    await worker.drain();
    expect(deliveries).toHaveLength(0);
    harness.clock.advance(1 * seconds);
    await worker.drain();
    expect(deliveries).toHaveLength(1);
    expect(harness.store.rows("deliveries")).toMatchObject([{ attempt: 1, status: "delivered" }]);
  });

  it("releases an aborted delivery without counting the attempt", async () => {
    const harness = await freshHarness(like);
    const { url, deliveries } = await startReceiver(() => undefined);
    await createHook(harness, url);
    for (let number = 0; number < 6; number += 1) await createJob(harness);
    const worker = startTestWorker(harness);
    await eventually(() => expect(deliveries).toHaveLength(1));
    const stoppingMs = performance.now();
    await worker.stop(100);
    expect(performance.now() - stoppingMs).toBeLessThan(5 * seconds);
    const rows = harness.store.rows("deliveries");
    expect(rows).toHaveLength(6);
    for (const row of rows) {
      expect(row).toMatchObject({
        attempt: 0,
        leased_by: null,
        next_attempt_on: testStart,
        status: "pending",
      });
    }
    expect(harness.store.rows("delivery_attempts")).toEqual([]);
  });

  it("sends nothing to a deleted webhook, not even deliveries that were due before", async () => {
    const harness = await freshHarness(like);
    const { url, deliveries } = await startReceiver();
    const hookId = await createHook(harness, url);
    await createJob(harness);
    await harness.ok("hooks.delete", { params: { hook_id: hookId } });
    await startTestWorker(harness).drain();
    expect(deliveries).toEqual([]);
    expect(harness.store.rows("deliveries")).toMatchObject([
      { attempt: 0, finished_on: testStart, next_attempt_on: null, status: "cancelled" },
    ]);
  });

  it("finds by polling what another process has added to the outbox", async () => {
    const harness = await freshHarness(like);
    const { url, deliveries } = await startReceiver();
    await createHook(harness, url);
    const worker = startTestWorker(harness);
    await worker.drain();
    const other = await freshHarnessOn(harness);
    await createJob(other);
    await eventually(() => expect(deliveries).toHaveLength(1));
  });
});

describeInProcessOnSqlite("a worker on either database", (like) => {
  it("sends an event in the documented form", async () => {
    const harness = await freshHarness(like);
    const { url, deliveries } = await startReceiver(204);
    const hookId = await createHook(harness, url, { secret, api_version: "2021/05/07" });
    const worker = startTestWorker(harness);
    await worker.drain();
    const jobId = await createJob(harness);
    await eventually(() => expect(deliveries).toHaveLength(1));

    const [delivery] = harness.store.rows("deliveries");
    const event = harness.store.rows("events").at(-1);
    const { headers, body, method } = deliveries[0] ?? { headers: {}, body: "" };
    const atVersion = await harness.ok("jobs.get", {
      params: { location_id: harness.acme.locationId, job_id: jobId },
      version: "2021/05/07",
    });
    expect(method).toBe("POST");
    expect(Object.keys(JSON.parse(body))).toEqual([
      "action",
      "api_version",
      "data",
      "id",
      "tenant_id",
      "timestamp",
      "type",
    ]);
    expect(JSON.parse(body)).toEqual({
      action: "created",
      api_version: "2021/05/07",
      data: atVersion,
      id: event?.uuid,
      tenant_id: harness.acme.tenantId,
      timestamp: testStart,
      type: "Job",
    });
    const timestamp = String(toEpochMs(testStart) / 1000);
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": expect.stringMatching(/^dispatch-cli\//),
      "webhook-id": event?.uuid,
      "webhook-signature": toStandardSignature(secret, String(event?.uuid), timestamp, body),
      "webhook-timestamp": timestamp,
      "x-api-version": "2021/05/07",
      "x-service-delivery": delivery?.uuid,
      "x-service-event": "Job",
      "x-service-signature": toSignature(secret, body),
      "x-tenant-id": String(harness.acme.tenantId),
    });
    await worker.drain();
    expect(worker.lines).toMatchObject([{ hook_id: hookId, status: 204, state: "delivered", attempt: 1 }]);
  });

  it("retries on schedule with the same event, delivery and body, until it succeeds", async () => {
    const harness = await freshHarness(like);
    const { url, deliveries } = await startReceiver((response, number) =>
      response.writeHead(number < 4 ? 500 : 200).end(),
    );
    await createHook(harness, url, { secret });
    await createJob(harness);
    const worker = startTestWorker(harness);
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await worker.drain();
      const [row] = harness.store.rows("deliveries");
      expect(row).toMatchObject({ attempt, http_status: 500, status: "pending", finished_on: null });
      const next = String(row?.next_attempt_on);
      waits.push((toEpochMs(next) - toEpochMs(harness.clock.now())) / 1000);
      // One millisecond too early, the worker sends nothing.
      harness.clock.advance(toEpochMs(next) - toEpochMs(harness.clock.now()) - 1);
      await worker.drain();
      expect(deliveries).toHaveLength(attempt);
      harness.clock.set(next);
    }
    await worker.drain();
    expect(harness.store.rows("deliveries")).toMatchObject([{ attempt: 4, status: "delivered" }]);
    for (const [index, wait] of [5, 300, 1800].entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(wait * 0.8);
      expect(waits[index]).toBeLessThanOrEqual(wait * 1.2);
    }
    expect(new Set(deliveries.map(({ body }) => body)).size).toBe(1);
    for (const header of ["webhook-id", "x-service-delivery", "x-service-signature"]) {
      expect(new Set(deliveries.map(({ headers }) => headers[header])).size, header).toBe(1);
    }
    const stamps = new Set(deliveries.map(({ headers }) => headers["webhook-timestamp"]));
    expect(stamps.size).toBe(4);
    for (const { body, headers } of deliveries) {
      const { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": signature } = headers;
      expect(signature).toBe(toStandardSignature(secret, String(id), String(at), body));
    }
  });

  it("pauses a busy receiver as long as Retry-After says", async () => {
    const harness = await freshHarness(like);
    const { url } = await startReceiver((response) =>
      response.writeHead(429, { "retry-after": "7200" }).end(),
    );
    await createHook(harness, url);
    await createJob(harness);
    await startTestWorker(harness).drain();
    const [row] = harness.store.rows("deliveries");
    expect(toEpochMs(String(row?.next_attempt_on)) - toEpochMs(testStart)).toBe(7200 * seconds);
  });

  it("does not let slow and dead webhooks delay another one, whatever their number", async () => {
    const harness = await freshHarness(like);
    const held: (() => void)[] = [];
    let isOver = false;
    const slow = await startReceiver((response) => {
      if (isOver) response.end();
      else held.push(() => response.end());
    });
    const dead = await unusedUrl();
    for (let number = 0; number < 70; number += 1) await createHook(harness, slow.url);
    for (let number = 0; number < 10; number += 1) await createHook(harness, dead);
    const good = await startReceiver();
    await createHook(harness, good.url);
    for (let number = 0; number < 5; number += 1) await createJob(harness);
    const worker = startTestWorker(harness);
    await eventually(() => expect(good.deliveries).toHaveLength(5));
    // The worker sends only one delivery at a time to an unknown receiver.
    expect(held.length).toBeLessThanOrEqual(70);
    isOver = true;
    for (const end of held) end();
    await worker.drain();
    expect(slow.deliveries).toHaveLength(350);
    expect(worker.faults).toEqual([]);
  });

  it("counts an attempt that cannot be prepared as failed, and continues with the others", async () => {
    const harness = await freshHarness(like);
    const { url, deliveries } = await startReceiver();
    const broken = await createHook(harness, url);
    const fine = await createHook(harness, url);
    harness.store.update("hooks", broken, { secret: "no base64!" });
    await createJob(harness);
    const worker = startTestWorker(harness);
    await worker.drain();
    expect(deliveries).toHaveLength(1);
    expect(worker.faults).toHaveLength(1);
    expect(worker.lines.map(({ hook_id: hook, state }) => [hook, state]).sort()).toEqual([
      [broken, "pending"],
      [fine, "delivered"],
    ]);
  });

  it("signs with both secrets during a rotation, the new one first", async () => {
    const harness = await freshHarness(like);
    const { url, deliveries } = await startReceiver();
    const hookId = await createHook(harness, url, { secret });
    const old = "b2xkLXNlY3JldC1rZXktMTIz";
    harness.store.update("hooks", hookId, {
      old_secret: old,
      old_secret_until: "2026-11-21T13:00:00.000000",
    });
    await createJob(harness);
    const worker = startTestWorker(harness);
    await worker.drain();
    harness.clock.advance(60 * minutes);
    await createJob(harness);
    await worker.drain();
    const signed = deliveries.map(({ headers, body }) => {
      const [id, at] = [String(headers["webhook-id"]), String(headers["webhook-timestamp"])];
      const by = (key: string) => toStandardSignature(key, id, at, body);
      return [headers["webhook-signature"], `${by(secret)} ${by(old)}`, by(secret)];
    });
    expect(signed[0]?.[0]).toBe(signed[0]?.[1]);
    expect(signed[1]?.[0]).toBe(signed[1]?.[2]);
  });
});

/** Opens the same store as another process would, without hints. */
async function freshHarnessOn(harness: Awaited<ReturnType<typeof freshHarness>>) {
  const { openService } = await import("../../src/core/open-service.ts");
  const service = openService({ data: harness.store.data, clock: harness.clock });
  const { createLocalClient } = await import("../support/local-client.ts");
  const { toActor } = await import("../../src/core/actor.ts");
  const { callers, tenantId } = harness.acme;
  const client = createLocalClient(service, toActor(tenantId, callers.Dispatcher.user, null, null));
  const { onTestFinished } = await import("vitest");
  onTestFinished(() => service.store.close());
  return {
    acme: harness.acme,
    ok: (name: "jobs.create", request: object) => client.call(name, request as never),
  } as unknown as typeof harness;
}
