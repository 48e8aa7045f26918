import { expect, it } from "vitest";
import { createHook } from "../../support/delivering.ts";
import { toViolations } from "../../support/describe-input.ts";
import { startReceiver, toStandardSignature } from "../../support/receiver.ts";
import { describeOnEveryTarget, freshHarness } from "../../support/targets.ts";

const old = "c2VjcmV0LWtleS0xMjM0NTY=";

describeOnEveryTarget("hooks.rotate-secret", (harness) => {
  const rotate = (hook_id: number, body: object = {}) =>
    harness.call("hooks.rotate-secret", { as: "Admin", params: { hook_id }, body });

  it("returns a new secret; both secrets sign until the overlap ends, then only the new one", async () => {
    const own = await freshHarness(harness);
    const { url, deliveries } = await startReceiver();
    const hook_id = await createHook(own, url, { secret: old });
    const params = { hook_id };
    const hook = await own.ok("hooks.rotate-secret", { as: "Admin", params, body: {} });
    expect(hook).toMatchObject({ id: hook_id, old_secret_until: "2026-11-22T12:00:00.000000" });
    expect(Buffer.from(hook.secret ?? "", "base64")).toHaveLength(32);
    await own.ok("hooks.ping", { params });
    own.clock.set("2026-11-22T12:00:00.000000");
    await own.ok("hooks.ping", { params });
    const signatures = deliveries.map(({ headers, body }) => {
      const [id, at] = [String(headers["webhook-id"]), String(headers["webhook-timestamp"])];
      const by = (key: string) => toStandardSignature(key, id, at, body);
      const names = { [by(hook.secret ?? "")]: "new", [by(old)]: "old" };
      return String(headers["webhook-signature"])
        .split(/ (?=v1,)/)
        .map((signature) => names[signature]);
    });
    expect(signatures).toEqual([["new", "old"], ["new"]]);
  });

  it.each([0, 1, 168])("accepts an overlap of %i hours", async (overlap_hours) => {
    const id = await createHook(harness, "https://example.com/", { secret: old });
    const { status, body } = await rotate(id, { overlap_hours });
    const until = new Date(Date.UTC(2026, 10, 21, 12 + overlap_hours)).toISOString().slice(0, 19);
    expect(status).toBe(200);
    expect(body).toMatchObject({ old_secret_until: overlap_hours === 0 ? null : `${until}.000000` });
    expect(harness.store.rows("hooks").find((row) => row.id === id)?.old_secret).toBe(
      overlap_hours ? old : null,
    );
  });

  it.each([
    [-1, "too_small"],
    [169, "too_big"],
    [1.5, "wrong_type"],
    ["24", "wrong_type"],
  ])("refuses an overlap of %s", async (overlap_hours, code) => {
    const id = await createHook(harness, "https://example.com/");
    const before = harness.store.contents();
    expect(toViolations(await rotate(id, { overlap_hours }))).toEqual([
      400,
      [code, "RotateWebhookSecretModel.overlap_hours"],
    ]);
    expect(harness.store.contents()).toEqual(before);
  });

  it("stores no secret in the audit trail", async () => {
    const id = await createHook(harness, "https://example.com/", { secret: old });
    const { body } = await rotate(id);
    const entry = harness.store.rows("audit").at(-1);
    expect(entry).toMatchObject({ action: "secret_rotated", operation: "hooks.rotate-secret" });
    const written = JSON.stringify(harness.store.rows("audit"));
    expect(written).not.toContain(old);
    expect(written).not.toContain((body as { secret: string }).secret);
  });

  it("ends the overlap when a PATCH sets a secret", async () => {
    const id = await createHook(harness, "https://example.com/", { secret: old });
    await rotate(id);
    const hook = await harness.ok("hooks.update", { params: { hook_id: id }, body: { secret: old } });
    expect(hook.old_secret_until).toBe(null);
  });

  it("is refused for a deactivated webhook, and for a webhook of another tenant", async () => {
    const id = await createHook(harness, "https://example.com/");
    await harness.ok("hooks.delete", { params: { hook_id: id } });
    expect((await rotate(id)).status).toBe(409);
    expect((await rotate(harness.globex.hookId)).status).toBe(404);
  });
});
