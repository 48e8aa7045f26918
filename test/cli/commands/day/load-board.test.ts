import { expect, it } from "vitest";
import type { Board } from "../../../../src/cli/commands/day/board.ts";
import { jobsAt, loadBoard } from "../../../../src/cli/commands/day/load-board.ts";
import { parseDay } from "../../../../src/cli/input/parse-day.ts";
import type { Caller } from "../../../../src/core/caller.ts";
import type { Role } from "../../../../src/models/user.ts";
import type { OperationName } from "../../../../src/operations/index.ts";
import { inYardOf } from "../../../operations/jobs/a-job-of.ts";
import type { Harness } from "../../../support/harness.ts";
import { describeOnEveryTarget, freshHarness } from "../../../support/targets.ts";

/** The harness as commands call it, and the operations that were called. */
function toCaller(harness: Harness, as: Role, called: string[]): Caller {
  return {
    async call(operation, { params, query }) {
      called.push(operation.name);
      const body = await harness.ok(operation.name as OperationName, { as, params, query });
      return { kind: "json", text: JSON.stringify(body) };
    },
    close: async () => undefined,
  };
}

function load(
  harness: Harness,
  date: string,
  as: Role = "Dispatcher",
  called: string[] = [],
): Promise<Board> {
  const now = harness.clock.now();
  const tenant = { id: harness.acme.tenantId, name: "Acme" };
  const request = { day: parseDay(date, now), locationId: null, now, tenant };
  return loadBoard(toCaller(harness, as, called), request);
}

const idsOf = (board: Board) => board.locations.flatMap(jobsAt).map(({ id }) => id);

describeOnEveryTarget("the board of a day", (harness) => {
  it("holds that day's active jobs, by truck, in the order in which they are to be done", async () => {
    const { acme } = harness;
    const { create, updated } = inYardOf(harness);
    const at = (schedule_date: string, changes = {}) => create({ schedule_date, ...changes });
    const onTruck = { truck_id: acme.truckId };
    const late = await at("2026-11-21T10:00:00Z", onTruck);
    const second = await at("2026-11-21", { ...onTruck, priority: -2 });
    const first = await at("2026-11-21", { ...onTruck, priority: -1 });
    const open = await at("2026-11-21T23:59:59Z");
    const others = [await at("2026-11-20T23:59:59Z"), await at("2026-11-22"), await create()];
    const gone = await at("2026-11-21", onTruck);
    await updated(gone.id, { is_deleted: true });
    await updated(first.id, { is_completed: true });

    const board = await load(harness, "today");
    const [yard] = board.locations;
    const truck = yard?.trucks.find(({ id }) => id === acme.truckId);
    expect(truck?.jobs.map(({ id, state, is_late }) => [id, state, is_late])).toEqual([
      [first.id, "completed", false],
      [second.id, "dispatched", false],
      [late.id, "dispatched", true],
    ]);
    expect(truck?.driver).toEqual(expect.any(String));
    expect(yard?.unassigned.map(({ id }) => id)).toEqual([open.id]);
    expect(board.totals).toEqual({ completed: 1, failed: 0, jobs: 4, late: 1, open: 3, unassigned: 1 });
    expect(idsOf(await load(harness, "yesterday"))).toEqual([others[0]?.id]);
    // Lists take no lower bound in the future.
    expect(idsOf(await load(harness, "tomorrow"))).toEqual([others[1]?.id]);
  });

  it("reads that day's pages only", async () => {
    const called: string[] = [];
    await load(harness, "2026-12-24", "Dispatcher", called);
    expect(called.filter((name) => name === "jobs.list")).toHaveLength(2);
    expect(called.filter((name) => name === "trucks.list")).toHaveLength(1);
  });

  it("shows a Driver the jobs of its own truck, and a customer its own without what it may not see", async () => {
    const own = await freshHarness(harness);
    const { create } = inYardOf(own);
    const mine = await create({ schedule_date: "2026-11-21", truck_id: own.acme.truckId });
    await create({ schedule_date: "2026-11-21" });
    expect(idsOf(await load(own, "today", "Driver"))).toEqual([mine.id]);
    const seen = await load(own, "today", "ClientCustomer");
    expect(seen.totals.jobs).toBe(2);
    expect(seen.locations[0]?.trucks.map(({ driver }) => driver)).toEqual([`driver ${own.acme.driverId}`]);
    expect(idsOf(await load(own, "today", "ThirdPartyDriver"))).toEqual([]);
  });
});
