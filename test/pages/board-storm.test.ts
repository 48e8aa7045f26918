import type { Route } from "playwright-core";
import { expect, it } from "vitest";
import { cardOf, laneOf, makeJob, makeTruck } from "../support/board-page.ts";
import { useBrowser } from "../support/browser.ts";
import { openSignedIn } from "../support/signed-in-page.ts";
import { describeOverHttp } from "../support/targets.ts";

const day = "2026-11-21T00:00:00";

describeOverHttp("a board on which more happens than can be read", (harness) => {
  const browser = useBrowser();

  it("shows what is new though its server is slow and something happens all the time, and asks for it once at a time", async () => {
    const { close, page, problems } = await openSignedIn(harness, browser, "/board");
    await page.getByText("live", { exact: true }).waitFor();
    await laneOf(page, "Truck 5").waitFor();
    let open = 0;
    let openMost = 0;
    await page.route("**/locations?*", async (route: Route) => {
      open += 1;
      openMost = Math.max(open, openMost);
      await page.waitForTimeout(1_500);
      open -= 1;
      await route.continue();
    });
    await makeTruck(harness, "First");
    for (let number = 1; number <= 60 && !(await laneOf(page, "First").isVisible()); number += 1) {
      await makeTruck(harness, `Next ${number}`);
      await page.waitForTimeout(300);
    }
    await laneOf(page, "First").waitFor();
    expect(openMost).toBe(1);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    expect(problems).toEqual([]);
    await close();
  });

  it("asks who changed the last of many jobs, and not of each", async () => {
    const { close, page, problems } = await openSignedIn(harness, browser, "/board", { as: "Admin" });
    await page.getByText("live", { exact: true }).waitFor();
    let asked = 0;
    const answering: (() => void)[] = [];
    await page.route("**/timeline?*", async (route: Route) => {
      asked += 1;
      // The first answer comes when all has happened.
      if (asked === 1) await new Promise<void>((resolve) => answering.push(resolve));
      await route.continue();
    });
    const jobs: { id: number }[] = [];
    for (let number = 1; number <= 30; number += 1) jobs.push(await makeJob(harness, { schedule_date: day }));
    const last = jobs.at(-1) ?? { id: 0 };
    await cardOf(page, last).waitFor();
    for (const answer of answering) answer();
    await page.getByText(`the-Dispatcher changed job ${last.id}`).waitFor();
    expect(asked).toBe(2);
    expect(problems).toEqual([]);
    await close();
  });

  it("reads the day again by itself when that has failed, and then says no more that it did", async () => {
    const { close, page } = await openSignedIn(harness, browser, "/board");
    await page.getByText("live", { exact: true }).waitFor();
    const job = await makeJob(harness, { schedule_date: day });
    await cardOf(page, job).waitFor();
    await page.route(/\/(?:jobs|locations)\?/, (route) => route.fulfill({ status: 500 }));
    await makeTruck(harness, "Late to come");
    const alert = page.getByRole("alert").filter({ hasText: "Cannot read the day" });
    await alert.waitFor();
    await page.unrouteAll();
    await alert.waitFor({ state: "detached" });
    await laneOf(page, "Late to come").waitFor();
    await close();
  });

  it("is live again after something before the server has answered in its place", async () => {
    const { close, page, problems } = await openSignedIn(harness, browser, "/board");
    await page.getByText("live", { exact: true }).waitFor();
    const standIn = { body: "<h1>Be right back</h1>", contentType: "text/html", status: 200 };
    await page.route("**/stream", (route) => route.fulfill(standIn), { times: 1 });
    await page.reload();
    await page.getByText("reconnecting").waitFor();
    await page.getByText("live", { exact: true }).waitFor();
    expect(problems).toEqual([]);
    await close();
  });
});
