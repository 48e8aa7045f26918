import { describe, expect, it } from "vitest";
import { aHook } from "../../support/builders.ts";
import { describePaging, toViolations } from "../../support/describe-input.ts";
import { describeOnEveryTarget, freshHarness } from "../../support/targets.ts";

const secret = " c2VjcmV0LWtleS0xMjM0NTY=\n";

describeOnEveryTarget("a webhook", (harness) => {
  const create = (changes: object = {}) => harness.ok("hooks.create", { body: aHook({ ...changes }) });
  const params = ({ id }: { id: number }) => ({ hook_id: id });

  it("is returned with every field after its creation", async () => {
    const body = { events: ["Job", "Truck"], secret, url: "https://example.com/hook" };
    expect(await harness.ok("hooks.create", { body })).toEqual({
      ...body,
      api_version: "2019/02/08",
      deleted_at: null,
      deleted_reason: null,
      description: null,
      headers: null,
      id: expect.any(Number),
      include_cause: false,
      include_previous: false,
      last_http_fail: null,
      last_http_success: null,
      old_secret_until: null,
      rate_limit: null,
      standard_secret: `whsec_${secret.trim()}`,
      subscriptions: body.events,
    });
  });

  it("gets a new random secret of 32 bytes by default", async () => {
    const secrets = [(await create()).secret ?? "", (await create({ secret: null })).secret ?? ""];
    for (const made of secrets) {
      expect(made).toMatch(/^[A-Za-z0-9+/]{43}=$/);
      expect(Buffer.from(made, "base64")).toHaveLength(32);
    }
    expect(secrets[0]).not.toBe(secrets[1]);
  });

  it("shows its secret to the caller that sets it, and otherwise only to Admins", async () => {
    const hook = await create({ secret });
    expect(hook.secret).toBe(secret);
    const of = params(hook);
    const shown = async (as: "Admin" | "Dispatcher") => {
      const { results } = await harness.ok("hooks.list", { as, query: { page_limit: 1000 } });
      return [
        (await harness.ok("hooks.get", { as, params: of })).secret,
        results.find(({ id }) => id === hook.id)?.secret,
        (await harness.ok("hooks.update", { as, params: of, body: { events: ["Ping"] } })).secret,
        (await harness.ok("hooks.update", { as, params: of, body: { secret } })).secret,
        (await harness.ok("hooks.delete", { as, params: params(await create({ secret })) })).secret,
      ];
    };
    expect(await shown("Admin")).toEqual([secret, secret, secret, secret, secret]);
    expect(await shown("Dispatcher")).toEqual([null, null, null, secret, null]);
  });

  it("writes nothing for a PATCH that changes nothing", async () => {
    const hook = await create({ events: ["Job", "Truck"], secret });
    const before = harness.store.contents();
    for (const body of [{}, { events: hook.events, secret, url: hook.url }])
      expect(await harness.ok("hooks.update", { as: "Admin", params: params(hook), body })).toEqual(hook);
    expect(harness.store.contents()).toEqual(before);
  });

  it("changes only the fields in a PATCH", async () => {
    const hook = await create({ events: ["Job"], secret });
    const update = (body: object) => harness.ok("hooks.update", { as: "Admin", params: params(hook), body });
    expect(await update({})).toEqual(hook);
    expect(await update({ events: [] })).toEqual({ ...hook, events: [], subscriptions: [] });
    expect(await update({ url: "https://example.com/b" })).toEqual({
      ...hook,
      events: [],
      subscriptions: [],
      url: "https://example.com/b",
    });
    const version = "2021/11/04";
    expect(await update({ api_version: version, url: hook.url })).toEqual({
      ...hook,
      api_version: version,
      events: [],
      subscriptions: [],
    });
  });

  it("is deactivated by DELETE, which returns the time (interface: States)", async () => {
    const hook = await create();
    harness.clock.set("2026-11-21T12:34:56.123456");
    const deleted = await harness.ok("hooks.delete", { params: params(hook) });
    expect(deleted).toEqual({
      ...hook,
      deleted_at: "2026-11-21T12:34:56.123456",
      secret: null,
      standard_secret: null,
    });
    expect(await harness.ok("hooks.get", { params: params(hook) })).toEqual(deleted);
  });

  it("is returned unchanged when it is deleted again", async () => {
    const hook = await create();
    const first = await harness.ok("hooks.delete", { params: params(hook) });
    harness.clock.advance(60_000);
    const before = harness.store.contents();
    expect(await harness.ok("hooks.delete", { params: params(hook) })).toEqual(first);
    expect(harness.store.contents()).toEqual(before);
  });

  it("refuses changes and pings after its deactivation", async () => {
    const hook = await create();
    await harness.ok("hooks.delete", { params: params(hook) });
    const before = harness.store.contents();
    const refusals = [
      await harness.refused("hooks.update", { params: params(hook), body: { events: ["Job"] } }),
      await harness.refused("hooks.ping", { params: params(hook) }),
    ];
    for (const error of refusals) expect(error).toMatchObject({ status: 409, code: "state_conflict" });
    expect(harness.store.contents()).toEqual(before);
  });

  it("cannot use a private address unless the policy allows it, and nothing is delivered to one", async () => {
    const guarded = await freshHarness(harness, { allowsPrivateHooks: false });
    const send = (url: string) => guarded.call("hooks.create", { body: aHook({ url }) });
    for (const url of [
      "http://127.0.0.1/",
      "http://10.1.2.3/",
      "http://[::1]/",
      "http://169.254.169.254/",
      "http://localhost/",
    ]) {
      expect(toViolations(await send(url)), url).toEqual([400, ["invalid_format", "CreateWebhookModel.url"]]);
    }
    const hook = await guarded.ok("hooks.create", { body: aHook() });
    const update = { params: params(hook), body: { url: "http://192.168.0.1/" } };
    expect(toViolations(await guarded.call("hooks.update", update))).toEqual([
      400,
      ["invalid_format", "UpdateWebhookModel.url"],
    ]);
    // Write the address directly, as if the policy allowed private addresses when it was set.
    guarded.store.update("hooks", hook.id, { url: "http://127.0.0.1:1/" });
    const ping = await guarded.ok("hooks.ping", { params: params(hook) });
    expect(ping).toMatchObject({ http_status: -1, message: expect.stringContaining("127.0.0.1") });
  });

  describe("in a list", () => {
    it("can be filtered by deleted: true keeps deactivated webhooks, false keeps active ones, the default keeps both", async () => {
      const [kept, gone] = [await create(), await create()];
      await harness.ok("hooks.delete", { params: params(gone) });
      const ids = async (query: Record<string, string>) => {
        const { results } = await harness.ok("hooks.list", { query: { ...query, page_limit: 1000 } });
        return results.map(({ id }) => id).filter((id) => id === kept.id || id === gone.id);
      };
      expect(await ids({})).toEqual([kept.id, gone.id]);
      expect(await ids({ deleted: "true" })).toEqual([gone.id]);
      expect(await ids({ deleted: "false" })).toEqual([kept.id]);
    });

    describePaging((query) => harness.call("hooks.list", { query }));
  });
});
