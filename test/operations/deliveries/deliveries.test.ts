import { beforeAll, describe, expect, it } from "vitest";
import { aJob } from "../../support/builders.ts";
import { createHook, createJob, startTestWorker } from "../../support/delivering.ts";
import { describePaging, toViolations } from "../../support/describe-input.ts";
import { startReceiver, unusedUrl } from "../../support/receiver.ts";
import { describeOnEveryTarget, freshHarness } from "../../support/targets.ts";
import { testStart } from "../../support/test-clock.ts";

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
const nowhere = "2f1b1f0e-6c3b-4c55-9d3e-0a8f6d1c2b3a";
const secret = "c2VjcmV0LWtleS0xMjM0NTY=";

describeOnEveryTarget("a delivery in the log", (like) => {
  it("shows each attempt with its request, answer, duration and result", async () => {
    const harness = await freshHarness(like);
    const { url, deliveries } = await startReceiver((response, number) =>
      response.writeHead(number === 1 ? 500 : 200, { authorization: "kept", "x-number": number }).end("ü"),
    );
    const hook_id = await createHook(harness, url, { secret });
    const jobId = await createJob(harness);
    const worker = startTestWorker(harness);
    await worker.drain();
    harness.clock.advance(10_000);
    await worker.drain();

    const { results, total_count } = await harness.ok("deliveries.list", { params: { hook_id } });
    expect(total_count).toBe(1);
    const { delivery_id } = results[0] ?? { delivery_id: "" };
    const delivery = await harness.ok("deliveries.get", { params: { hook_id, delivery_id } });
    const [first, second] = deliveries;
    expect(delivery).toMatchObject({
      action: "created",
      attempt: 2,
      created_on: testStart,
      delivery_id: second?.headers["x-service-delivery"],
      event: "Job",
      event_id: second?.headers["webhook-id"],
      finished_on: harness.clock.now(),
      hook_id,
      http_status: 200,
      message: "No exceptions raised.",
      next_attempt_on: null,
      record_id: jobId,
      status: "delivered",
      request: { body: second?.body, url },
      response: { body: "ü", headers: { authorization: "kept", "x-number": "2" }, status: 200 },
    });
    expect(delivery.request?.headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": second?.headers["user-agent"],
      "webhook-signature": second?.headers["webhook-signature"],
    });
    expect(delivery.attempts).toMatchObject([
      {
        attempt: 1,
        duration_ms: expect.any(Number),
        http_status: 500,
        message: expect.stringContaining("500"),
        request: { body: first?.body, url },
        response: { status: 500, headers: { "x-number": "1" } },
        started_on: testStart,
      },
      { attempt: 2, http_status: 200, request: delivery.request, response: delivery.response },
    ]);
    expect(results).toEqual([{ ...delivery, attempts: null }]);
    expect(JSON.stringify(delivery)).not.toContain(secret);
  });

  it("shows the next attempt while it is pending, and no answer if none arrived", async () => {
    const harness = await freshHarness(like);
    const hook_id = await createHook(harness, await unusedUrl());
    await createJob(harness);
    const list = async () => (await harness.ok("deliveries.list", { params: { hook_id } })).results[0];
    expect(await list()).toMatchObject({
      attempt: 0,
      duration_ms: null,
      http_status: null,
      message: null,
      next_attempt_on: testStart,
      request: null,
      response: null,
      status: "pending",
    });
    await startTestWorker(harness).drain();
    expect(await list()).toMatchObject({
      attempt: 1,
      http_status: -1,
      message: expect.stringMatching(/refused/i),
      next_attempt_on: expect.stringMatching(/^2026-11-21T12:00:0[456]/),
      response: null,
      status: "pending",
    });
  });

  it("is found by the delivery_id that a ping returned", async () => {
    const harness = await freshHarness(like);
    const { url, deliveries } = await startReceiver(418);
    const hook_id = await createHook(harness, url);
    const ping = await harness.ok("hooks.ping", { params: { hook_id } });
    const params = { hook_id, delivery_id: ping.delivery_id };
    expect(await harness.ok("deliveries.get", { params })).toMatchObject({
      action: "pinged",
      attempt: 1,
      event: "Ping",
      http_status: 418,
      message: ping.message,
      record_id: hook_id,
      request: { body: deliveries[0]?.body },
      status: "failed",
    });
    await startTestWorker(harness).drain();
    expect(deliveries).toHaveLength(1);
  });

  it("is listed newest first, filtered by status, time and kind of event", async () => {
    const harness = await freshHarness(like);
    const { url } = await startReceiver();
    const hook_id = await createHook(harness, url);
    await createJob(harness);
    await startTestWorker(harness).drain();
    harness.clock.advance(60_000);
    const since = harness.clock.now();
    await harness.ok("hooks.ping", { params: { hook_id } });
    const list = async (query: Record<string, string>) => {
      const { results } = await harness.ok("deliveries.list", { params: { hook_id }, query });
      return results.map(({ event, status }) => `${event} ${status}`);
    };
    expect(await list({})).toEqual(["Ping delivered", "Job delivered"]);
    expect(await list({ event: "Job" })).toEqual(["Job delivered"]);
    expect(await list({ since })).toEqual(["Ping delivered"]);
    expect(await list({ status: "delivered" })).toHaveLength(2);
    expect(await list({ status: "pending" })).toEqual([]);
    const bad = await harness.call("deliveries.list", { params: { hook_id }, query: { status: "lost" } });
    expect(toViolations(bad)).toEqual([400, ["invalid_choice", "status"]]);
  });

  it("of another webhook or tenant answers the same 404 as a missing one", async () => {
    const harness = await freshHarness(like);
    const { url } = await startReceiver();
    const [mine, other] = [await createHook(harness, url), await createHook(harness, url)];
    const { delivery_id } = await harness.ok("hooks.ping", { params: { hook_id: mine } });
    for (const params of [
      { hook_id: mine, delivery_id: nowhere },
      { hook_id: other, delivery_id },
    ]) {
      const missing = { status: 404, detail: `There is no delivery ${params.delivery_id}.` };
      expect(await harness.refused("deliveries.get", { params })).toMatchObject(missing);
      const body = { delivery_id: params.delivery_id };
      const replay = { params: { hook_id: params.hook_id }, body };
      expect(await harness.refused("deliveries.replay", replay)).toMatchObject(missing);
    }
    for (const hook_id of [999_999, harness.globex.hookId]) {
      const missing = { status: 404, detail: `There is no webhook ${hook_id}.` };
      expect(await harness.refused("deliveries.list", { params: { hook_id } })).toMatchObject(missing);
      expect(await harness.refused("deliveries.get", { params: { hook_id, delivery_id } })).toMatchObject(
        missing,
      );
      const body = { failed_since: "2026-11-20" };
      expect(await harness.refused("deliveries.replay", { params: { hook_id }, body })).toMatchObject(
        missing,
      );
    }
    const asForeigner = { as: harness.globex.caller, params: { hook_id: mine, delivery_id } };
    expect(await harness.refused("deliveries.get", asForeigner)).toMatchObject({ status: 404 });
  });
});

describeOnEveryTarget("deliveries.replay", (like) => {
  const setUp = async (status = 200) => {
    const harness = await freshHarness(like);
    const { url, deliveries } = await startReceiver(status);
    const hook_id = await createHook(harness, url);
    const params = { hook_id };
    const give = (id: unknown, finished_on = harness.clock.now()) =>
      harness.store.update("deliveries", Number(id), {
        status: "failed",
        finished_on,
        next_attempt_on: null,
      });
    return { harness, deliveries, params, give };
  };

  it("creates a new delivery of the same event, which is sent at once", async () => {
    const { harness, deliveries, params } = await setUp();
    await createJob(harness);
    const worker = startTestWorker(harness);
    await worker.drain();
    const [sent] = deliveries;
    const body = { delivery_id: sent?.headers["x-service-delivery"] };
    expect(await harness.ok("deliveries.replay", { params, body })).toEqual({ count: 1 });
    await worker.drain();
    expect(deliveries).toHaveLength(2);
    expect(deliveries[1]?.body).toBe(sent?.body);
    expect(deliveries[1]?.headers["webhook-id"]).toBe(sent?.headers["webhook-id"]);
    expect(deliveries[1]?.headers["x-service-delivery"]).toEqual(uuid);
    expect(deliveries[1]?.headers["x-service-delivery"]).not.toBe(body.delivery_id);
    expect(harness.store.rows("audit").at(-1)).toMatchObject({
      operation: "deliveries.replay",
      action: "replayed",
    });
  });

  it("sends all failed deliveries since a time, in order and once", async () => {
    const { harness, deliveries, params, give } = await setUp();
    const jobs = [
      await createJob(harness),
      await createJob(harness),
      await createJob(harness),
      await createJob(harness),
    ];
    const ids = harness.store.rows("deliveries").map(({ id }) => id);
    give(ids[0], "2026-11-20T00:00:00.000000");
    give(ids[1]);
    give(ids[2]);
    const body = { failed_since: "2026-11-21T00:00:00Z" };
    expect(await harness.ok("deliveries.replay", { params, body })).toEqual({ count: 2 });
    // A pending delivery is not replayed again.
    expect(await harness.ok("deliveries.replay", { params, body })).toEqual({ count: 0 });
    await startTestWorker(harness).drain();
    const sent = deliveries.map((delivery) => JSON.parse(delivery.body).data.id);
    expect(sent.sort()).toEqual([jobs[1], jobs[2], jobs[3]]);
    const uuids = harness.store.rows("deliveries").map((row) => row.uuid);
    expect(new Set(uuids).size).toBe(6);
    // A replayed delivery that fails again can be replayed again, once for the event.
    for (const { id, event_id } of harness.store.rows("deliveries")) {
      if (event_id === harness.store.rows("deliveries")[1]?.event_id) give(id);
    }
    expect(await harness.ok("deliveries.replay", { params, body })).toEqual({ count: 1 });
  });

  it("requires exactly one of delivery_id and failed_since", async () => {
    const { harness, params } = await setUp();
    const send = (body: object) => harness.call("deliveries.replay", { params, body });
    const both = { delivery_id: nowhere, failed_since: "2026-11-20" };
    expect(toViolations(await send({}))).toEqual([
      400,
      ["missing_value", "ReplayDeliveriesModel.delivery_id"],
    ]);
    expect(toViolations(await send(both))).toEqual([
      400,
      ["invalid_choice", "ReplayDeliveriesModel.failed_since"],
    ]);
    expect(toViolations(await send({ failed_since: "2027-01-01" }))).toEqual([
      400,
      ["not_past", "ReplayDeliveriesModel.failed_since"],
    ]);
    expect(toViolations(await send({ delivery_id: "7" }))).toEqual([
      400,
      ["invalid_format", "ReplayDeliveriesModel.delivery_id"],
    ]);
  });

  it("sends a pending delivery at once, without a new delivery", async () => {
    const { harness, deliveries, params } = await setUp(500);
    await createJob(harness);
    const worker = startTestWorker(harness);
    await worker.drain();
    const delivery_id = deliveries[0]?.headers["x-service-delivery"];
    expect(deliveries).toHaveLength(1);
    expect(await harness.ok("deliveries.replay", { params, body: { delivery_id } })).toEqual({ count: 1 });
    await worker.drain();
    expect(deliveries).toHaveLength(2);
    expect(deliveries[1]?.headers["x-service-delivery"]).toBe(delivery_id);
    expect(harness.store.rows("deliveries")).toMatchObject([{ attempt: 2, status: "pending" }]);
  });

  it("is refused for a delivery that ended after the request began, as after another retry", async () => {
    const { harness, params } = await setUp();
    await createJob(harness);
    const { id, uuid: delivery_id } = harness.store.rows("deliveries")[0] ?? {};
    harness.clock.advance(1);
    const finished_on = harness.clock.now();
    harness.clock.advance(-1);
    harness.store.update("deliveries", Number(id), {
      finished_on,
      next_attempt_on: null,
      status: "delivered",
    });
    const late = await harness.refused("deliveries.replay", { params, body: { delivery_id } });
    expect(late).toMatchObject({ status: 409, code: "state_conflict" });
    expect(harness.store.rows("deliveries")).toHaveLength(1);
    harness.clock.advance(1);
    expect(await harness.ok("deliveries.replay", { params, body: { delivery_id } })).toEqual({ count: 1 });
  });

  it("of an ended delivery is refused while an earlier replay of it is pending, or ended after the request began", async () => {
    const { harness, params, give } = await setUp();
    await createJob(harness);
    const { id, uuid: delivery_id } = harness.store.rows("deliveries")[0] ?? {};
    give(id);
    const request = { params, body: { delivery_id } };
    expect(await harness.ok("deliveries.replay", request)).toEqual({ count: 1 });
    const again = await harness.refused("deliveries.replay", request);
    expect(again).toMatchObject({ status: 409, detail: expect.stringContaining("is being sent again") });
    harness.clock.advance(1);
    give(harness.store.rows("deliveries")[1]?.id, harness.clock.now());
    harness.clock.advance(-1);
    expect(await harness.refused("deliveries.replay", request)).toMatchObject({ status: 409 });
    expect(harness.store.rows("deliveries")).toHaveLength(2);
    harness.clock.advance(1);
    expect(await harness.ok("deliveries.replay", request)).toEqual({ count: 1 });
  });

  it("is refused for a delivery under way and for a deactivated webhook; nothing is stored", async () => {
    const { harness, params } = await setUp();
    await createJob(harness);
    const { id, uuid: delivery_id } = harness.store.rows("deliveries")[0] ?? {};
    const leased_until = "2099-01-01T00:00:00.000000";
    harness.store.update("deliveries", Number(id), { leased_by: "w", leased_until });
    const before = harness.store.contents();
    const pending = await harness.refused("deliveries.replay", { params, body: { delivery_id } });
    expect(pending).toMatchObject({ status: 409, code: "state_conflict" });
    expect(harness.store.contents()).toEqual(before);
    await harness.ok("hooks.delete", { params });
    const gone = await harness.refused("deliveries.replay", { params, body: { delivery_id } });
    expect(gone).toMatchObject({ status: 409, detail: expect.stringContaining("enable it first") });
  });
});

describeOnEveryTarget("the paths of deliveries", (harness) => {
  const params = () => ({ hook_id: harness.globex.hookId });
  const as = () => harness.globex.caller;

  beforeAll(async () => {
    const { addressId, customerId, locationId } = harness.globex;
    const body = aJob({ addressId, customerId });
    for (let number = 0; number < 5; number += 1) {
      await harness.ok("jobs.create", { as: as(), params: { location_id: locationId }, body });
    }
  });

  describe("list", () => {
    describePaging((query) => harness.call("deliveries.list", { as: as(), params: params(), query }));
  });
});

describeOnEveryTarget("replaying a period", (like) => {
  it("sends the failed deliveries or all of them, in order, marked, with the same ids", async () => {
    const harness = await freshHarness(like);
    let isDown = false;
    const { url, deliveries } = await startReceiver((response) =>
      response.writeHead(isDown ? 410 : 200).end(),
    );
    const hook_id = await createHook(harness, url, { secret });
    const job_id = await createJob(harness);
    const params = { location_id: harness.acme.locationId, job_id };
    await harness.ok("jobs.update", { params, body: { flags: "second" } });
    const worker = startTestWorker(harness);
    await worker.drain();
    harness.clock.advance(60_000);
    const between = harness.clock.now();
    isDown = true;
    await harness.ok("jobs.update", { params, body: { flags: "third" } });
    await worker.drain();
    await harness.ok("hooks.enable", { params: { hook_id }, body: {} });
    isDown = false;
    harness.clock.advance(60_000);

    const replay = (body: object) => harness.ok("hooks.replay", { params: { hook_id }, body });
    const period = { from: testStart, delivered: true, to: between };
    const tried = await harness.ok("hooks.replay", { params: { hook_id }, body: period, dryRun: true });
    await worker.drain();
    expect([tried, deliveries.length]).toEqual([{ count: 2 }, 3]);
    expect(await replay(period)).toEqual({ count: 2 });
    await worker.drain();
    expect(await replay({ from: testStart })).toEqual({ count: 1 });
    await worker.drain();
    expect(await replay({ from: testStart })).toEqual({ count: 0 });

    const came = deliveries.map(({ body, headers }) => ({
      id: headers["webhook-id"],
      flags: JSON.parse(body).data.flags,
      isReplay: headers["x-service-replay"] === "true",
    }));
    expect(came.map(({ flags, isReplay }) => [flags, isReplay])).toEqual([
      [null, false],
      ["second", false],
      ["third", false],
      [null, true],
      ["second", true],
      ["third", true],
    ]);
    expect(came.slice(3).map(({ id }) => id)).toEqual(came.slice(0, 3).map(({ id }) => id));
    const { results } = await harness.ok("deliveries.list", { params: { hook_id } });
    expect(results.map(({ is_replay }) => is_replay)).toEqual([true, true, true, false, false, false]);
  });

  it("is refused if its end is before its start, and for a webhook that is not active", async () => {
    const harness = await freshHarness(like);
    const params = { hook_id: await createHook(harness, await unusedUrl()) };
    const body = { from: testStart, to: testStart };
    expect(toViolations(await harness.call("hooks.replay", { params, body }))).toEqual([
      400,
      ["too_small", "ReplayWebhookModel.to"],
    ]);
    await harness.ok("hooks.delete", { params });
    expect(await harness.call("hooks.replay", { params, body: { from: testStart } })).toMatchObject({
      status: 409,
    });
  });
});
