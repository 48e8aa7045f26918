import { describe, expect, it } from "vitest";
import type { Board } from "../../../../src/board/board.ts";
import { drawMap as drawMapWith } from "../../../../src/cli/commands/jobs-map/draw-map.ts";
import { toMapPage as toMapPageWith } from "../../../../src/cli/commands/jobs-map/map-page.ts";
import { aBoard, aBoardJob, aBoardLocation, aBoardTruck, aPlace } from "../day/a-board.ts";

/** No position is the center of a ZIP. */
const drawMap = (board: Board) => drawMapWith(board, () => null);
const toMapPage = (board: Board) => toMapPageWith(board, () => null);

const around = (index: number) =>
  aPlace({ latitude: 38.8 + ((index * 7) % 100) / 500, longitude: -77 + ((index * 13) % 97) / 300 });

const count = (text: string, part: string | RegExp) => text.split(part).length - 1;

/** Finds unclosed tags. An SVG document is XML, and a browser shows no part of invalid XML. */
function findOpenTags(markup: string): string[] {
  const open: string[] = [];
  for (const [, end, name = "", self] of markup.matchAll(/<(\/?)([a-z]\w*)(?:\s[^<>]*?)?(\/?)>/gi)) {
    if (self) continue;
    if (!end) open.push(name);
    else if (open.pop() !== name) return [`</${name}>`];
  }
  return open;
}

describe("the map of a day", () => {
  it("draws a route and numbered stops in job order for each truck, and a legend", () => {
    const jobs = [1, 2, 3].map((id) => aBoardJob(id, { address: around(id) }));
    const other = [4, 5].map((id) => aBoardJob(id, { address: around(id), state: "completed" as const }));
    const board = aBoard([aBoardLocation([aBoardTruck(1, jobs), aBoardTruck(2, other), aBoardTruck(3, [])])]);
    const svg = drawMap(board);
    expect(count(svg, "<polyline")).toBe(2);
    for (const mark of ["A1", "A2", "A3", "B1", "B2"]) expect(svg).toContain(`>${mark}</text>`);
    expect(svg).toContain("3 stops, 0 completed");
    expect(svg).toContain("2 stops, 2 completed");
    expect(svg).toMatch(/>\d+ mi</);
    expect(findOpenTags(svg)).toEqual([]);
    expect(drawMap(board)).toBe(svg);
  });

  it("marks late stops with a ring, and draws jobs without a truck gray and unconnected", () => {
    const unassigned = [
      aBoardJob(1, { state: "unassigned" }),
      aBoardJob(2, { state: "unassigned", is_late: true }),
    ];
    const svg = drawMap(aBoard([aBoardLocation([], { unassigned })]));
    expect(svg).toContain(">?1</text>");
    expect(count(svg, '<rect class="late"')).toBe(1);
    expect(count(svg, "<polyline")).toBe(0);
  });

  it("counts and names the stops without coordinates", () => {
    const nowhere = [null, aPlace({ latitude: 0, longitude: 0 })];
    const jobs = nowhere.map((address, index) => aBoardJob(index + 1, { address }));
    const svg = drawMap(aBoard([aBoardLocation([aBoardTruck(1, [...jobs, aBoardJob(3)])])]));
    expect(svg).toContain("A1 job 1 \u2068Customer 1\u2069, A2 job 2 \u2068Customer 2\u2069.");
    expect(svg).toContain("3 stops, 1 on the map");
    const none = drawMap(aBoard([aBoardLocation([aBoardTruck(1, jobs)])]));
    expect(none).toContain("Not on the map");
    expect(findOpenTags(none)).toEqual([]);
  });

  it("marks approximate stops, and draws those of one ZIP center as one marker with a count", () => {
    const center = { latitude: 38.86, longitude: -76.979 };
    const jobs = [aPlace(center), aPlace(center), aPlace(center), around(5)].map((address, index) =>
      aBoardJob(index + 1, { address }),
    );
    const alone = [aBoardJob(9, { address: aPlace(center) })];
    const board = aBoard([aBoardLocation([aBoardTruck(1, jobs), aBoardTruck(2, alone)])]);
    const page = toMapPageWith(board, () => center);
    for (const mark of ["~A ×3", "A4", "~B1"]) expect(page).toContain(`>${mark}</text>`);
    expect(page).toContain("~ is approximate");
    expect(count(page, "~1745 T Street SE")).toBe(4);
    expect(page).toMatch(/<title>A1: job 1[^<]*A2: job 2[^<]*A3: job 3/);
  });

  it("shows any text literally", () => {
    const name = `<script>alert("x")</script> & 'a' \u0001\u{1f69a} שלום`;
    const job = aBoardJob(1, {
      address: aPlace({ locality: name, line_1: name }),
      customer: { id: 1, name },
      type_name: name,
    });
    const board = aBoard([aBoardLocation([aBoardTruck(1, [job], { name })], { name })]);
    for (const text of [drawMap({ ...board, tenant: { id: 1, name } }), toMapPage(board)]) {
      expect(text).not.toContain("<script");
      expect(text).not.toContain("\u0001");
      expect(text).toContain(
        "&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;a&#39; \ufffd\u{1f69a} שלום",
      );
    }
    expect(findOpenTags(drawMap(board))).toEqual([]);
  });

  it("has a map for each location", () => {
    const place = (id: number) =>
      aBoardLocation([aBoardTruck(id, [aBoardJob(id)])], { id, name: `Yard ${id}` });
    const svg = drawMap(aBoard([place(1), place(2)]));
    expect(count(svg, 'class="land"')).toBe(2);
    expect(svg).toContain("Yard 2");
  });

  it("reports a day without jobs", () => {
    expect(drawMap(aBoard([]))).toContain("No jobs that day.");
  });

  it("holds 2,000 stops of 200 trucks, even at one point", () => {
    const trucks = Array.from({ length: 200 }, (_, truck) =>
      aBoardTruck(
        truck + 1,
        Array.from({ length: 10 }, (_, index) =>
          aBoardJob(truck * 10 + index + 1, { address: truck % 2 ? aPlace() : around(truck * 10 + index) }),
        ),
      ),
    );
    const page = toMapPage(aBoard([aBoardLocation(trucks)]));
    expect(page).toMatch(/\d+ stops are dots without room for a number/);
    // Every stop has a row, with or without a number.
    expect(count(page, "<tr><td>")).toBe(2000);
    expect(page).toContain(">GR</text>");
  });

  it("requests nothing from the network", () => {
    const page = toMapPage(aBoard([aBoardLocation([aBoardTruck(1, [aBoardJob(1)])])]));
    expect(page.replace('xmlns="http://www.w3.org/2000/svg"', "")).not.toMatch(
      /https?:|src=|href=|url\(|@import/,
    );
  });
});
