import { expect, it } from "vitest";
import { aHook } from "../../support/builders.ts";
import { describeOnEveryTarget, freshHarness } from "../../support/targets.ts";

const create = { body: aHook() };

describeOnEveryTarget("a tenant at its limit of active webhooks", (like) => {
  it("cannot create another webhook, and keeps all it has", async () => {
    const harness = await freshHarness(like, { hooksPerTenantMax: 2 });
    for (let number = 0; number < 2; number += 1) await harness.ok("hooks.create", create);
    const before = harness.store.contents();
    const { status, body } = await harness.call("hooks.create", create);
    expect({ status, body }).toMatchObject({ status: 409, body: { code: "limit_reached" } });
    expect(harness.store.contents()).toEqual(before);
  });

  it("can create a webhook in place of each deactivated one, which it then cannot reactivate", async () => {
    const harness = await freshHarness(like, { hooksPerTenantMax: 1 });
    const { id } = await harness.ok("hooks.create", create);
    await harness.ok("hooks.delete", { params: { hook_id: id } });
    const other = await harness.ok("hooks.create", create);
    const enable = { params: { hook_id: id }, body: {} };
    expect((await harness.refused("hooks.enable", enable)).code).toBe("limit_reached");
    await harness.ok("hooks.delete", { params: { hook_id: other.id } });
    expect(await harness.ok("hooks.enable", enable)).toMatchObject({ id, deleted_at: null });
  });

  it("never exceeds its limit when all are created at once", async () => {
    const harness = await freshHarness(like, { hooksPerTenantMax: 3 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => harness.call("hooks.create", create)));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([200, 200, 200, 409, 409, 409, 409, 409, 409, 409]);
  });

  it("does not reduce the limit of other tenants", async () => {
    const harness = await freshHarness(like, { hooksPerTenantMax: 2 });
    for (let number = 0; number < 2; number += 1) await harness.ok("hooks.create", create);
    expect((await harness.refused("hooks.create", create)).code).toBe("limit_reached");
    // Globex already has one webhook, so this is its second.
    await harness.ok("hooks.create", { ...create, as: harness.globex.caller });
  });

  it("has a default limit of 100", async () => {
    const harness = await freshHarness(like);
    const { id } = await harness.ok("hooks.create", create);
    harness.store.multiply("hooks", id, 98);
    await harness.ok("hooks.create", create);
    expect((await harness.refused("hooks.create", create)).code).toBe("limit_reached");
  });
});
