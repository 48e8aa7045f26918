import { describe, expect, it } from "vitest";
import { readTime, type TypedAt } from "../../src/local-time/read-time.ts";
import { readWindow } from "../../src/local-time/read-window.ts";
import { sayDayOrMoment, showWindow } from "../../src/local-time/show-time.ts";
import { Zone } from "../../src/local-time/zone.ts";

const zone = new Zone("America/New_York");
const at: TypedAt = { now: "2026-11-21T12:00:00.000000", order: "mdy", zone };
const view = { today: "2026-11-21", zone };
const on = (day: string, hour: string) => `${day}T${hour}:00:00.000000`;
const day = "2026-11-24";

describe("a typed time window", () => {
  it.each([
    ["8:00-10:00", on(day, "13"), on(day, "15")],
    ["8am – 10am", on(day, "13"), on(day, "15")],
    ["8-10", on(day, "13"), on(day, "15")],
    ["1-3pm", on(day, "18"), on(day, "20")],
    ["1pm-3", on(day, "18"), on(day, "20")],
    ["1:00-4 pm", on(day, "18"), on(day, "21")],
    ["11-1pm", on(day, "16"), on(day, "18")],
    ["11am - 1", on(day, "16"), on(day, "18")],
    ["10-2", on(day, "15"), on(day, "19")],
    ["Wed Nov 25 1-3pm", on("2026-11-25", "18"), on("2026-11-25", "20")],
    ["from 8:00", on(day, "13"), null],
    ["until 10am", null, on(day, "15")],
    ["", null, null],
    ["2026-12-01 8:00-10:00", on("2026-12-01", "13"), on("2026-12-01", "15")],
    ["Wed Nov 25 22:00 - Thu Nov 26 2:00", on("2026-11-26", "03"), on("2026-11-26", "07")],
  ])("is understood: %j", (text, start, end) => {
    expect(readWindow(text, day, at)).toEqual({ window: { end, start } });
  });

  it.each([
    ["1:30-4:00", `${day}T18:30:00.000000`, on(day, "21")],
    ["1-3", on(day, "18"), on(day, "20")],
    ["11:30-1:00", `${day}T16:30:00.000000`, on(day, "18")],
    ["01:30-04:00", `${day}T06:30:00.000000`, on(day, "09")],
    ["13:30-16:00", `${day}T18:30:00.000000`, on(day, "21")],
  ])("is of the day, not of the night, on a 12-hour clock: %j", (text, start, end) => {
    expect(readWindow(text, day, at)).toEqual({ window: { end, start } });
  });

  it("means what it says on a 24-hour clock", () => {
    const european = { ...at, zone: new Zone("America/New_York", "24h") };
    const night = { end: on(day, "09"), start: `${day}T06:30:00.000000` };
    expect(readWindow("1:30-4:00", day, european)).toEqual({ window: night });
    expect(readWindow("1-3", day, european)).toEqual({ refusal: expect.stringContaining("is not clear") });
  });

  it("takes pm for both ends", () => {
    const window = { end: on(day, "21"), start: `${day}T18:30:00.000000` };
    expect(readWindow("1:30-4pm", day, at)).toEqual({ window });
  });

  it.each([
    "8:00",
    "5-7",
    "5:30-7:00",
    "whenever",
    "8:00-",
    "22:00-20:00",
    "tomorrow - 8:00",
    "Mon Nov 25 8:00 - 9:00",
    "8:00-25:00",
  ])("is refused, with the reason: %j", (text) => {
    expect(readWindow(text, day, at)).toEqual({
      refusal: expect.stringMatching(/^(is not a window|is not clear|ends before)/),
    });
  });

  it.each([
    [on(day, "13"), on(day, "15")],
    [on(day, "13"), null],
    [null, on(day, "15")],
    [on("2026-11-25", "13"), on("2026-11-25", "15")],
    [on("2027-02-01", "13"), on("2027-02-02", "15")],
  ])("is read back as it is shown: %j to %j", (start, end) => {
    expect(readWindow(showWindow({ end, start }, day, view), day, at)).toEqual({ window: { end, start } });
  });
});

it.each([
  { moment: on(day, "13") },
  { moment: on("2027-02-01", "13") },
  { moment: on("2026-08-03", "12") },
  { moment: on("2026-11-20", "13") },
])("the displayed moment %j is read back as the same moment", (time) => {
  expect(readTime(sayDayOrMoment(time.moment, view), at)).toMatchObject({ time });
});
