import type { Route } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { cardOf, drag, laneOf, makeJob } from "../support/board-page.ts";
import { useBrowser } from "../support/browser.ts";
import { copyJob } from "../support/copy-job.ts";
import { keepInTab, openSignedIn } from "../support/signed-in-page.ts";
import { describeOverHttp, freshHarness } from "../support/targets.ts";

describeOverHttp("the days of a board in New York", (harness) => {
  const browser = useBrowser();
  beforeAll(async () => {
    await harness.ok("locations.update", {
      as: "Admin",
      params: { location_id: harness.acme.locationId },
      body: { time_zone: "America/New_York" },
    });
  });
  const at = (schedule_date: string) => makeJob(harness, { schedule_date });

  it("has 25 hours on the day that clocks go back, in order", async () => {
    const before = await at("2026-11-01T03:59:00");
    const summer = await at("2026-11-01T05:30:00");
    const winter = await at("2026-11-01T06:30:00");
    const last = await at("2026-11-02T04:59:00");
    const after = await at("2026-11-02T05:00:00");
    const { page, problems } = await openSignedIn(harness, browser, "/board?date=2026-11-01");
    const tray = page.locator(".tray").and(page.getByLabel("Unassigned"));
    await cardOf(page, last).waitFor();
    const shown = await tray
      .locator(".card")
      .evaluateAll((cards) =>
        cards.map((card) => [
          Number(card.getAttribute("data-job")),
          card.querySelector(".when")?.textContent ?? "",
        ]),
      );
    expect(shown).toEqual([
      [summer.id, "1:30 am"],
      [winter.id, "1:30 am"],
      [last.id, "11:59 pm"],
    ]);
    for (const other of [before, after])
      expect(await tray.locator(`[data-job="${other.id}"]`).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it("shows the time and the zone of a yard in another zone", async () => {
    const { id: location_id } = await harness.ok("locations.create", {
      as: "Admin",
      body: { name: "Honolulu", time_zone: "Pacific/Honolulu" },
    });
    await harness.ok("trucks.create", { as: "Admin", body: { name: "Surf" }, params: { location_id } });
    const { page } = await openSignedIn(harness, browser, "/board");
    await page.getByRole("heading", { name: "Honolulu" }).getByText("2:00 am HST").waitFor();
    expect(await page.locator(".toolbar .clock").textContent()).toBe("12:00 UTC");
  });

  it("gives a job the whole day if the target day skips its time", async () => {
    const job = await at("2027-03-13T07:30:00");
    const { page, problems } = await openSignedIn(harness, browser, "/board?date=2027-03-13");
    await cardOf(page, job).getByText("2:30 am", { exact: true }).waitFor();
    await drag(page, cardOf(page, job), page.getByRole("button", { name: "Sun Mar 14 2027" }));
    await page.getByRole("status").filter({ hasText: "Sun Mar 14 2027" }).waitFor();
    const { schedule_date } = await harness.ok("jobs.get", {
      params: { job_id: job.id, location_id: job.location_id },
    });
    expect(schedule_date).toBe("2027-03-14T00:00:00.000000");
    expect(problems).toEqual([]);
  });

  it("switches to the next day at midnight in its zone", async () => {
    const own = await freshHarness(harness);
    await own.ok("locations.update", {
      as: "Admin",
      params: { location_id: own.acme.locationId },
      body: { time_zone: "America/New_York" },
    });
    const today = await makeJob(own, { schedule_date: "2026-11-21T00:00:00" });
    const tomorrow = await makeJob(own, { schedule_date: "2026-11-22T00:00:00" });
    const location = `?location=${own.acme.locationId}`;
    const { page, problems } = await openSignedIn(own, browser, `/board${location}`);
    await cardOf(page, today).waitFor();
    await page.clock.install({ time: new Date("2026-11-22T04:30:00Z") });
    await page.reload();
    await cardOf(page, today).waitFor();
    await page.clock.pauseAt(new Date("2026-11-22T04:59:50Z"));
    await page.clock.runFor(30_000);
    await cardOf(page, tomorrow).waitFor();
    expect(problems).toEqual([]);
  });

  it("uses the time of the response, not of the request", async () => {
    const own = await freshHarness(harness);
    const due = { desired_end_time: "2026-11-21T20:00:00", desired_start_time: "2026-11-21T19:00:00" };
    const job = await makeJob(own, { ...due, schedule_date: "2026-11-21T00:00:00" });
    const later = await makeJob(own, { schedule_date: "2026-11-23T00:00:00" });
    const { page, problems } = await openSignedIn(own, browser, "/board");
    await page.clock.install({ time: new Date("2026-11-21T19:30:00Z") });
    await page.reload();
    await page.getByText("live", { exact: true }).waitFor();
    await cardOf(page, job).waitFor();
    await page.clock.pauseAt(new Date("2026-11-21T19:59:55Z"));
    const late = laneOf(page, "Overdue from earlier days").locator(`[data-job="${job.id}"]`);
    const holdUntilLate = async (route: Route) => {
      const response = await route.fetch();
      await page.clock.runFor(30_000);
      await late.waitFor({ state: "attached" });
      await route.fulfill({ response });
    };
    await page.route(/\/jobs\?.*schedule_lte=2026-11-23T/, holdUntilLate, { times: 1 });
    await page.getByRole("button", { name: "Mon Nov 23" }).click();
    await cardOf(page, later).waitFor();
    expect(await late.count()).toBe(1);
    expect(problems).toEqual([]);
  });

  it("shows the server's day if the device's clock is wrong", async () => {
    const { authorization = "", "x-tenant-id": tenantId } = harness.headersOf("Dispatcher");
    const { headers } = await harness.send({ path: "/board" });
    const now = Date.parse(headers.date ?? "");
    const page = await browser.newPage();
    await page.clock.setFixedTime(now - 3 * 24 * 3600 * 1000);
    await keepInTab(page, { tenantId: Number(tenantId), token: authorization.replace("Bearer ", "") });
    await page.goto(`${harness.origin}/board?location=${harness.acme.locationId}`);
    await laneOf(page, "Truck 5").waitFor();
    const shown = await page.getByLabel("Another day").inputValue();
    // Swedish dates are ISO 8601.
    const there = new Intl.DateTimeFormat("sv-SE", { timeZone: "America/New_York" });
    expect([now, now + 60_000].map((ms) => there.format(ms))).toContain(shown);
  });

  it("falls back to today for an impossible date in its address, and shows each day once", async () => {
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    for (const [asked, shown] of [
      ["2026-02-31", "2026-11-21"],
      ["0000-01-01", "2026-11-21"],
      ["9999-12-31", "9999-12-31"],
    ]) {
      await page.goto(`${harness.origin}/board?date=${asked}`);
      await laneOf(page, "Truck 5").waitFor();
      expect(await page.getByLabel("Another day").inputValue()).toBe(shown);
      const days = await page.getByRole("group", { name: "Day" }).locator("[data-day]").allTextContents();
      expect(days).toHaveLength(new Set(days).size);
    }
    expect(problems).toEqual([]);
  });

  it("shows 2,000 jobs, finds one, and follows its changes", async () => {
    const own = await freshHarness(harness);
    const onTruck = { schedule_date: "2026-11-21T00:00:00", truck_id: own.acme.truckId };
    const copied = await makeJob(own, onTruck);
    copyJob(own.store.data, 1999, copied.id);
    const job = await makeJob(own, { ...onTruck, reference_number: "needle" });
    const { page, problems } = await openSignedIn(own, browser, "/board");
    await expect.poll(() => page.locator(".lane .card").count(), { timeout: 30_000 }).toBe(2001);
    await page.getByLabel("Filter").fill("needle");
    await expect.poll(() => page.locator(".lane .card").count()).toBe(1);
    await own.ok("jobs.update", {
      params: { job_id: job.id, location_id: job.location_id },
      body: { is_completed: true },
    });
    await cardOf(page, job).getByText("completed", { exact: true }).waitFor();
    expect(problems).toEqual([]);
  });
});
