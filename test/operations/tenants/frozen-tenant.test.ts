import { expect, it } from "vitest";
import type { Harness } from "../../support/harness.ts";
import { describeOverHttpOnEveryDatabase } from "../../support/targets.ts";

describeOverHttpOnEveryDatabase("a frozen tenant", (harness: Harness) => {
  const create = (as: typeof harness.globex.caller | "Admin") =>
    harness.call("locations.create", { as, body: { name: "Yard" } });

  async function freeze(reason: string | null) {
    const { accounts } = harness.service.store;
    const tenant = await accounts.findTenant(harness.acme.tenantId);
    if (!tenant) throw new Error("The tenant is missing.");
    await accounts.updateTenant({ ...tenant, frozen_reason: reason });
  }

  it("answers reads, and refuses changes until it is unfrozen; other tenants work", async () => {
    await freeze("moving to another server");
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
    await freeze(null);
    expect((await create("Admin")).status).toBe(200);
  });
});
