import { describe, expect, it } from "vitest";
import { parseTimestamp } from "../../src/models/timestamps.ts";

const midnight = "T00:00:00.000000";

/** Every accepted date format, with its timestamp. */
const read: [text: string, timestamp: string][] = [
  // Calendar, week and ordinal dates, extended and basic.
  ["2026-11-21", `2026-11-21${midnight}`],
  ["20261121", `2026-11-21${midnight}`],
  ["2026-W47-6", `2026-11-21${midnight}`],
  ["2026W476", `2026-11-21${midnight}`],
  ["2026-325", `2026-11-21${midnight}`],
  ["2026325", `2026-11-21${midnight}`],
  // The earliest and the latest timestamp.
  ["0001-01-01", `0001-01-01${midnight}`],
  ["0001-001", `0001-01-01${midnight}`],
  ["9999-12-31T23:59:59.999999", "9999-12-31T23:59:59.999999"],
  ["2024-02-29", `2024-02-29${midnight}`],
  ["2024-366", `2024-12-31${midnight}`],
  ["2020-W53-7", `2021-01-03${midnight}`],
  ["2026-W01-1", `2025-12-29${midnight}`],
  // Times.
  ["2026-11-21T08", "2026-11-21T08:00:00.000000"],
  ["2026-11-21T08:30", "2026-11-21T08:30:00.000000"],
  ["2026-11-21T08:30:15", "2026-11-21T08:30:15.000000"],
  ["2026-11-21 08:30:15", "2026-11-21T08:30:15.000000"],
  ["20261121T083015", "2026-11-21T08:30:15.000000"],
  ["20261121 0830", "2026-11-21T08:30:00.000000"],
  ["2026-W47-6T08:30:15", "2026-11-21T08:30:15.000000"],
  ["2026325T083015", "2026-11-21T08:30:15.000000"],
  ["2026-11-21T23:59:59.999999", "2026-11-21T23:59:59.999999"],
  // Fractions: digits after the sixth are cut, not rounded.
  ["2026-11-21T08:30:15.5", "2026-11-21T08:30:15.500000"],
  ["2026-11-21T08:30:15,5", "2026-11-21T08:30:15.500000"],
  ["20261121T083015,000001", "2026-11-21T08:30:15.000001"],
  ["2026-11-21T08:30:15.9999999999", "2026-11-21T08:30:15.999999"],
  ["2026-12-31T23:59:59.9999999Z", "2026-12-31T23:59:59.999999"],
  // Zones.
  ["2026-11-21T08:30:15Z", "2026-11-21T08:30:15.000000"],
  ["2026-11-21T08:30:15+00:00", "2026-11-21T08:30:15.000000"],
  ["2026-11-21T08:30:15-00:00", "2026-11-21T08:30:15.000000"],
  ["2026-11-21T08:30:15+05:45", "2026-11-21T02:45:15.000000"],
  ["2026-11-21T08:30:15-0330", "2026-11-21T12:00:15.000000"],
  ["2026-11-21T08:30+02", "2026-11-21T06:30:00.000000"],
  ["2026-11-21T08Z", "2026-11-21T08:00:00.000000"],
  ["2026-01-01T00:30:00.25+01:00", "2025-12-31T23:30:00.250000"],
  ["20261121T083015.5-1200", "2026-11-21T20:30:15.500000"],
  ["2026-11-21 08:30:15+01:00", "2026-11-21T07:30:15.000000"],
  ["9999-12-31T23:59:59+00:01", "9999-12-31T23:58:59.000000"],
];

const refused = [
  "",
  " ",
  "soon",
  "now",
  "1763726400",
  "2026",
  "2026-11",
  "202611",
  "2026-W47",
  "26-11-21",
  "2026-1-2",
  "2026/11/21",
  "21.11.2026",
  "11/21/2026",
  "+002026-11-21",
  "-2026-11-21",
  "2026-11-21 ",
  " 2026-11-21",
  "2026-11-21T",
  "2026-11-21Z",
  "2026-11-21+01:00",
  "2026-11-21t08:30:15z",
  "2026-11-21T08:30:15z",
  "2026-11-21  08:30",
  "2026-11-21_08:30",
  "2026-11-21T8:30",
  "2026-11-21T08:30:15.",
  "2026-11-21T08:30:15.5.5",
  "2026-11-21T08:30:15 Z",
  "2026-11-21T08:30:15 +01:00",
  "2026-11-21T08:30:15+1",
  "2026-11-21T08:30:15+01:0",
  "2026-11-21T08:30:15[UTC]",
  "Sat, 21 Nov 2026 08:30:15 GMT",
  // Mixes the extended and the basic format.
  "2026-11-21T083015",
  "20261121T08:30:15",
  "2026-1121",
  "202611-21",
  "2026-W476",
  "2026W47-6",
  // Dates and times that do not exist.
  "0000-01-01",
  "0001-01-01T00:00:00+00:01",
  "9999-12-31T23:59:59-00:01",
  "10000-01-01",
  "2026-00-10",
  "2026-13-01",
  "2026-11-00",
  "2026-11-31",
  "2026-02-29",
  "1900-02-29",
  "2026-000",
  "2026-366",
  "2026-W00-1",
  "2026-W54-1",
  "2021-W53-1",
  "2026-W47-0",
  "2026-W47-8",
  "2026-11-21T25:00",
  "2026-11-21T24:00:01",
  "2026-11-21T24:00:00.5",
  "2026-11-21T08:60",
  "2026-11-21T08:30:60",
  "2026-11-21T08:30:15+24:00",
  "2026-11-21T08:30:15+01:60",
  "2026-11-21T08:30:15-99:99",
  "2026-11-21T08:30:15+0160",
  // Digits of other scripts, and a character that looks like a minus.
  "２０２６-11-21",
  "2026−11−21",
];

describe("reading a date", () => {
  it.each(read)("%j is %s", (text, timestamp) => {
    expect(parseTimestamp(text)).toBe(timestamp);
  });

  it.each(refused)("refuses %j", (text) => {
    expect(parseTimestamp(text)).toBeNull();
  });

  it("reads the end of a day only as the start of the next day, or refuses it", () => {
    expect(["2026-11-22T00:00:00.000000", null]).toContain(parseTimestamp("2026-11-21T24:00:00"));
  });
});

const firstDay = Date.parse("0001-01-01T00:00:00Z");
const lastDay = Date.parse("9999-12-31T00:00:00Z");
const dayMs = 86_400_000;

/** Days from the first to the last, spread over every weekday and every part of the year. */
const days = Array.from({ length: 1200 }, (_, index) => {
  const offset = Math.floor(((lastDay - firstDay) / dayMs / 1199) * index);
  return new Date(firstDay + offset * dayMs);
});

const pad = (value: number, length: number) => String(value).padStart(length, "0");
const calendarOf = (day: Date) => day.toISOString().slice(0, 10);

function ordinalOf(day: Date): string {
  const start = new Date(day);
  start.setUTCMonth(0, 1);
  return `${pad(day.getUTCFullYear(), 4)}-${pad((day.getTime() - start.getTime()) / dayMs + 1, 3)}`;
}

/** ISO 8601: a week belongs to the year of its Thursday. */
function weekOf(day: Date): string {
  const weekday = day.getUTCDay() || 7;
  const thursday = new Date(day);
  thursday.setUTCDate(day.getUTCDate() + 4 - weekday);
  const week = Math.ceil(Number(ordinalOf(thursday).slice(5)) / 7);
  return `${pad(thursday.getUTCFullYear(), 4)}-W${pad(week, 2)}-${weekday}`;
}

describe("the formats of a date", () => {
  it("mean the same, on 1200 days of ten thousand years", () => {
    for (const day of days) {
      const expected = `${calendarOf(day)}${midnight}`;
      const forms = [calendarOf(day), ordinalOf(day), ...(day.getUTCFullYear() < 9999 ? [weekOf(day)] : [])];
      for (const form of forms) {
        expect(parseTimestamp(form), form).toBe(expected);
        expect(parseTimestamp(form.replaceAll("-", "")), form).toBe(expected);
      }
    }
  });

  it("are stored so that sorting them as text sorts the moments", () => {
    const moments = days.map((day) => parseTimestamp(calendarOf(day)) ?? "");
    expect(moments).toEqual(moments.toSorted());
    expect(new Set(moments).size).toBe(days.length);
  });

  it("are read back as they are written", () => {
    for (const [, timestamp] of read) expect(parseTimestamp(timestamp)).toBe(timestamp);
  });

  it("mean the same in every zone", () => {
    for (const [index, day] of days.entries()) {
      const minutes = (index % 1439) - 719;
      const moment = new Date(day.getTime() + 43_200_000);
      const local = new Date(moment.getTime() + minutes * 60_000).toISOString().slice(0, 19);
      const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
      const offset = `${minutes < 0 ? "-" : "+"}${pad(hours, 2)}:${pad(rest, 2)}`;
      const expected = `${moment.toISOString().slice(0, 19)}.000000`;
      expect(parseTimestamp(`${local}${offset}`), `${local}${offset}`).toBe(expected);
    }
  });
});
