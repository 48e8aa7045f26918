import type { Route } from "playwright-core";
import { expect, it } from "vitest";
import { cardOf, laneOf, makeJob, makeTruck } from "../support/board-page.ts";
import { useBrowser } from "../support/browser.ts";
import { openSignedIn } from "../support/signed-in-page.ts";
import { describeOverHttp } from "../support/targets.ts";

const day = "2026-11-21T00:00:00";

describeOverHttp("a board with more events than it can read", (harness) => {
  const browser = useBrowser();

  it("shows new trucks despite a slow server and constant events, with one request at a time", async () => {
    const { page, problems } = await openSignedIn(harness, browser, "/board");
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
  });

  it("retries a failed read and removes the message", async () => {
    const { page } = await openSignedIn(harness, browser, "/board", { hasShortPauses: true });
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
  });

  it("is live again after a proxy has answered in the server's place", async () => {
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    await page.getByText("live", { exact: true }).waitFor();
    const standIn = { body: "<h1>Be right back</h1>", contentType: "text/html", status: 200 };
    await page.route("**/stream", (route) => route.fulfill(standIn), { times: 1 });
    await page.reload();
    await page.getByText("reconnecting").waitFor();
    await page.getByText("live", { exact: true }).waitFor();
    expect(problems).toEqual([]);
  });
});
