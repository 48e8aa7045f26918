import { expect, it } from "vitest";
import { createNames } from "../../../src/cli/target/names.ts";
import type { OperationName } from "../../../src/operations/index.ts";
import { aDriver } from "../../support/builders.ts";
import { createLackingCaller } from "../../support/lacking-caller.ts";
import { describeInProcessOnSqlite } from "../../support/targets.ts";

describeInProcessOnSqlite("the names of records at many locations", (harness) => {
  it("are read by one list of all, and by those of each location where a server has no other (OP-408)", async () => {
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
    const learn = async (lacks: OperationName | null) => {
      const { called, caller } = createLackingCaller(harness, lacks);
      const names = createNames(caller);
      for (const part of [trucks, trucks])
        await names.learn(part, ["driver_id"], ({ location_id }) => Number(location_id));
      return { called, names: trucks.map((truck) => names.nameIn(truck, "driver_id")) };
    };
    const [now, older] = [await learn(null), await learn("drivers.all")];
    expect(now.called).toEqual(["drivers.all"]);
    expect(now.names.slice(0, 3)).toEqual(["A 1", "B 1", "A 2"]);
    expect(older.names).toEqual(now.names);
    // Asked once in vain.
    expect(older.called).toEqual(["drivers.all", ...Array.from({ length: 7 }, () => "drivers.list")]);
  });
});
