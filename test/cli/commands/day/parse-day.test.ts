import { describe, expect, it } from "vitest";
import { parseDay } from "../../../../src/cli/input/parse-day.ts";

const now = "2026-11-21T12:00:00.000000";

describe("a day", () => {
  it.each([
    [undefined, "2026-11-21"],
    ["today", "2026-11-21"],
    ["tomorrow", "2026-11-22"],
    ["yesterday", "2026-11-20"],
    ["+1", "2026-11-22"],
    ["+10", "2026-12-01"],
    ["-21", "2026-10-31"],
    ["2026-12-01", "2026-12-01"],
    ["20261201", "2026-12-01"],
    ["2024-02-29", "2024-02-29"],
  ])("%s is %s", (text, date) => {
    expect(parseDay(text, now).date).toBe(date);
  });

  it("lasts from its midnight to the next, in UTC", () => {
    expect(parseDay("today", "2026-12-31T23:59:59.999999")).toEqual({
      date: "2026-12-31",
      start: "2026-12-31T00:00:00.000000",
      end: "2027-01-01T00:00:00.000000",
    });
  });

  it.each([
    "",
    "monday",
    "2026-13-41",
    "2026-02-30",
    "2026-12",
    "+",
    "+99999",
    "1",
    "2026-12-01T10:00",
    "__proto__",
  ])("is not %j, and the refusal shows what is", (text) => {
    expect(() => parseDay(text, now)).toThrow(/tomorrow.*2026-12-01/);
  });
});
