import { expect, it } from "vitest";
import { cardOf, makeJob, makeTruck } from "../support/board-page.ts";
import { useBrowser } from "../support/browser.ts";
import { openSignedIn } from "../support/signed-in-page.ts";
import { describeOverHttp } from "../support/targets.ts";
import { findFaults } from "../support/watch-page.ts";

const schedule_date = "2026-11-21T00:00:00";

describeOverHttp("the board on paper", (harness) => {
  const browser = useBrowser();

  it("has the date, each truck with all notes and completed jobs, and then the trays", async () => {
    const notes = `${"Ring at the gate and wait for the foreman. ".repeat(8)}Then the last word.`;
    const jobs = [];
    for (const name of ["Paper 1", "Paper 2"]) {
      const truck = await makeTruck(harness, name);
      for (let count = 0; count < 9; count++)
        jobs.push(await makeJob(harness, { driver_notes: notes, schedule_date, truck_id: truck.id }));
    }
    const [done] = jobs;
    const loose = await makeJob(harness, { schedule_date });
    if (done)
      await harness.ok("jobs.update", {
        body: { is_completed: true },
        params: { job_id: done.id, location_id: done.location_id },
      });
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    await cardOf(page, loose).waitFor();
    await page.emulateMedia({ media: "print" });
    await page.getByText("Sat Nov 21 2026", { exact: true }).waitFor();
    for (const name of ["Search", "New job", "Sign out"])
      expect(await page.getByRole("button", { name }).isVisible()).toBe(false);
    for (const name of [/^Hand over/, /^No time/])
      expect(await page.getByRole("button", { name }).count()).toBe(0);
    const boxes: { bottom: number; cut: number; right: number; top: number }[] = await page.evaluate(`
      ${JSON.stringify([...jobs, loose].map(({ id }) => id))}.map((id) => {
        const card = document.querySelector('[data-job="' + id + '"]');
        const { bottom, right, top } = card.getBoundingClientRect();
        const notes = card.querySelector(".notes") ?? card;
        return { bottom, cut: notes.scrollHeight - notes.clientHeight, right, top };
      })`);
    // One below the other, whole, within the page.
    for (const [at, box] of boxes.entries()) {
      expect(box.top).toBeGreaterThanOrEqual(boxes[at - 1]?.bottom ?? 0);
      expect([box.cut, box.bottom > box.top, box.right <= 1280]).toEqual([0, true, true]);
    }
    const pages = String(await page.pdf({ format: "Letter" })).match(/\/Type ?\/Page\b/g);
    expect(pages?.length).toBeGreaterThan(1);
    expect(await findFaults(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});
