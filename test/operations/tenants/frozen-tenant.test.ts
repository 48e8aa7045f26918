import { expect, it } from "vitest";
import { toActor } from "../../../src/core/actor.ts";
import { callOperation } from "../../../src/core/call-operation.ts";
import { newestVersion } from "../../../src/models/api-versions.ts";
import { createLocation } from "../../../src/operations/locations.ts";
import type { Tenant } from "../../../src/store/queries/accounts.ts";
import type { Harness } from "../../support/harness.ts";
import { describeOverHttpOnEveryDatabase } from "../../support/targets.ts";

describeOverHttpOnEveryDatabase("a frozen tenant", (harness: Harness) => {
  const create = (as: typeof harness.globex.caller | "Admin") =>
    harness.call("locations.create", { as, body: { name: "Yard" } });

  async function update(changes: Partial<Tenant>) {
    const { accounts } = harness.service.store;
    const tenant = await accounts.findTenant(harness.acme.tenantId);
    if (!tenant) throw new Error("The tenant is missing.");
    await accounts.updateTenant({ ...tenant, ...changes });
  }

  it("answers reads, and refuses changes until it is unfrozen; other tenants work", async () => {
    await update({ frozen_reason: "moving to another server" });
    const { body, headers, status } = await create("Admin");
    expect([status, headers["retry-after"], body]).toEqual([
      503,
      "60",
      expect.objectContaining({
        code: "tenant_frozen",
        detail: "The tenant cannot be changed now: moving to another server.",
      }),
    ]);
    await harness.ok("locations.list", { as: "Admin" });
    const whoami = await harness.send({ path: "/whoami", headers: harness.headersOf("Admin") });
    expect(JSON.parse(whoami.text)).toMatchObject({ frozen_reason: "moving to another server" });
    expect((await create(harness.globex.caller)).status).toBe(200);
    await update({ frozen_reason: null });
    expect((await create("Admin")).status).toBe(200);
  });

  it.each([{ frozen_reason: "moving" }, { is_active: false }])(
    "refuses a change that the server began before %j",
    async (stopped) => {
      const { acme, service } = harness;
      const user = await service.store.accounts.findUser(acme.tenantId, null);
      if (!user) throw new Error("The tenant has no user.");
      const call = {
        actor: { ...toActor(acme.tenantId, user, null, null), tokenId: 1 },
        body: async () => {
          await update(stopped);
          return { name: "Late" };
        },
        params: {},
        query: {},
        requestId: service.makeUuid(),
        version: newestVersion,
      };
      await expect(callOperation(service, createLocation, call)).rejects.toMatchObject({
        code: "tenant_frozen",
      });
      await update({ frozen_reason: null, is_active: true });
      expect(JSON.stringify((await harness.ok("locations.list", { as: "Admin" })).results)).not.toContain(
        "Late",
      );
    },
  );

  it("sends its deliveries only after it is unfrozen and active", async () => {
    const hook = { api_version: "2023/04/19", events: ["Truck"], url: "https://93.184.215.14/hook" };
    await harness.ok("hooks.create", { as: "Admin", body: hook });
    const { id } = await harness.ok("locations.create", { as: "Admin", body: { name: "Yard" } });
    await harness.ok("trucks.create", {
      as: "Admin",
      params: { location_id: id },
      body: { name: "Truck 1" },
    });
    const { backlog } = harness.service.store;
    const due = () => backlog.endpointsDue("2999-01-01T00:00:00.000000");
    for (const stopped of [{ frozen_reason: "moving" }, { is_active: false }]) {
      await update(stopped);
      expect([await due(), await backlog.nextAttempt()]).toEqual([[], null]);
      await update({ frozen_reason: null, is_active: true });
      expect(await due()).toHaveLength(1);
    }
  });

  it("answers 410 with the new address after its move, also to a request without a tenant", async () => {
    await update({ is_active: false, moved_to: "https://new.example.com" });
    const moved = { code: "tenant_moved", detail: "The tenant was moved to https://new.example.com." };
    const read = await harness.call("locations.list", { as: "Admin" });
    expect([read.status, read.body]).toMatchObject([410, moved]);
    const home = await harness.call("tenants.list", { as: "Admin" });
    expect([home.status, home.body]).toMatchObject([410, moved]);
    await update({ is_active: false, moved_to: null });
    expect((await harness.call("locations.list", { as: "Admin" })).status).toBe(403);
  });
});
