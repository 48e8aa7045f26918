import { describe, expect, it } from "vitest";
import { type DateOrder, dateOrderOf } from "../../src/local-time/date-order.ts";
import { toFieldValue } from "../../src/local-time/field-time.ts";
import { readTime } from "../../src/local-time/read-time.ts";
import { Zone } from "../../src/local-time/zone.ts";

const denver = new Zone("America/Denver", "24h");
/** A Friday, 8:15 in Denver. */
const now = "2026-11-27T15:15:00.000000";

function read(text: string, order: DateOrder = "mdy", at = now, zone = denver) {
  const understood = readTime(text, { now: at, order, zone });
  return "refusal" in understood ? understood.refusal : understood.time;
}

describe("typed days", () => {
  it.each([
    ["today", "2026-11-27"],
    ["Tomorrow", "2026-11-28"],
    ["yesterday", "2026-11-26"],
    ["fri", "2026-11-27"],
    ["mon", "2026-11-30"],
    ["next fri", "2026-12-04"],
    ["last friday", "2026-11-20"],
    ["+3d", "2026-11-30"],
    ["-1w", "2026-11-20"],
    ["+3", "2026-11-30"],
    ["12/1", "2026-12-01"],
    ["12/1/2026", "2026-12-01"],
    ["12-1-26", "2026-12-01"],
    ["1.12.", "2026-12-01"],
    ["1.12.2027", "2027-12-01"],
    ["Dec 1", "2026-12-01"],
    ["1-Dec-26", "2026-12-01"],
    ["1-Dec", "2026-12-01"],
    ["1 december 2027", "2027-12-01"],
    ["December 1st, 2026", "2026-12-01"],
    ["2026-12-01", "2026-12-01"],
    ["2026/12/1", "2026-12-01"],
    ["20261201", "2026-12-01"],
    ["25/12", "2026-12-25"],
  ])("reads %s as %s", (text, day) => {
    expect(read(text)).toEqual({ day });
  });

  it("reads a day without a year as a day of this year, unless it is more than 60 days ago", () => {
    expect(read("9/28")).toEqual({ day: "2026-09-28" });
    expect(read("9/27")).toEqual({ day: "2027-09-27" });
    expect(read("1/15")).toEqual({ day: "2027-01-15" });
  });

  it("reads numbers in the order of the country, and reports its reading of an ambiguous date", () => {
    expect(read("12/1", "dmy")).toEqual({ day: "2027-01-12" });
    expect(readTime("12/1", { now, order: "mdy", zone: denver })).toMatchObject({
      note: "12/1 was read as Tue Dec 1",
    });
    expect(readTime("12/25", { now, order: "mdy", zone: denver })).toMatchObject({ note: null });
    expect(
      ["America/Denver", "Pacific/Auckland", "Europe/Berlin", "Asia/Tokyo", "UTC"].map((name) =>
        dateOrderOf({ name }),
      ),
    ).toEqual(["mdy", "dmy", "dmy", "ymd", "mdy"]);
  });

  it("uses the current day of the zone, not of UTC", () => {
    expect(read("today", "mdy", "2026-11-28T03:00:00.000000")).toEqual({ day: "2026-11-27" });
    expect(read("today", "dmy", "2026-11-27T15:00:00.000000", new Zone("Pacific/Auckland"))).toEqual({
      day: "2026-11-28",
    });
  });
});

describe("typed times", () => {
  it.each([
    ["8:00", "2026-11-27T15:00:00.000000"],
    ["8am", "2026-11-27T15:00:00.000000"],
    ["8:30 p.m.", "2026-11-28T03:30:00.000000"],
    ["noon", "2026-11-27T19:00:00.000000"],
    ["12am", "2026-11-27T07:00:00.000000"],
    ["tomorrow 8:00", "2026-11-28T15:00:00.000000"],
    ["8:00 tomorrow", "2026-11-28T15:00:00.000000"],
    ["fri at 17:30", "2026-11-28T00:30:00.000000"],
    ["12/1 8am", "2026-12-01T15:00:00.000000"],
    ["2026-12-01 08:00", "2026-12-01T15:00:00.000000"],
    ["2026-12-01T08:00:00", "2026-12-01T15:00:00.000000"],
    ["+2h", "2026-11-27T17:15:00.000000"],
    ["7/1 8:00", "2027-07-01T14:00:00.000000"],
  ])("reads %s as %s", (text, moment) => {
    expect(read(text)).toEqual({ moment });
  });

  it("reads a bare hour after today and tomorrow by the clock of the location, unless it is ambiguous", () => {
    const moment = "2026-11-28T15:00:00.000000";
    expect(read("tomorrow 8")).toEqual({ moment });
    const halves = new Zone("America/Denver", "12h");
    const readOnHalves = (text: string) => read(text, "mdy", now, halves);
    expect(readOnHalves("tomorrow 8")).toEqual({ moment });
    expect(readOnHalves("tomorrow at 3")).toEqual({ moment: "2026-11-28T22:00:00.000000" });
    for (const text of ["tomorrow 5", "tomorrow 25", "fri 8"])
      expect(readOnHalves(text)).toBe("is not a time; write an hour like 8:00 or 8am");
  });

  it("reads the API format, and any time with an offset, exactly", () => {
    expect(read("2026-12-01T08:00:00.000000")).toEqual({ moment: "2026-12-01T08:00:00.000000" });
    expect(read("2026-12-01T08:00:00Z")).toEqual({ moment: "2026-12-01T08:00:00.000000" });
    expect(read("2026-12-01 08:00+01:00")).toEqual({ moment: "2026-12-01T07:00:00.000000" });
  });

  it("refuses a local time that does not exist, and uses the first of two equal ones", () => {
    expect(read("3/14/2027 2:30")).toBe(
      "does not exist: the clocks of America/Denver are set forward past 2:30 on Sun Mar 14 2027",
    );
    expect(readTime("11/1/2026 1:30", { now, order: "mdy", zone: denver })).toEqual({
      note: "11/1/2026 was read as Sun Nov 1; 1:30 on Sun Nov 1 occurs twice in America/Denver; the first is used",
      time: { moment: "2026-11-01T07:30:00.000000" },
    });
  });

  it.each(["", "soon", "8", "25:00", "13pm", "8:00 9:00", "0/0", "12/1/2026/3", "fri mon"])(
    "refuses %j",
    (text) => {
      expect(read(text)).toMatch(/^is not a /);
    },
  );

  it("refuses days that their month does not have", () => {
    expect(read("2/30")).toBe("is not a day of the calendar; write the year too");
    expect(read("2/29/2027")).toBe("is not a day of the calendar");
  });
});

describe("the value of a field", () => {
  const fieldValue = (text: string, field: string) => {
    const understood = readTime(text, { now, order: "mdy", zone: denver });
    return "time" in understood ? toFieldValue(understood.time, field, denver) : understood.refusal;
  };

  it("is the whole day in fields that hold days, and the first moment of the day in others", () => {
    expect(fieldValue("12/1", "schedule_date")).toBe("2026-12-01T00:00:00.000000");
    expect(fieldValue("12/1", "desired_start_time")).toBe("2026-12-01T07:00:00.000000");
  });

  it("is a microsecond after midnight UTC for a moment, because midnight means a day", () => {
    expect(fieldValue("12/1 17:00", "schedule_date")).toBe("2026-12-02T00:00:00.000001");
    expect(fieldValue("12/1 17:00", "desired_start_time")).toBe("2026-12-02T00:00:00.000000");
  });
});

it("accepts the last day of the calendar, and refuses a day that ends after it in UTC", () => {
  expect(read("12/31/9999")).toEqual({ day: "9999-12-31" });
  expect(read("9999-12-31 8:00")).toEqual({ moment: "9999-12-31T15:00:00.000000" });
  expect(read("9999-12-31 23:00")).toBe("is outside of the years 1 to 9999");
});
