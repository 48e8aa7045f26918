import { expect, it } from "vitest";
import { Zone } from "../../../src/local-time/zone.ts";
import type { CellReading } from "../../../src/sync/rows/read-cell.ts";
import { createTally } from "../../../src/sync/rows/read-cell.ts";
import { resolveWindow } from "../../../src/sync/rows/resolve-window.ts";

const cells: CellReading = {
  isExport: false,
  now: "2026-05-01T12:00:00.000000",
  order: "mdy",
  tally: createTally(),
  typeWords: new Map(),
  zone: new Zone("America/Denver"),
};

/** Resolves a row's time window, for a job on June 1 in Denver, where UTC is then 6 hours ahead. */
function resolve(time_window: string) {
  const record: Record<string, unknown> = { schedule_date: "2026-06-01T00:00:00.000000" };
  const refused: string[] = [];
  const draft = { address: null, contact: null, id: null, onlyNew: { address: {}, record: {} }, record: {} };
  resolveWindow({ ...draft, named: { time_window } }, record, cells, (field) => void refused.push(field));
  return { end: record.desired_end_time, refused, start: record.desired_start_time };
}

it("reads a window to the microsecond as options do, also one that starts at midnight UTC", () => {
  expect(resolve("6-8pm")).toEqual({
    end: "2026-06-02T02:00:00.000000",
    refused: [],
    start: "2026-06-02T00:00:00.000000",
  });
});

it("reads a single time as the earliest time, and refuses other text", () => {
  expect(resolve("8am")).toMatchObject({ end: undefined, start: "2026-06-01T14:00:00.000000" });
  expect(resolve("soon")).toMatchObject({ refused: ["desired_start_time"], start: undefined });
});

it("reads 1:30-4:00 as the afternoon on a 12-hour clock, as options do", () => {
  const afternoon = { end: "2026-06-01T22:00:00.000000", start: "2026-06-01T19:30:00.000000" };
  expect(resolve("1:30-4:00")).toMatchObject({ ...afternoon, refused: [] });
  expect(resolve("1:30 to 4")).toMatchObject({ ...afternoon, refused: [] });
  expect(resolve("5-7")).toMatchObject({ refused: ["desired_start_time"] });
});
