import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { cardOf, drag, laneOf, makeJob, makeTruck } from "../support/board-page.ts";
import { useBrowser } from "../support/browser.ts";
import { openSignedIn } from "../support/signed-in-page.ts";
import { describeOverHttp } from "../support/targets.ts";
import { findFaults } from "../support/watch-page.ts";

const day = "2026-11-21T00:00:00";

describeOverHttp("a board whose requests fail", (harness) => {
  const browser = useBrowser();
  const operationsOf = async ({ id, location_id }: { id: number; location_id: number }) => {
    const { results } = await harness.ok("jobs.timeline", { params: { job_id: id, location_id } });
    return results.map(({ operation }) => operation);
  };
  const live = (page: Page) => page.getByText("live", { exact: true });
  const openLive = async () => {
    const opened = await openSignedIn(harness, browser, "/board", { hasShortPauses: true });
    await live(opened.page).waitFor();
    return opened;
  };

  it("is not live while requests fail, names the unanswered action, and retries it on one key", async () => {
    const job = await makeJob(harness, { schedule_date: day });
    const { page } = await openLive();
    await page.route("**/*", (route) => route.abort());
    await cardOf(page, job).focus();
    await page.keyboard.press("c");
    await page.getByText("not up to date; reconnecting …").waitFor();
    const failed = page.getByRole("alert").filter({ hasText: `No answer: Job ${job.id} completed · ` });
    await failed.getByRole("button", { name: "Try again" }).waitFor();
    expect(await live(page).count()).toBe(0);
    expect(await findFaults(page)).toEqual([]);
    expect(await operationsOf(job)).toEqual(["jobs.create"]);

    await page.unrouteAll();
    await live(page).waitFor();
    await failed.waitFor();
    await page.keyboard.press("r");
    await page
      .getByRole("status")
      .filter({ hasText: `Job ${job.id} completed` })
      .waitFor();
    await failed.waitFor({ state: "detached" });
    expect(await operationsOf(job)).toEqual(["jobs.create", "jobs.update"]);
  });

  it("reports that an unanswered action may have succeeded, and after a retry that it has, with undo", async () => {
    const truck = await makeTruck(harness, "Lost");
    const job = await makeJob(harness, { schedule_date: day });
    const { page } = await openLive();
    await page.route("**/dispatch", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await drag(page, cardOf(page, job), laneOf(page, truck.name));
    const failed = page.getByRole("alert").filter({ hasText: `No answer: Job ${job.id} → Lost` });
    await failed.filter({ hasText: "The service may have made the change." }).waitFor();
    await page.unrouteAll();
    await failed.getByRole("button", { name: "Try again" }).click();
    await page
      .getByRole("status")
      .filter({ hasText: `Job ${job.id} → Lost` })
      .waitFor();
    await failed.waitFor({ state: "detached" });
    await laneOf(page, truck.name).locator(`[data-job="${job.id}"][aria-busy="false"]`).waitFor();
    expect(await operationsOf(job)).toEqual(["jobs.create", "jobs.dispatch"]);

    await page.locator(".said").getByRole("button", { name: "Undo" }).click();
    await page
      .getByRole("status")
      .filter({ hasText: `Undone: Job ${job.id} → Lost` })
      .waitFor();
  });

  it("retries two unanswered actions on one job", async () => {
    const truck = await makeTruck(harness, "Both");
    const job = await makeJob(harness, { schedule_date: day });
    const { page } = await openLive();
    await page.route("**/*", (route) => route.abort());
    await drag(page, cardOf(page, job), laneOf(page, truck.name));
    const failed = page.getByRole("button", { name: "Try again" });
    await failed.waitFor();
    await cardOf(page, job).focus();
    await page.keyboard.press("c");
    await failed.nth(1).waitFor();

    await page.unrouteAll();
    await live(page).waitFor();
    await page.keyboard.press("r");
    await page
      .getByRole("status")
      .filter({ hasText: `Job ${job.id} completed` })
      .waitFor();
    await failed.first().waitFor({ state: "detached" });
    expect(await operationsOf(job)).toEqual(["jobs.create", "jobs.dispatch", "jobs.update"]);
  });

  it("is live with a local server while the browser reports no network", async () => {
    const { page } = await openLive();
    await page.addInitScript("Object.defineProperty(navigator, 'onLine', { get: () => false })");
    await page.reload();
    await live(page).waitFor();
  });

  it("forgets a dropped action", async () => {
    const job = await makeJob(harness, { schedule_date: day });
    const { page } = await openLive();
    await page.route("**/*", (route) => route.abort());
    await cardOf(page, job).focus();
    await page.keyboard.press("c");
    await page.getByRole("button", { name: "Drop" }).click();
    await page.getByText("No answer").waitFor({ state: "detached" });
    await page.unrouteAll();
    await live(page).waitFor();
    expect(await operationsOf(job)).toEqual(["jobs.create"]);
  });

  it("reports offline at once, and reconnects with the new jobs", async () => {
    const { page } = await openLive();
    await page.context().setOffline(true);
    await page.getByText("offline: no network").waitFor();
    const job = await makeJob(harness, { schedule_date: day });
    await page.context().setOffline(false);
    await live(page).waitFor();
    await cardOf(page, job).waitFor();
  });
});
