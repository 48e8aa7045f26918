import { expect, it } from "vitest";
import { directionOf, isolate, toStretches } from "../../src/documents/direction.ts";

/** The parts of a line, from left to right; `<` marks parts in right-to-left order. */
const lay = (line: string) =>
  toStretches(line, directionOf(line) ?? "ltr").map(
    ({ rightToLeft, text }) => `${rightToLeft ? "<" : ""}${text}`,
  );

it.each([
  ["a Hebrew line with a number", "שלום 77 משאית", ["< משאית", "77", "<שלום "]],
  ["a Hebrew word in an English line", "Ring דנה now", ["Ring ", "<דנה", " now"]],
  ["an English word in an Arabic line", "محمد DHL شركة", ["< شركة", "DHL", "<محمد "]],
  ["an English line", "Ring Dana (2)", ["Ring Dana (2)"]],
])("orders the parts of a line for reading: %s", (_, line, parts) => {
  expect(lay(line)).toEqual(parts);
});

it("keeps the digit groups of a telephone number in order, and drops isolating characters", () => {
  expect(lay(`محمد  ${isolate("+966 11 555")}`)).toEqual(["+966 11 555", "<محمد  "]);
});

it("mirrors the brackets of a right-to-left line", () => {
  expect(lay("קוד (שער)")).toEqual(["<קוד )שער("]);
});

it("does nothing to a line of left-to-right letters", () => {
  expect(["Ring Dana", "東京 12", "Ελλάδα", ""].map(directionOf)).toEqual([null, null, null, null]);
});
