import { beforeAll, describe, expect, it } from "vitest";
import { aJob, type Json } from "../../support/builders.ts";
import type { HarnessCall } from "../../support/harness.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";
import type { Acme } from "../../support/tenants.ts";

type Query = NonNullable<HarnessCall["query"]>;

const escaped = 'PO "7"\\1 É\tx';

/** The jobs by reference number, in list order. All except "late" are created at noon. */
const jobs: Record<string, (acme: Acme) => Json> = {
  may: () => ({ schedule_date: "2026-05-01T08:00:00" }),
  june: ({ truckId }) => ({ schedule_date: "2026-06-01", truck_id: truckId }),
  july: ({ haulerTruckId }) => ({ schedule_date: "2026-07-01", truck_id: haulerTruckId }),
  december: () => ({ schedule_date: "2026-12-01" }),
  "by-dispatcher": ({ callers }) => ({ completed_by: callers.Dispatcher.user.id, is_completed: true }),
  "by-driver": ({ callers }) => ({
    completed_by: callers.Driver.user.id,
    is_completed: true,
    // The filter must not mistake this text for the field.
    dispatcher_notes: '"completed_on":"2020-01-01',
  }),
  failed: () => ({ is_failed: true }),
  deleted: () => ({ is_deleted: true }),
  returned: () => ({}),
  "returned-by-driver": () => ({}),
  updated: () => ({ last_updated_on: "2026-11-01T08:00:00" }),
  [escaped]: () => ({}),
  late: () => ({}),
};

const all = Object.keys(jobs);
const allBut = (...names: string[]) => all.filter((name) => !names.includes(name));

/** Each filter with the jobs that it returns. The ids are Acme's. */
const filters: [what: string, query: (acme: Acme) => Query, kept: string[]][] = [
  ["nothing", () => ({}), all],
  ["completed=true", () => ({ completed: true }), ["by-dispatcher", "by-driver"]],
  ["completed=false", () => ({ completed: false }), allBut("by-dispatcher", "by-driver")],
  ["completed_by=the Driver", ({ callers }) => ({ completed_by: callers.Driver.user.id }), ["by-driver"]],
  ["completed_by=nobody", () => ({ completed_by: 999_999 }), []],
  ["completed_by_driver=true", () => ({ completed_by_driver: true }), ["by-driver"]],
  [
    "completed_by_driver=false: incomplete",
    () => ({ completed_by_driver: false }),
    allBut("by-dispatcher", "by-driver"),
  ],
  ["completed_gte=its bound, included", () => ({ completed_gte: "2026-11-21T12:00:00" }), ["by-dispatcher"]],
  [
    "completed_gte in another zone",
    () => ({ completed_gte: "2026-11-01T09:00:00+01:00" }),
    ["by-dispatcher", "by-driver"],
  ],
  ["completed_gte=the future", () => ({ completed_gte: "2026-12-01" }), []],
  ["completed_lt=its bound, excluded", () => ({ completed_lt: "2026-11-21T12:00:00" }), ["by-driver"]],
  [
    "completed_gte and completed_lt",
    () => ({ completed_gte: "2026-11-01T08:00:00", completed_lt: "2026-11-01T08:00:01" }),
    ["by-driver"],
  ],
  ["created_on_gte=noon, included", () => ({ created_on_gte: "2026-11-21T12:00:00" }), all],
  ["created_on_gte=just after noon", () => ({ created_on_gte: "2026-11-21T12:00:00.000001" }), ["late"]],
  ["created_on_gte in another zone", () => ({ created_on_gte: "2026-11-21T14:00:00+01:00" }), ["late"]],
  ["deleted=true: only active", () => ({ deleted: true }), allBut("deleted")],
  ["deleted=false: only inactive", () => ({ deleted: false }), ["deleted"]],
  [
    "driver_id=the truck's driver or who completed it",
    ({ driverId }) => ({ driver_id: driverId }),
    ["june", "by-driver"],
  ],
  ["driver_id=the hauler's", ({ haulerDriverId }) => ({ driver_id: haulerDriverId }), ["july"]],
  ["driver_id=nobody", () => ({ driver_id: 999_999 }), []],
  ["driver_id=no id", () => ({ driver_id: "Maria" }), []],
  ["driver_id=empty", () => ({ driver_id: "" }), []],
  ["failed=true", () => ({ failed: true }), ["failed"]],
  ["failed=false", () => ({ failed: false }), allBut("failed")],
  ["is_dispatched=true", () => ({ is_dispatched: true }), ["june", "july"]],
  ["is_dispatched=false", () => ({ is_dispatched: false }), allBut("june", "july")],
  [
    "last_updated_gte after the time that a client gave, which is not the store's own",
    () => ({ last_updated_gte: "2026-11-01T08:00:01" }),
    all,
  ],
  ["last_updated_gte=its bound, excluded", () => ({ last_updated_gte: "2026-11-21T13:00:00" }), []],
  ["last_updated_gte=just before", () => ({ last_updated_gte: "2026-11-21T12:59:59.999999" }), ["late"]],
  ["reference_number=one", () => ({ reference_number: "by-driver" }), ["by-driver"]],
  ["reference_number=with characters that JSON escapes", () => ({ reference_number: escaped }), [escaped]],
  ["reference_number=in another case", () => ({ reference_number: "BY-DRIVER" }), []],
  ["reference_number=the beginning of one", () => ({ reference_number: "by-" }), []],
  ["reference_number=without letters", () => ({ reference_number: "--" }), []],
  [
    "returned_by=the Dispatcher",
    ({ callers }) => ({ returned_by: callers.Dispatcher.user.id }),
    ["returned"],
  ],
  ["returned_by=nobody", () => ({ returned_by: 999_999 }), []],
  ["returned_by_driver=true", () => ({ returned_by_driver: true }), ["returned-by-driver"]],
  ["returned_by_driver=false", () => ({ returned_by_driver: false }), allBut("returned-by-driver")],
  ["schedule_gt=its bound, excluded", () => ({ schedule_gt: "2026-06-01" }), ["july", "december"]],
  [
    "schedule_gt=just before",
    () => ({ schedule_gt: "2026-05-31T23:59:59.999999" }),
    ["june", "july", "december"],
  ],
  [
    "schedule_from=its bound, included",
    () => ({ schedule_from: "2026-06-01" }),
    ["june", "july", "december"],
  ],
  ["schedule_from=the future", () => ({ schedule_from: "2026-12-01" }), ["december"]],
  ["schedule_gte=its bound, included", () => ({ schedule_gte: "2026-06-01" }), ["june", "july", "december"]],
  ["schedule_gte=just after", () => ({ schedule_gte: "2026-06-01T00:00:00.000001" }), ["july", "december"]],
  ["schedule_lt=its bound, excluded", () => ({ schedule_lt: "2026-06-01" }), ["may"]],
  ["schedule_lt=the future", () => ({ schedule_lt: "9999-12-31" }), ["may", "june", "july", "december"]],
  ["schedule_lte=its bound, included", () => ({ schedule_lte: "2026-06-01" }), ["may", "june"]],
  ["schedule_lte=just before", () => ({ schedule_lte: "2026-05-31T23:59:59.999999" }), ["may"]],
  ["truck_id=the truck", ({ truckId }) => ({ truck_id: truckId }), ["june"]],
  ["truck_id=none", () => ({ truck_id: 999_999 }), []],
  ["two bounds", () => ({ schedule_gte: "2026-06-01", schedule_lt: "2026-07-01" }), ["june"]],
  [
    "several filters",
    () => ({ completed: false, deleted: true, failed: false, is_dispatched: true }),
    ["june", "july"],
  ],
  ["filters that exclude each other", () => ({ completed: true, is_dispatched: true }), []],
];

describeOnEveryTarget("the filters of the job lists (interface: operation 3)", (harness) => {
  beforeAll(async () => {
    const { acme } = harness;
    const ids: Record<string, number> = {};
    for (const [name, changes] of Object.entries(jobs)) {
      if (name === "late") harness.clock.set("2026-11-21T13:00:00.000000");
      const body = aJob(acme, { reference_number: name, ...changes(acme) });
      const params = { location_id: acme.locationId };
      const { id } = await harness.ok("jobs.create", { params, body });
      ids[name] = id;
      if (name === "by-driver")
        await harness.ok("jobs.update", {
          params: { ...params, job_id: id },
          body: { completed_on: "2026-11-01T08:00:00" },
        });
    }
    // No operation takes a job off its truck as a return yet, so write the return directly.
    const { Dispatcher, Driver } = acme.callers;
    harness.store.update("jobs", ids.returned ?? 0, { returned_by: Dispatcher.user.id });
    const byDriver = { returned_by: Driver.user.id, returned_by_driver: 1 };
    harness.store.update("jobs", ids["returned-by-driver"] ?? 0, byDriver);
  });

  describe.each([
    ["jobs.list", () => ({})],
    ["locations.jobs", () => ({ location_id: harness.acme.locationId })],
  ] as const)("%s", (name, params) => {
    it("takes days to come as schedule_from, and refuses them as schedule_gte for a reason that is true", async () => {
      const call = (query: Query) => harness.call(name, { params: params(), query });
      expect((await call({ schedule_from: "2031-01-01" })).status).toBe(200);
      expect(await call({ schedule_gte: "2031-01-01" })).toMatchObject({
        body: { code: "not_past", explanation: expect.stringContaining("the filter takes past times only") },
        status: 400,
      });
    });

    it.each(filters)("keeps exactly the matching jobs for %s", async (_, query, kept) => {
      const list = await harness.ok(name, { params: params(), query: query(harness.acme) });
      expect(list.results.map((job) => job.reference_number)).toEqual(kept);
      expect([list.total_count, list.total_pages]).toEqual([kept.length, kept.length === 0 ? 0 : 1]);
    });
  });
});
