import { expect, it } from "vitest";
import type { Harness } from "../support/harness.ts";
import { onceNoticed } from "../support/noticed.ts";
import { describeOverHttpOnEveryDatabase, freshHarness } from "../support/targets.ts";
import type { Caller } from "../support/tenants.ts";
import { serveToo } from "../support/wire-requests.ts";

/** Opens another server on the store, and returns the status of its answer to a caller. */
async function askAnother(harness: Harness): Promise<(caller: Caller) => Promise<number>> {
  const http = await serveToo(harness);
  return async ({ tenantId, token }) => {
    const headers = { authorization: `Bearer ${token}`, "x-tenant-id": String(tenantId) };
    return (await http.send({ headers, path: "/hooks" })).status;
  };
}

describeOverHttpOnEveryDatabase("one of two servers on the same store", (shared) => {
  async function serveTwice() {
    const harness = await freshHarness(shared);
    const caller = await harness.addCaller({ roles: ["Dispatcher"] });
    const there = await askAnother(harness);
    const here = async () => (await harness.call("hooks.list", { as: caller })).status;
    expect([await here(), await there(caller)]).toEqual([200, 200]);
    /** Expects the refusal at once where the change happened, and soon on the other server. */
    const expectRefused = async (status: number) => {
      expect(await here()).toBe(status);
      await onceNoticed(harness, async () => expect(await there(caller)).toBe(status));
    };
    return { caller, expectRefused, harness };
  }

  it("refuses a token that the other server revoked", async () => {
    const { caller, expectRefused, harness } = await serveTwice();
    const params = { token_id: Number(caller.token.split(".")[1]) };
    await harness.ok("tokens.revoke", { as: "Admin", params });
    await expectRefused(401);
  });

  it("refuses the old secret of a token that the other server replaced", async () => {
    const { caller, expectRefused, harness } = await serveTwice();
    const params = { token_id: Number(caller.token.split(".")[1]) };
    const as = await harness.addCaller({ roles: ["Admin", "Dispatcher"] });
    await harness.ok("tokens.rotate", { as, params });
    await expectRefused(401);
  });

  it("refuses a user that the other server has deactivated, or whose role it has removed", async () => {
    for (const [body, status] of [
      [{ roles: ["Driver"] }, 403],
      [{ is_active: false }, 403],
    ] as const) {
      const { caller, expectRefused, harness } = await serveTwice();
      const params = { location_id: harness.acme.locationId, user_id: caller.user.id };
      await harness.ok("users.update", { as: "Admin", params, body });
      await expectRefused(status);
    }
  });

  it("still accepts a token whose revocation was a dry run", async () => {
    const { caller, harness } = await serveTwice();
    const params = { token_id: Number(caller.token.split(".")[1]) };
    await harness.ok("tokens.revoke", { as: "Admin", params, dryRun: true });
    expect((await harness.call("hooks.list", { as: caller })).status).toBe(200);
  });
});
