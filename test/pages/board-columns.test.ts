import { expect, it } from "vitest";
import { cardOf, idsIn, laneOf, makeJob, makeTruck } from "../support/board-page.ts";
import { useBrowser } from "../support/browser.ts";
import { openSignedIn } from "../support/signed-in-page.ts";
import { describeOverHttp, freshHarness } from "../support/targets.ts";
import { findFaults } from "../support/watch-page.ts";

const day = "2026-11-21T00:00:00";

describeOverHttp("the columns of the board", (harness) => {
  const browser = useBrowser();
  const jobOn = (truck: { id: number }, changes = {}) =>
    makeJob(harness, { schedule_date: day, truck_id: truck.id, ...changes });
  const report = (job: { id: number; location_id: number }, body: object) =>
    harness.ok("jobs.update", { body, params: { job_id: job.id, location_id: job.location_id } });

  it("fold completed jobs to their number, start with the next job, and mark now", async () => {
    const truck = await makeTruck(harness, "Folded");
    const done = await jobOn(truck, { priority: -1 });
    const failed = await jobOn(truck, { priority: -2 });
    const past = await jobOn(truck, { desired_start_time: "2026-11-21T00:30:00", priority: -3 });
    const later = await jobOn(truck, { desired_start_time: "2026-11-21T23:30:00", priority: -4 });
    await report(done, { is_completed: true });
    await report(failed, { is_failed: true });
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    const lane = laneOf(page, "Folded");
    await cardOf(page, past).waitFor();
    expect(await cardOf(page, done).isVisible()).toBe(false);
    expect(await idsIn(lane.getByRole("list", { name: "Jobs of Folded" }))).toEqual([
      past.id,
      later.id,
      failed.id,
    ]);
    const rows = await lane.locator(".cards > li").evaluateAll((found) => found.map((row) => row.className));
    expect(rows.filter((row) => row !== "card")).toEqual(["now"]);
    expect(rows.indexOf("now")).toBe(2);
    await lane.getByText("1 done", { exact: true }).click();
    await cardOf(page, done).waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "The day after" }).click();
    await lane.getByText("free").waitFor();
    expect(await page.locator(".now").count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it("keep the focus among the open jobs when a job completes", async () => {
    const truck = await makeTruck(harness, "Steps");
    const first = await jobOn(truck, { priority: -1 });
    const next = await jobOn(truck, { priority: -2 });
    const { page } = await openSignedIn(harness, browser, "/board");
    const focused = () =>
      page.evaluate("document.activeElement.dataset.job ?? document.activeElement.textContent");
    await cardOf(page, first).focus();
    await page.keyboard.press("c");
    await expect.poll(focused).toBe(String(next.id));
    await page.keyboard.press("c");
    await expect.poll(focused).toBe("2 done");
  });

  it("show at least eight whole cards on a laptop", async () => {
    const own = await freshHarness(harness);
    const others = [await makeTruck(own, "Eight 1"), await makeTruck(own, "Eight 2")];
    for (const truck_id of [own.acme.truckId, ...others.map(({ id }) => id)])
      for (let count = 0; count < 3; count++)
        await makeJob(own, {
          desired_end_time: "2026-11-21T12:00:00",
          desired_start_time: "2026-11-21T10:00:00",
          driver_notes: "Ring at the gate and wait for the foreman, who has the key to the yard.",
          reference_number: "PO-4471-2026",
          schedule_date: day,
          truck_id,
        });
    const viewport = { height: 800, width: 1280 };
    const { page } = await openSignedIn(own, browser, "/board", { viewport });
    await page.locator(".lane .card").nth(8).waitFor();
    const heights = "[...document.querySelectorAll('.lane .card')].map((c) => c.getBoundingClientRect())";
    const whole = `${heights}.filter((box) => box.height > 0 && box.bottom <= innerHeight && box.right <= innerWidth).length`;
    expect(await page.evaluate(whole)).toBeGreaterThanOrEqual(8);
  });

  it("give one row to a truck that is out of service without jobs", async () => {
    const truck = await makeTruck(harness, "Resting");
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    await laneOf(page, "Resting").waitFor();
    await harness.ok("trucks.update", {
      as: "Admin",
      body: { out_of_service: true },
      params: { location_id: harness.acme.locationId, truck_id: truck.id },
    });
    await page.getByText("Resting (out of service)").waitFor();
    expect(await laneOf(page, "Resting").count()).toBe(0);
    expect(problems).toEqual([]);
  });
});
