import { expect, it } from "vitest";
import { aHook } from "../../support/builders.ts";
import { startReceiver, toSignature, toStandardSignature, unusedUrl } from "../../support/receiver.ts";
import { describeOnEveryTarget, describeOverHttp } from "../../support/targets.ts";
import { testStart } from "../../support/test-clock.ts";

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
const secret = " c2VjcmV0LWtleS0xMjM0NTY=\n";

describeOnEveryTarget("hooks.ping", (harness) => {
  const createHook = async (changes: object) => {
    const { id } = await harness.ok("hooks.create", { body: aHook({ secret, ...changes }) });
    return { hook_id: id };
  };

  it("posts one signed Ping to the URL and returns the result", async () => {
    const { url, deliveries } = await startReceiver(204);
    const params = await createHook({ api_version: "2021/04/07", events: ["Job"], url });
    const result = await harness.ok("hooks.ping", { as: "Admin", params });
    expect(result).toEqual({ delivery_id: uuid, http_status: 204, message: "No exceptions raised." });

    expect(deliveries).toHaveLength(1);
    const { method, path, headers, body } = deliveries[0] ?? { headers: {}, body: "" };
    expect([method, path]).toEqual(["POST", "/hook"]);
    expect(JSON.parse(body)).toEqual({
      action: "pinged",
      api_version: "2021/04/07",
      data: { id: params.hook_id },
      id: uuid,
      tenant_id: harness.acme.tenantId,
      timestamp: testStart,
      type: "Ping",
    });
    const seconds = String(Date.UTC(2026, 10, 21, 12) / 1000);
    const id = JSON.parse(body).id;
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": expect.stringMatching(/^dispatch-cli\/\d+\.\d+\.\d+/),
      "webhook-id": id,
      "webhook-signature": toStandardSignature(secret, id, seconds, body),
      "webhook-timestamp": seconds,
      "x-api-version": "2021/04/07",
      "x-service-delivery": result.delivery_id,
      "x-service-event": "Ping",
      "x-service-signature": toSignature(secret, body),
      "x-tenant-id": String(harness.acme.tenantId),
    });
  });

  it("stores the times of the last success and the last failure", async () => {
    const good = await startReceiver();
    const params = await createHook({ url: good.url });
    const times = async () => {
      const { last_http_fail, last_http_success } = await harness.ok("hooks.get", { params });
      return [last_http_success, last_http_fail];
    };
    expect(await times()).toEqual([null, null]);
    harness.clock.set("2026-11-21T13:00:00.000000");
    await harness.ok("hooks.ping", { params });
    expect(await times()).toEqual(["2026-11-21T13:00:00.000000", null]);
    await harness.ok("hooks.update", { params, body: { url: await unusedUrl() } });
    harness.clock.set("2026-11-21T14:00:00.000000");
    await harness.ok("hooks.ping", { params });
    expect(await times()).toEqual(["2026-11-21T13:00:00.000000", "2026-11-21T14:00:00.000000"]);
  });

  it.each([301, 404, 410, 500, 599])("returns the failure status %i, with status 200", async (status) => {
    const { url, deliveries } = await startReceiver(status);
    const params = await createHook({ url });
    const result = await harness.ok("hooks.ping", { params });
    expect(result).toMatchObject({ http_status: status, message: expect.stringContaining(String(status)) });
    const hook = await harness.ok("hooks.get", { params });
    expect([hook.last_http_fail, hook.last_http_success]).toEqual([harness.clock.now(), null]);
    expect(deliveries).toHaveLength(1);
  });

  it("returns -1 and the reason when the connection is refused", async () => {
    const params = await createHook({ url: await unusedUrl() });
    const result = await harness.ok("hooks.ping", { params });
    expect(result).toEqual({
      delivery_id: uuid,
      http_status: -1,
      message: expect.stringMatching(/refused/i),
    });
  });

  it("returns -1 when the host name is unknown", async () => {
    const params = await createHook({ url: "http://nowhere.invalid/" });
    expect(await harness.ok("hooks.ping", { params })).toMatchObject({
      http_status: -1,
      message: expect.stringContaining("nowhere.invalid"),
    });
  });

  it("works for a webhook that subscribes to no events", async () => {
    const { url, deliveries } = await startReceiver();
    const params = await createHook({ url });
    await harness.ok("hooks.update", { params, body: { events: [] } });
    expect(await harness.ok("hooks.ping", { params })).toMatchObject({ http_status: 200 });
    expect(deliveries).toHaveLength(1);
  });

  it("creates a new delivery each time", async () => {
    const { url, deliveries } = await startReceiver();
    const params = await createHook({ url });
    const ids = [await harness.ok("hooks.ping", { params }), await harness.ok("hooks.ping", { params })];
    expect(ids[0]?.delivery_id).not.toBe(ids[1]?.delivery_id);
    expect(JSON.parse(deliveries[0]?.body ?? "{}").id).not.toBe(JSON.parse(deliveries[1]?.body ?? "{}").id);
  });
});

describeOverHttp("the answer of hooks.ping", (harness) => {
  it.each([
    ["if the receiver answers", () => startReceiver()],
    ["if it does not", async () => ({ url: await unusedUrl() })],
  ])("is signed with the secret of the hook %s (interface: operation 7)", async (_, target) => {
    const { url } = await target();
    const { id } = await harness.ok("hooks.create", { body: aHook({ secret, url }) });
    const answer = await harness.send({
      path: `/hooks/${id}/ping`,
      headers: harness.headersOf("Dispatcher"),
    });
    expect(answer.status).toBe(200);
    expect(answer.headers["x-service-signature"]).toBe(toSignature(secret, answer.text));
  });

  it("is not signed when the ping is refused", async () => {
    const answer = await harness.send({
      path: "/hooks/999999/ping",
      headers: harness.headersOf("Dispatcher"),
    });
    expect(answer.status).toBe(404);
    expect(answer.headers).not.toHaveProperty("x-service-signature");
  });
});
