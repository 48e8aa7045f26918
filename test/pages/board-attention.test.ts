import { beforeAll, expect, it } from "vitest";
import { cardOf, makeJob, makeTruck } from "../support/board-page.ts";
import { useBrowser } from "../support/browser.ts";
import { openSignedIn } from "../support/signed-in-page.ts";
import { describeOverHttp } from "../support/targets.ts";
import { findFaults } from "../support/watch-page.ts";

const day = "2026-11-21T00:00:00";

describeOverHttp("Needs attention on the board", (harness) => {
  const browser = useBrowser();
  const jobs: Record<string, { id: number; location_id: number }> = {};
  const jobOf = (name: string) => jobs[name] ?? { id: 0 };
  beforeAll(async () => {
    const { truckId: truck_id } = harness.acme;
    const due = { desired_end_time: "2026-11-21T01:00:00", desired_start_time: "2026-11-21T00:30:00" };
    jobs.planned = await makeJob(harness, { schedule_date: day, truck_id });
    jobs.late = await makeJob(harness, { ...due, schedule_date: day, truck_id });
    jobs.loose = await makeJob(harness, { schedule_date: day });
    await makeJob(harness, { schedule_date: "2026-11-22T00:00:00" });
  });
  const open = async (address: string, as: "ClientCustomer" | "Dispatcher" = "Dispatcher") => {
    const { page, problems } = await openSignedIn(harness, browser, address, { as });
    const strip = page.getByRole("group", { name: "Needs attention" });
    return { counts: strip.getByRole("button"), page, problems, strip };
  };

  it("counts the jobs of the day, and a click shows only these until the next click", async () => {
    const { counts, page, problems } = await open("/board");
    await cardOf(page, jobOf("planned")).waitFor();
    expect(await counts.allTextContents()).toEqual(["1 late", "1 unassigned"]);
    await counts.filter({ hasText: "late" }).click();
    await cardOf(page, jobOf("planned")).waitFor({ state: "detached" });
    await cardOf(page, jobOf("late")).waitFor();
    expect(await cardOf(page, jobOf("loose")).count()).toBe(0);
    expect(new URL(page.url()).search).toBe("?show=late");
    expect(await findFaults(page)).toEqual([]);
    await counts.filter({ hasText: "late" }).click();
    await cardOf(page, jobOf("planned")).waitFor();
    expect(new URL(page.url()).search).toBe("");
    expect(problems).toEqual([]);
  });

  it("keeps the choice in the address, and offers a way out when no such job is left", async () => {
    const { counts, page } = await open("/board?show=declined");
    await expect.poll(() => counts.allTextContents()).toEqual(["1 late", "1 unassigned", "0 declined"]);
    expect(await cardOf(page, jobOf("planned")).count()).toBe(0);
    await counts.filter({ hasText: "declined" }).click();
    await cardOf(page, jobOf("planned")).waitFor();
    expect(await counts.count()).toBe(2);
  });

  it("counts jobs on a truck that is off, and jobs behind a job that starts after their window", async () => {
    const at = (hours: readonly [number, number], truck: { id: number }, priority: number) =>
      makeJob(harness, {
        desired_end_time: `2026-11-24T${hours[1]}:00:00`,
        desired_start_time: `2026-11-24T${hours[0]}:00:00`,
        priority,
        schedule_date: "2026-11-24T00:00:00",
        truck_id: truck.id,
      });
    const [off, busy] = [await makeTruck(harness, "Off"), await makeTruck(harness, "Busy")];
    const stranded = await at([14, 16], off, -1);
    const after = await at([20, 22], busy, -1);
    const behind = await at([14, 16], busy, -2);
    await harness.ok("trucks.update", {
      as: "Admin",
      body: { off_from: "2026-11-24T00:00:00", off_until: "2026-11-24T00:00:00" },
      params: { location_id: harness.acme.locationId, truck_id: off.id },
    });
    const { counts, page, problems } = await open("/board?date=2026-11-24");
    await cardOf(page, after).waitFor();
    await counts.filter({ hasText: "2 conflicting" }).click();
    await cardOf(page, after).waitFor({ state: "detached" });
    expect(await cardOf(page, stranded).count()).toBe(1);
    expect(await cardOf(page, behind).count()).toBe(1);
    expect(problems).toEqual([]);
  });

  it("is absent on a day without such jobs, and for customers", async () => {
    const quiet = await open("/board?date=2026-11-25");
    await quiet.page.getByText("live", { exact: true }).waitFor();
    expect(await quiet.strip.count()).toBe(0);
    const customer = await open("/board", "ClientCustomer");
    await cardOf(customer.page, jobOf("planned")).waitFor();
    expect(await customer.strip.count()).toBe(0);
  });
});
