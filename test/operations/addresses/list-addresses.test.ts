import { beforeAll, expect, it } from "vitest";
import { anAddress } from "../../support/builders.ts";
import { describePaging } from "../../support/describe-input.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";

describeOnEveryTarget("addresses.list", (harness) => {
  const list = (query: Record<string, string | boolean> = {}) =>
    harness.call("addresses.list", { params: { customer_id: harness.acme.customerId }, query });
  const ids = (answer: { body: unknown }) =>
    (answer.body as { results: { id: number }[] }).results.map(({ id }) => id);
  let inactive: number;

  beforeAll(async () => {
    const params = { customer_id: harness.acme.customerId };
    for (const body of [anAddress(), anAddress()]) await harness.ok("addresses.add", { params, body });
    inactive = (await harness.ok("addresses.add", { params, body: anAddress() })).id;
    harness.store.update("addresses", inactive, { is_active: 0 });
  });

  it("lists the addresses in the order of their creation, with every field", async () => {
    const body = anAddress({ line_2: "Suite 4" });
    const params = { customer_id: harness.acme.customerId };
    const added = await harness.ok("addresses.add", { params, body });
    const { results } = await harness.ok("addresses.list", { params });
    expect(results.at(-1)).toEqual(added);
    expect(results.map(({ id }) => id)).toEqual(results.map(({ id }) => id).toSorted((a, b) => a - b));
  });

  it("filters by active: true keeps active addresses, false keeps inactive ones, the default keeps both", async () => {
    const [all, active, others] = [
      ids(await list()),
      ids(await list({ active: true })),
      ids(await list({ active: "0" })),
    ];
    expect(others).toEqual([inactive]);
    expect(active).toEqual(all.filter((id) => id !== inactive));
    expect(all).toContain(inactive);
  });

  describePaging(list);
});
