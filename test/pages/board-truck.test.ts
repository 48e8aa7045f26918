import { expect, it } from "vitest";
import { cardOf, idsIn, laneOf, makeJob, makeTruck } from "../support/board-page.ts";
import { useBrowser } from "../support/browser.ts";
import { openSignedIn } from "../support/signed-in-page.ts";
import { describeOverHttp, freshHarness } from "../support/targets.ts";
import { findFaults } from "../support/watch-page.ts";

const schedule_date = "2026-11-21T00:00:00";

describeOverHttp("the choice of a truck on the board", (harness) => {
  const browser = useBrowser();

  it("takes at most 35 keys for ten waiting jobs, because the focus goes to the next one", async () => {
    const own = await freshHarness(harness);
    const lanes = [await makeTruck(own, "X-1"), await makeTruck(own, "Y-2")];
    const jobs = [];
    for (let count = 0; count < 10; count++)
      jobs.push(await makeJob(own, { priority: -1 - count, schedule_date }));
    const { page, problems } = await openSignedIn(own, browser, "/board");
    let keys = 0;
    const press = async (key: string) => {
      keys += 1;
      await page.keyboard.press(key);
    };
    await cardOf(page, jobs[0] ?? { id: 0 }).waitFor();
    // Without a focused element, the key selects the first card of the first list, the waiting jobs.
    await press("ArrowDown");
    for (const row of jobs.keys())
      for (const key of ["a", row % 2 === 0 ? "x" : "y", "Enter"]) await press(key);
    expect(keys).toBeLessThanOrEqual(35);
    for (const [at, { name }] of lanes.entries())
      await expect
        .poll(() => idsIn(laneOf(page, name)))
        .toEqual(jobs.filter((_, row) => row % 2 === at).map(({ id }) => id));
    expect(problems).toEqual([]);
  });

  it("hands what is left of a truck's day to another truck, in one action with one undo", async () => {
    const own = await freshHarness(harness);
    const lanes = [await makeTruck(own, "One"), await makeTruck(own, "Two")] as const;
    const [one, two] = lanes;
    const jobs = [];
    for (let count = 0; count < 3; count++)
      jobs.push(await makeJob(own, { priority: -1 - count, schedule_date, truck_id: one.id }));
    const ids = jobs.map(({ id }) => id);
    const { page, problems } = await openSignedIn(own, browser, "/board");
    const menu = page.getByRole("button", { name: "Hand over 3 jobs of One" });
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await cardOf(page, jobs[0] ?? { id: 0 }).focus();
    await press("Shift+Tab", "Enter", "Escape");
    expect(await menu.evaluate((button) => button.matches(":focus"))).toBe(true);
    await press("Enter");
    for (let count = 0; count < 3; count++) await press("ArrowDown");
    const chosen = page.getByRole("dialog").getByRole("option", { selected: true });
    expect(await chosen.textContent()).toContain("Two");
    await press("Enter");
    await page.getByText("3 jobs → Two").waitFor();
    const onTruck = async ({ id }: { id: number }) =>
      (await own.ok("jobs.list", { query: { truck_id: id } })).results.map((job: { id: number }) => job.id);
    expect(await onTruck(two)).toEqual(ids);
    expect(await page.getByRole("button", { name: /of One$/ }).count()).toBe(0);
    expect(await cardOf(page, jobs[0] ?? { id: 0 }).evaluate((card) => card.matches(":focus"))).toBe(true);
    await page.locator(".said").getByRole("button", { name: "Undo" }).click();
    await page.getByText(/^Undone: 3 jobs/).waitFor();
    expect(await onTruck(one)).toEqual(ids);
    expect(await findFaults(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it("shows driver, load, distance, time, and absence of each truck, and works with the arrow keys", async () => {
    const { locationId } = harness.acme;
    const window = {
      desired_end_time: "2026-11-21T16:00:00",
      desired_start_time: "2026-11-21T14:00:00",
      schedule_date,
    };
    const busy = await makeTruck(harness, "Busy");
    await makeTruck(harness, "Free");
    const off = await makeTruck(harness, "Off");
    await makeJob(harness, { ...window, truck_id: busy.id });
    await harness.ok("trucks.update", {
      as: "Admin",
      body: { off_from: schedule_date, off_reason: "brakes", off_until: schedule_date },
      params: { location_id: locationId, truck_id: off.id },
    });
    const job = await makeJob(harness, window);
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    await cardOf(page, job).focus();
    await page.keyboard.press("a");
    const textOf = (name: string) =>
      page
        .getByRole("dialog")
        .getByRole("option", { name: new RegExp(`^${name}`) })
        .textContent();
    expect(await textOf("Busy")).toBe(
      "Busyno driver · 1 job · 1 at the same time · 0.0 mi from its nearest stop",
    );
    expect(await textOf("Free")).toBe("Freeno driver · free · time is free");
    expect(await textOf("Off")).toContain("Off out of service today (brakes)");
    expect(await findFaults(page)).toEqual([]);
    await page.keyboard.type("f");
    await page.getByRole("dialog").getByRole("option", { name: "Busy" }).waitFor({ state: "detached" });
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await laneOf(page, "Free").locator(`[data-job="${job.id}"]`).waitFor();
    expect(problems).toEqual([]);
  });
});
