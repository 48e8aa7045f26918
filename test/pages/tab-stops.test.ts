import { expect, it } from "vitest";
import { cardOf, laneOf, makeJob, makeTruck } from "../support/board-page.ts";
import { useBrowser } from "../support/browser.ts";
import { openSignedIn } from "../support/signed-in-page.ts";
import { describeOverHttp } from "../support/targets.ts";
import { findFaults } from "../support/watch-page.ts";

const schedule_date = "2026-11-21T00:00:00";

describeOverHttp("the tab stops of a board", (harness) => {
  const browser = useBrowser();

  it("are the menu of each truck and the last focused card of each list, also after filtering, folding and changes", async () => {
    const one = await makeTruck(harness, "Stops 1");
    const two = await makeTruck(harness, "Stops 2");
    const on = (truck: { id: number }, priority: number, reference_number = "") =>
      makeJob(harness, { priority, reference_number, schedule_date, truck_id: truck.id });
    const first = await on(one, -1, "PO-1");
    const last = await on(one, -2, "PO-2");
    const next = await on(two, -1, "PO-1");
    const behind = await on(two, -2, "PO-1");
    await makeJob(harness);
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    const focused = () => page.evaluate("Number(document.activeElement.dataset.job)");
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const stopsOf = (name: string) =>
      laneOf(page, name)
        .locator('[tabindex="0"]')
        .evaluateAll((cards) => cards.map((card) => Number(card.getAttribute("data-job"))));
    await cardOf(page, first).waitFor();
    await cardOf(page, first).focus();
    await press("ArrowDown", "Tab", "Tab");
    expect(await focused()).toBe(next.id);
    await press("Shift+Tab", "Shift+Tab");
    expect(await focused()).toBe(last.id);
    expect(await findFaults(page)).toEqual([]);

    await page.getByLabel("Filter").fill("po-1");
    await cardOf(page, last).waitFor({ state: "detached" });
    expect(await stopsOf("Stops 1")).toEqual([first.id]);
    await page.getByLabel("Filter").fill("");
    await cardOf(page, last).waitFor();
    expect(await stopsOf("Stops 1")).toEqual([last.id]);

    await harness.ok("jobs.update", {
      params: { job_id: next.id, location_id: next.location_id },
      body: { is_deleted: true },
    });
    await cardOf(page, next).waitFor({ state: "detached" });
    expect(await stopsOf("Stops 2")).toEqual([behind.id]);

    const summary = laneOf(page, "Unscheduled").locator("summary");
    await summary.click();
    await summary.focus();
    await press("Tab", "Tab");
    expect(await focused()).toBe(last.id);
    await press("Shift+Tab", "Shift+Tab", "Enter", "Tab");
    expect(await laneOf(page, "Unscheduled").locator(".card:focus").count()).toBe(1);
    expect(problems).toEqual([]);
  });

  it("name the list and the job for screen readers", async () => {
    const truck = await makeTruck(harness, "Heard");
    const job = await makeJob(harness, {
      desired_end_time: "2026-11-21T16:00:00",
      desired_start_time: "2026-11-21T14:30:00",
      schedule_date,
      truck_id: truck.id,
    });
    const { page } = await openSignedIn(harness, browser, "/board");
    await cardOf(page, job).waitFor();
    const name = await cardOf(page, job).getAttribute("aria-label");
    expect(name).toMatch(new RegExp(`^Job ${job.id}, dispatched, 14:30–16:00, .+, .+`));
    const list = page.getByRole("list", { name: "Jobs of Heard" });
    expect(await list.getByRole("listitem", { exact: true, name: name ?? "" }).count()).toBe(1);
  });
});
