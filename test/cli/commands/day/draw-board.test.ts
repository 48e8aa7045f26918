import { describe, expect, it } from "vitest";
import type { Board } from "../../../../src/board/board.ts";
import { drawBoard } from "../../../../src/cli/commands/day/draw-board.ts";
import { fitBoard } from "../../../../src/cli/commands/day/fit-board.ts";
import { widthOf } from "../../../../src/cli/output/fit-text.ts";
import { openScreen } from "../../../../src/cli/output/screen.ts";
import { aBoard, aBoardJob, aBoardLocation, aBoardTruck, aPlace } from "./a-board.ts";

const screenOf = (width: number, isTerminal = true) => openScreen({ isTerminal, width, color: false });

async function draw(board: Board, width: number): Promise<string> {
  return `\n${drawBoard(board, await screenOf(width)).join("\n")}\n`;
}

const on = (time: string) => `2026-11-21T${time}:00.000000`;

/** A day with jobs in every state. Names are long, wide, or contain control sequences. */
const day = aBoard([
  aBoardLocation(
    [
      aBoardTruck(7, [
        aBoardJob(11, {
          customer: { id: 1, name: "Potomac Roofing" },
          desired_end_time: on("09:00"),
          desired_start_time: on("07:30"),
          state: "completed",
        }),
        aBoardJob(12, {
          customer: { id: 2, name: "株式会社東京建設サービス" },
          state: "in progress",
          type_name: "Swap",
        }),
        aBoardJob(13, { desired_end_time: on("11:00"), is_late: true, state: "acknowledged" }),
        aBoardJob(1014, { desired_start_time: on("14:00"), customer: { id: 9, name: null }, address: null }),
      ]),
      aBoardTruck(
        8,
        [
          aBoardJob(15, { state: "failed", customer: { id: 3, name: "A\u001b[31mB" } }),
          aBoardJob(16, { state: "declined", schedule_date: on("15:15") }),
        ],
        { driver: null, name: "Truck 8 with a name that goes on", out_of_service: true },
      ),
      aBoardTruck(9, []),
      aBoardTruck(10, [], { out_of_service: true }),
    ],
    {
      unassigned: [
        aBoardJob(17, { state: "unassigned", address: aPlace({ line_1: "1 Main St", locality: "Łódź" }) }),
      ],
    },
  ),
]);

describe("the board of a day", () => {
  it("stacks a block for each truck at 80 columns", async () => {
    expect(await draw(day, 80)).toMatchInlineSnapshot(`
      "
      Sat Nov 21 (today) · Acme · Main yard  12:00:00 UTC
      7 jobs · 1 completed · 5 open · 1 unassigned · ! 1 late · 1 failed
      ○ unassigned  → dispatched  ● acknowledged  ▶ in progress  ✓ completed  ✗ failed
      ⊘ declined  ! late

      On no truck · 1 to assign
          ○               17 Drop-off Customer 17             1 Main St, Łódź

      Truck 7 · Dana · 1 of 4 done · ! 1 late
          ✓ 7:30–9:00     11 Drop-off Potomac Roofing         1745 T Street SE, Washi…
          ▶               12 Swap     株式会社東京建設サービ… 1745 T Street SE, Washi…
        ! ● until 11:00   13 Drop-off Customer 13             1745 T Street SE, Washi…
          → from 14:00  1014 Drop-off customer 9

      Truck 8 with a name that … · no driver · 0 of 2 done · 1 failed · out of service
          ✗               15 Drop-off A\\x1b[31mB              1745 T Street SE, Washi…
          ⊘ 15:15         16 Drop-off Customer 16             1745 T Street SE, Washi…

      Without jobs · 2 trucks
        Truck 9, Truck 10 (out of service)
      "
    `);
  });

  it("places blocks side by side at 160 columns", async () => {
    expect(await draw(day, 160)).toMatchInlineSnapshot(`
      "
      Sat Nov 21 (today) · Acme · Main yard  12:00:00 UTC
      7 jobs · 1 completed · 5 open · 1 unassigned · ! 1 late · 1 failed
      ○ unassigned  → dispatched  ● acknowledged  ▶ in progress  ✓ completed  ✗ failed  ⊘ declined  ! late

      On no truck · 1 to assign                                                        Truck 7 · Dana · 1 of 4 done · ! 1 late
          ○               17 Drop-off Customer 17             1 Main St, Łódź              ✓ 7:30–9:00     11 Drop-off Potomac Roofing         1745 T Street SE, Wash…
                                                                                           ▶               12 Swap     株式会社東京建設サービ… 1745 T Street SE, Wash…
      Truck 8 with a name that… · no driver · 0 of 2 done · 1 failed · out of service    ! ● until 11:00   13 Drop-off Customer 13             1745 T Street SE, Wash…
          ✗               15 Drop-off A\\x1b[31mB              1745 T Street SE, Wash…      → from 14:00  1014 Drop-off customer 9
          ⊘ 15:15         16 Drop-off Customer 16             1745 T Street SE, Wash…
                                                                                       Without jobs · 2 trucks
                                                                                         Truck 9, Truck 10 (out of service)
      "
    `);
  });

  it("spells out states where there is room, and cuts nothing in other output", async () => {
    const lines = drawBoard(day, await screenOf(80, false)).join("\n");
    expect(lines).toMatchInlineSnapshot(`
      "Sat Nov 21 (today) · Acme · Main yard  12:00:00 UTC
      7 jobs · 1 completed · 5 open · 1 unassigned · ! 1 late · 1 failed

      On no truck · 1 to assign
          ○ unassigned                   17  Drop-off  Customer 17               1 Main St, Łódź

      Truck 7 · Dana · 1 of 4 done · ! 1 late
          ✓ completed     7:30–9:00      11  Drop-off  Potomac Roofing           1745 T Street SE, Washington
          ▶ in progress                  12  Swap      株式会社東京建設サービス  1745 T Street SE, Washington
        ! ● acknowledged  until 11:00    13  Drop-off  Customer 13               1745 T Street SE, Washington
          → dispatched    from 14:00   1014  Drop-off  customer 9

      Truck 8 with a name that goes on · no driver · 0 of 2 done · 1 failed · out of service
          ✗ failed                       15  Drop-off  A\\x1b[31mB                1745 T Street SE, Washington
          ⊘ declined      15:15          16  Drop-off  Customer 16               1745 T Street SE, Washington

      Without jobs · 2 trucks
        Truck 9, Truck 10 (out of service)"
    `);
  });

  it("names each of several locations, with its own counts", async () => {
    const north = aBoardLocation([aBoardTruck(20, [aBoardJob(30)])], { id: 2, name: "North yard" });
    const lines = drawBoard(aBoard([...day.locations, north]), await screenOf(120));
    expect(lines).toContain(
      "Main yard (location 1) · 7 jobs · 1 completed · 5 open · 1 unassigned · ! 1 late · 1 failed",
    );
    expect(lines).toContain("North yard (location 2) · 1 job · 0 completed · 1 open");
  });

  it("reports a day without jobs, and the number of free trucks", async () => {
    const empty = aBoard([
      aBoardLocation([aBoardTruck(1, []), aBoardTruck(2, [], { out_of_service: true })]),
    ]);
    expect(await draw(empty, 80)).toMatchInlineSnapshot(`
      "
      Sat Nov 21 (today) · Acme · Main yard  12:00:00 UTC
      No jobs that day. 1 truck is free.
      "
    `);
    expect(await draw(aBoard([]), 80)).toContain("No jobs that day.\n");
  });

  it("says of another day when it was read", async () => {
    const drawn = await draw({ ...day, date: "2026-11-22" }, 80);
    expect(drawn).toContain("Sun Nov 22 · Acme · Main yard  as of Sat Nov 21 12:00:00 UTC");
  });

  it.each([40, 79, 80, 100, 159, 160, 250])("is never wider than %i columns", async (width) => {
    const screen = await screenOf(width);
    expect(drawBoard(day, screen).filter((line) => widthOf(line) > width)).toEqual([]);
  });

  it("adds colors to its signs and never replaces them", async () => {
    const screen = await openScreen({ isTerminal: true, width: 80, color: true });
    const plain = await screenOf(80);
    const drawn = drawBoard(day, screen).join("\n");
    expect(drawn).toContain("\u001b[31m");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test removes colors.
    expect(drawn.replace(/\u001b\[\d+m/g, "")).toBe(drawBoard(day, plain).join("\n"));
  });
});

describe("a board on a screen of few lines", () => {
  const trucks = Array.from({ length: 200 }, (_, truck) =>
    aBoardTruck(
      truck + 1,
      Array.from({ length: 10 }, (_, index) =>
        aBoardJob(truck * 10 + index + 1, {
          is_late: index === 4 && truck % 4 === 0,
          state: index < 4 ? "completed" : "dispatched",
        }),
      ),
    ),
  );
  const big = aBoard([aBoardLocation(trucks)]);

  it("shows everything if it fits", async () => {
    const screen = await screenOf(80);
    expect(fitBoard(day, screen, 40)).toEqual(drawBoard(day, screen));
  });

  it("omits completed jobs first and then later jobs, but never late ones", async () => {
    const screen = await screenOf(80);
    const lines = (rows: number) => fitBoard(day, screen, rows).join("\n");
    expect(lines(19)).not.toContain("Potomac Roofing");
    expect(lines(19)).toContain("株式会社東京建設");
    expect(lines(19)).toContain("1 done");
    for (let rows = 5; rows < 24; rows++)
      expect([rows, lines(rows)]).toEqual([rows, expect.stringContaining("Customer 13")]);
    expect(lines(6)).toMatchInlineSnapshot(`
      "Sat Nov 21 (today) · Acme · Main yard  12:00:00 UTC
      7 jobs · 1 completed · 5 open · 1 unassigned · ! 1 late · 1 failed
        ! ● until 11:00 13 Drop-off Customer 13 1745 T Street SE, Washington
      Truck 7          1 of 4 done · ! 1 late  Truck 8 with a…  0 of 2 done · 1 failed"
    `);
  });

  it("uses all lines: one truck gets an extra line if there is not one for each", async () => {
    const trucks = Array.from({ length: 10 }, (_, truck) =>
      aBoardTruck(
        truck + 1,
        Array.from({ length: 6 }, (_, index) => aBoardJob(truck * 10 + index + 1)),
      ),
    );
    const many = aBoard([aBoardLocation(trucks)]);
    for (const [width, rows] of [
      [100, 40],
      [80, 24],
      [60, 40],
      [160, 24],
    ] as const)
      expect(fitBoard(many, await screenOf(width), rows - 1).length).toBeGreaterThan(rows - 6);
  });

  it("starts with late trucks, after jobs without a date and without a truck", async () => {
    const waiting = aBoardJob(90, { schedule_date: null, state: "unassigned", truck_id: null });
    const board = {
      ...aBoard([
        aBoardLocation([aBoardTruck(1, [aBoardJob(1)]), aBoardTruck(2, [aBoardJob(2, { is_late: true })])], {
          unassigned: [aBoardJob(3, { state: "unassigned", truck_id: null })],
        }),
      ]),
      unscheduled: { count: 4, is_more: false, oldest: [waiting] },
    };
    const drawn = await draw(board, 80);
    const heads = drawn.split("\n").filter((line) => /^(?:Truck|On no|Unsch)/.test(line));
    expect(heads.map((head) => head.split(" · ")[0])).toEqual([
      "Unscheduled",
      "On no truck",
      "Truck 2",
      "Truck 1",
    ]);
    expect(drawn).toContain("Unscheduled · 4 jobs without a date");
    expect(drawn).toContain("… 3 more open");
  });

  it("shows times in the zone of the location, and names the zone once", async () => {
    const denver = aBoard([
      aBoardLocation(
        [
          aBoardTruck(1, [
            aBoardJob(1, {
              desired_start_time: "2026-11-22T01:00:00.000000",
              desired_end_time: "2026-11-22T02:30:00.000000",
            }),
          ]),
        ],
        { time_zone: "America/Denver" },
      ),
    ]);
    const drawn = await draw(denver, 80);
    expect(drawn).toContain("5:00:00 MST");
    expect(drawn).toContain("18:00–19:30");
    expect(drawn.match(/MST/g)).toHaveLength(1);
  });

  it.each([
    [80, 24],
    [160, 50],
    [100, 3],
  ])("counts the jobs that do not fit, for 200 trucks with 2,000 jobs on %i × %i", async (width, rows) => {
    const screen = await screenOf(width);
    const lines = fitBoard(big, screen, rows);
    expect(lines.length).toBeLessThanOrEqual(rows);
    expect(lines.length).toBeGreaterThan(rows - 4);
    expect(lines.filter((line) => widthOf(line) > width)).toEqual([]);
    const [, hidden, jobs] = /no room for (\d+) more trucks with (\d+) jobs/.exec(lines.at(-1) ?? "") ?? [];
    expect(Number(jobs)).toBe(10 * Number(hidden));
    const shown = lines.join("\n").match(/Truck \d+/g) ?? [];
    expect(shown.length + Number(hidden)).toBe(200);
  });
});
