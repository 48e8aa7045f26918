import { describe, expect, it } from "vitest";
import {
  kindOfField,
  kindOfList,
  kindOfName,
  kindOfNoun,
  kindOfOperation,
} from "../../src/records/find-kind.ts";
import type { RecordKind } from "../../src/records/record-kind.ts";
import { kindOf } from "../../src/records/record-kinds.ts";

describe("a kind of record", () => {
  it.each([
    ["truck_id", "trucks"],
    ["requested_by", "customers"],
    ["customer_ids", "customers"],
    ["hauler_uuid", "haulers"],
    ["final_location_id", "dump-destinations"],
    ["event_id", "events"],
    ["event_uuid", "events"],
    ["sales_rep_id", null],
    ["name", null],
  ])("is found by the field %s: %s", (field, noun) => {
    expect(kindOfField(field)?.noun ?? null).toBe(noun);
  });

  it("is found by its noun, by a field with one id of it, and by a field with a list of ids", () => {
    expect(kindOfNoun("asset-types")?.label).toBe("asset type");
    expect(kindOfNoun("asset_type")).toBeNull();
    for (const name of ["asset-types", "asset_type", "asset_types"])
      expect(kindOfName(name)?.noun).toBe("asset-types");
    expect(kindOfName("images")).toBeNull();
  });

  it("is found by its operations and its lists", () => {
    expect(kindOfOperation("jobs.dispatch").noun).toBe("jobs");
    expect(kindOfList("locations.jobs")?.noun).toBe("jobs");
    expect(kindOfList("locations.customer")).toBeNull();
    expect(() => kindOfOperation("cranes.list")).toThrow("cranes.list works on no kind of record");
  });

  it("names only existing operations and tables", () => {
    // @ts-expect-error: no operation has this name
    const wrongList: RecordKind = { ...kindOf("trucks"), list: "trucks.lst" };
    // @ts-expect-error: no table has this name
    const wrongTable: RecordKind = { ...kindOf("trucks"), table: "truck" };
    // @ts-expect-error: no kind of record has this noun
    const noKind = () => kindOf("cranes");
    expect([wrongList.noun, wrongTable.noun, noKind()]).toEqual(["trucks", "trucks", undefined]);
  });

  it("provides the names of its operations as types", () => {
    const list: "trucks.list" = kindOf("trucks").list;
    expect(list).toBe("trucks.list");
  });
});
