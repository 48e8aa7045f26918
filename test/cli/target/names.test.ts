import { expect, it } from "vitest";
import { createNames } from "../../../src/cli/target/names.ts";
import { aDriver } from "../../support/builders.ts";
import { clientOfToken } from "../../support/local-client.ts";
import { describeInProcessOnSqlite } from "../../support/targets.ts";

describeInProcessOnSqlite("the names of records at many locations", (harness) => {
  it("are read once, through one list", async () => {
    const trucks: { driver_id: number; location_id: number }[] = [];
    for (let number = 1; number <= 7; number++) {
      const body = { name: `Yard ${number}` };
      const { id: location_id } = await harness.ok("locations.create", { as: "Admin", body });
      const params = { location_id };
      const drivers = [`A ${number}`, `B ${number}`].map((name) => aDriver({ name }));
      for (const driver of drivers) {
        const { id } = await harness.ok("drivers.create", { params, body: driver });
        trucks.push({ driver_id: id, location_id });
      }
    }
    const called: string[] = [];
    const { Dispatcher } = harness.acme.callers;
    const names = createNames(await clientOfToken(harness.service, Dispatcher, (name) => called.push(name)));
    for (const part of [trucks, trucks])
      await names.learn(part, ["driver_id"], ({ location_id }) => Number(location_id));
    expect(called).toEqual(["drivers.all"]);
    const found = trucks.slice(0, 3).map((truck) => names.nameIn(truck, "driver_id"));
    expect(found).toEqual(["A 1", "B 1", "A 2"]);
  });
});
