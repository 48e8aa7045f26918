import { describe, expect, it } from "vitest";
import { readWindow } from "../../src/local-time/read-window.ts";
import { sayDay, showDayOrMoment, showMoment, showWindow } from "../../src/local-time/show-time.ts";
import { dayOf, latestOf } from "../../src/local-time/whole-day.ts";
import { addDays, Zone } from "../../src/local-time/zone.ts";

const denver = new Zone("America/Denver", "24h");
const auckland = new Zone("Pacific/Auckland", "24h");
const view = { today: "2026-08-02", zone: denver };

describe("displayed times", () => {
  it("are in the zone, with the year if it is not the current one", () => {
    expect(showMoment("2026-08-03T14:00:00.000000", view)).toBe("Mon Aug 3 8:00");
    expect(showMoment("2027-01-04T15:05:00.000000", view)).toBe("Mon Jan 4 2027 8:05");
  });

  it("show a whole day as the same day in every zone", () => {
    for (const zone of [denver, auckland])
      expect(showDayOrMoment("2026-08-03T00:00:00.000000", { ...view, zone })).toBe("Mon Aug 3");
    expect(showDayOrMoment("2026-08-03T00:00:00.000001", view)).toBe("Sun Aug 2 18:00");
  });

  it("name the days around today in words", () => {
    expect(["2026-08-01", "2026-08-02", "2026-08-03", "2026-08-04"].map((day) => sayDay(day, view))).toEqual([
      "yesterday",
      "today",
      "tomorrow",
      "Tue Aug 4",
    ]);
  });

  it.each([
    ["14:00", "16:00", "8:00–10:00 am"],
    ["17:00", "19:00", "11:00 am–1:00 pm"],
    ["18:30", "18:30", "12:30 pm–12:30 pm"],
    ["06:15", null, "from 12:15 am"],
    [null, "20:00", "until 2:00 pm"],
  ])("show %s to %s on a 12-hour clock, as people type it", (start, end, shown) => {
    const zone = new Zone("America/Denver");
    const toTime = (time: string | null) => time && `2026-08-03T${time}:00.000000`;
    const window = { end: toTime(end), start: toTime(start) };
    expect(showWindow(window, "2026-08-03", { ...view, zone })).toBe(shown);
    const at = { now: "2026-08-03T14:00:00.000000", order: "mdy", zone } as const;
    expect(readWindow(shown, "2026-08-03", at)).toEqual({ window });
  });

  it.each([
    ["America/New_York", "12h"],
    ["America/Indiana/Knox", "12h"],
    ["Australia/Sydney", "12h"],
    ["America/Mexico_City", "24h"],
    ["Europe/Berlin", "24h"],
    ["UTC", "24h"],
  ])("have the usual clock of %s: %s", (name, clock) => {
    expect(new Zone(name).clock).toBe(clock);
  });

  it("name the days of a window only if they differ from the day of the context", () => {
    const [start, end] = ["2026-08-03T14:00:00.000000", "2026-08-03T16:00:00.000000"];
    expect(showWindow({ start, end }, "2026-08-03", view)).toBe("8:00–10:00");
    expect(showWindow({ start, end }, null, view)).toBe("Mon Aug 3 8:00–10:00");
    expect(showWindow({ start, end: "2026-08-04T08:00:00.000000" }, null, view)).toBe(
      "Mon Aug 3 8:00 – Tue Aug 4 2:00",
    );
    expect(showWindow({ start, end: null }, "2026-08-03", view)).toBe("from 8:00");
    expect(showWindow({ start: null, end }, "2026-08-03", view)).toBe("until 10:00");
  });
});

describe("days of a zone", () => {
  it("start and end at local midnight, also when clocks change", () => {
    expect([denver.startOf("2027-03-14"), denver.endOf("2027-03-14")]).toEqual([
      "2027-03-14T07:00:00.000000",
      "2027-03-15T05:59:59.999999",
    ]);
    // In Santiago the clocks go from 24:00 to 1:00, so this day begins an hour late.
    expect(new Zone("America/Santiago").startOf("2026-09-06")).toBe("2026-09-06T04:00:00.000000");
  });

  it("contain entries for the whole day, and local moments, whatever day they are in UTC", () => {
    expect(dayOf("2026-08-03T00:00:00.000000", denver)).toBe("2026-08-03");
    expect(dayOf("2026-08-03T02:00:00.000000", denver)).toBe("2026-08-02");
    expect(dayOf("2026-08-02T14:00:00.000000", auckland)).toBe("2026-08-03");
    expect(latestOf("2026-08-03T00:00:00.000000", denver)).toBe("2026-08-04T05:59:59.999999");
  });

  it("stay within the API calendar at its ends, in every zone", () => {
    for (const name of ["America/Denver", "UTC", "Asia/Kathmandu", "Pacific/Kiritimati"]) {
      const zone = new Zone(name);
      const view = { today: "2026-11-27", zone };
      const last = "9999-12-31T23:59:59.999999";
      expect(latestOf("9999-12-31T00:00:00.000000", zone) <= last).toBe(true);
      expect(latestOf("9999-12-31T00:00:00.000000", zone) > "9999-12-31T09").toBe(true);
      expect(showMoment(last, view)).toMatch(/^Fri Dec 31 9999 /);
      expect(showMoment("0001-01-01T00:00:00.000000", view)).toMatch(/^Mon Jan 1 1 /);
      expect(zone.startOf("0001-01-01")).toMatch(/^0001-01-01T/);
    }
    expect([addDays("9999-12-31", 1), addDays("0001-01-01", -1)]).toEqual(["9999-12-31", "0001-01-01"]);
  });
});
