import { beforeAll, expect, it } from "vitest";
import type { Role } from "../../../src/models/user.ts";
import { aHauler, aHaulerRow } from "../../support/builders.ts";
import { describePaging } from "../../support/describe-input.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";
import type { Caller } from "../../support/tenants.ts";

const nowhere = "00000000-0000-4000-8000-000000000000";

describeOnEveryTarget("haulers.list and haulers.get", (harness) => {
  let others: string[];

  beforeAll(async () => {
    harness.store.insert("haulers", aHaulerRow(harness.acme.haulerId));
    const made = [];
    for (const company_name of ["Zed", "Able"])
      made.push(await harness.ok("haulers.create", { body: aHauler({ company_name }) }));
    others = made.map(({ id }) => id);
  });

  const seenBy = async (as: Role | Caller) =>
    (await harness.ok("haulers.list", { as })).results.map(({ id }) => id);

  it("show every hauler to the office, sorted by name, in every tenant", async () => {
    const { results } = await harness.ok("haulers.list", { as: "Dispatcher" });
    expect(results.map(({ name }) => name)).toEqual(["Able", expect.stringMatching(/^Hauler /), "Zed"]);
    expect(results).toEqual((await harness.ok("haulers.list", { as: harness.globex.caller })).results);
    expect(await harness.ok("haulers.get", { params: { hauler_uuid: results[0]?.id ?? "" } })).toEqual(
      results[0],
    );
    const bound = await harness.addCaller({ location_id: harness.acme.locationId, roles: ["Dispatcher"] });
    expect(await seenBy(bound)).toHaveLength(3);
  });

  it("show a third party only the hauler that it is bound to, and otherwise no hauler", async () => {
    expect(await seenBy("ThirdPartyDispatcher")).toEqual([harness.acme.haulerId]);
    const as = "ThirdPartyDispatcher";
    expect(
      (await harness.call("haulers.get", { as, params: { hauler_uuid: harness.acme.haulerId } })).status,
    ).toBe(200);
    for (const hauler_uuid of [others[0] ?? "", nowhere]) {
      const error = await harness.refused("haulers.get", { as, params: { hauler_uuid } });
      expect(error).toMatchObject({ detail: `There is no hauler ${hauler_uuid}.`, status: 404 });
    }
    const unbound = await harness.addCaller({ roles: ["ThirdPartyDispatcher"] });
    expect(await seenBy(unbound)).toEqual([]);
  });

  it("find a hauler by its id in either letter case", async () => {
    const hauler_uuid = harness.acme.haulerId.toUpperCase();
    expect((await harness.ok("haulers.get", { params: { hauler_uuid } })).id).toBe(harness.acme.haulerId);
    const bound = { roles: ["ThirdPartyDispatcher"], third_party_hauler_id: hauler_uuid };
    expect(await seenBy(await harness.addCaller(bound))).toEqual([harness.acme.haulerId]);
  });

  describePaging((query) => harness.call("haulers.list", { query }));
});
