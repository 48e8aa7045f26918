import { describe, expect, it } from "vitest";
import { nameOf, namesOf } from "../../src/records/name-record.ts";
import { kindOf } from "../../src/records/record-kinds.ts";

describe("the name of a record", () => {
  it("is the first of its name fields with a text", () => {
    expect(nameOf(kindOf("assets"), { number: "20-117", description: "roll-off" })).toBe("20-117");
    expect(nameOf(kindOf("assets"), { number: null, description: "roll-off" })).toBe("roll-off");
    expect(nameOf(kindOf("jobs"), { reference_number: "", type: "D" })).toBe("D");
    expect(nameOf(kindOf("gps"), { latitude: 1 })).toBeNull();
  });

  it("has a distinguishing text after the name, and never twice", () => {
    const address = { line_1: "1 Main St", locality: "Troy" };
    expect(namesOf(kindOf("customers"), { name: "Ace", addresses: [address] })).toEqual([
      "Ace",
      "1 Main St, Troy",
    ]);
    expect(namesOf(kindOf("customers"), { name: "Ace", addresses: [] })).toEqual(["Ace"]);
    expect(namesOf(kindOf("assets"), { number: null, description: "roll-off" })).toEqual(["roll-off"]);
  });

  it("is followed by a flag only while the flag is set", () => {
    const truck = { name: "Truck 7" };
    expect(namesOf(kindOf("trucks"), { ...truck, out_of_service: true })).toEqual([
      "Truck 7",
      "out of service",
    ]);
    expect(namesOf(kindOf("trucks"), { ...truck, out_of_service: false })).toEqual(["Truck 7"]);
  });
});
