import { expect, it } from "vitest";
import { setUpTenant } from "../../../src/core/setup.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";
import { addToken } from "../../support/tenants.ts";
import { testStart } from "../../support/test-clock.ts";

describeOnEveryTarget("tenants.list", (harness) => {
  it("returns the tenant of the caller, with every field", async () => {
    expect(await harness.ok("tenants.list", { as: "Driver" })).toEqual({
      current_limit: 100,
      current_page: 1,
      results: [
        {
          address: null,
          city: null,
          code: null,
          created_on: testStart,
          email: null,
          id: harness.acme.tenantId,
          is_active: true,
          name: "Acme",
          phone: null,
          state: null,
          paper: "letter",
          time_zone: "UTC",
          truck_limit: null,
          zip: null,
        },
      ],
      total_count: 1,
      total_pages: 1,
    });
  });

  it("returns every active tenant of the person, and no other tenant", async () => {
    const { service } = harness;
    const owner = { username: "wanda", uid: service.makeUuid() };
    const first = await setUpTenant(service, "First", owner);
    const second = await setUpTenant(service, "Second", owner);
    const closed = await setUpTenant(service, "Closed", owner);
    harness.store.update("tenants", closed.scope.tenantId, { is_active: 0 });
    const { token } = await addToken(service, second, "wanda");
    const as = { tenantId: second.scope.tenantId, token, user: second.user };
    const { results } = await harness.ok("tenants.list", { as });
    expect(results.map(({ name }) => name)).toEqual(["First", "Second"]);
    const page = await harness.ok("tenants.list", { as, query: { page_index: 2, page_limit: 1 } });
    expect(page).toMatchObject({ results: [{ id: second.scope.tenantId }], total_count: 2, total_pages: 2 });
    expect(first.scope.tenantId).toBeLessThan(second.scope.tenantId);
  });
});
