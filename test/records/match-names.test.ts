import { expect, it } from "vitest";
import { matchNames } from "../../src/records/match-names.ts";
import { kindOf } from "../../src/records/record-kinds.ts";

it("finds an address by the line on cards, or by a part of it", () => {
  const address = { id: 1, is_active: true, line_1: "16 Oxford Street", line_2: "R C", locality: "Berkeley" };
  const addresses = [
    { ...address, postcode: "94709", region: "CA" },
    { ...address, id: 2, line_2: "R D", postcode: "94709", region: "CA" },
  ];
  const matchesOf = (words: string) =>
    matchNames(kindOf("addresses"), addresses, words)
      .filter(({ match }) => match === "exact")
      .map(({ record }) => record.id);
  expect(matchesOf("16 Oxford St, R C, Berkeley, CA 94709")).toEqual([1]);
  expect(matchesOf("16 oxford street r d")).toEqual([2]);
  expect(matchesOf("16 Oxford Street")).toEqual([1, 2]);
  expect(matchesOf("16 Oxford Street, Berkeley")).toEqual([]);
});
