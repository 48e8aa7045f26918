import { expect, it } from "vitest";
import { aHook } from "../../support/builders.ts";
import { describeOnEveryTarget, freshHarness } from "../../support/targets.ts";

const create = { body: aHook() };

describeOnEveryTarget("a tenant with as many active webhooks as it may have", (like) => {
  it("gets no other, and loses none", async () => {
    const harness = await freshHarness(like, { hooksPerTenantMax: 2 });
    for (let number = 0; number < 2; number += 1) await harness.ok("hooks.create", create);
    const before = harness.store.contents();
    const { status, body } = await harness.call("hooks.create", create);
    expect({ status, body }).toMatchObject({ status: 409, body: { code: "limit_reached" } });
    expect(harness.store.contents()).toEqual(before);
  });

  it("gets another for each that is deactivated, which it cannot have back beside it", async () => {
    const harness = await freshHarness(like, { hooksPerTenantMax: 1 });
    const { id } = await harness.ok("hooks.create", create);
    await harness.ok("hooks.delete", { params: { hook_id: id } });
    const other = await harness.ok("hooks.create", create);
    const enable = { params: { hook_id: id }, body: {} };
    expect((await harness.refused("hooks.enable", enable)).code).toBe("limit_reached");
    await harness.ok("hooks.delete", { params: { hook_id: other.id } });
    expect(await harness.ok("hooks.enable", enable)).toMatchObject({ id, deleted_at: null });
  });

  it("has as many and not one more when all are created at once", async () => {
    const harness = await freshHarness(like, { hooksPerTenantMax: 3 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => harness.call("hooks.create", create)));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([200, 200, 200, 409, 409, 409, 409, 409, 409, 409]);
  });

  it("leaves other tenants as many as they may have", async () => {
    const harness = await freshHarness(like, { hooksPerTenantMax: 2 });
    for (let number = 0; number < 2; number += 1) await harness.ok("hooks.create", create);
    expect((await harness.refused("hooks.create", create)).code).toBe("limit_reached");
    // It has one already.
    await harness.ok("hooks.create", { ...create, as: harness.globex.caller });
  });

  it("has 100 where nobody said otherwise", async () => {
    const harness = await freshHarness(like);
    const { id } = await harness.ok("hooks.create", create);
    harness.store.multiply("hooks", id, 98);
    await harness.ok("hooks.create", create);
    expect((await harness.refused("hooks.create", create)).code).toBe("limit_reached");
  });
});
