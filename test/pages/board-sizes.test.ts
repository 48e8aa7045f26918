import { beforeAll, expect, it } from "vitest";
import { cardOf, makeJob, makeTruck } from "../support/board-page.ts";
import { useBrowser } from "../support/browser.ts";
import { openSignedIn } from "../support/signed-in-page.ts";
import { describeOverHttp } from "../support/targets.ts";
import { findFaults } from "../support/watch-page.ts";

const large = { height: 1080, width: 1920 };

describeOverHttp("a board of 30 trucks", (harness) => {
  const browser = useBrowser();
  let job = { id: 0 };
  beforeAll(async () => {
    await harness.ok("locations.update", {
      as: "Admin",
      body: { time_zone: "America/New_York" },
      params: { location_id: harness.acme.locationId },
    });
    for (let number = 1; number <= 28; number++) {
      const { id: truck_id } = await makeTruck(harness, `Truck ${number}`);
      for (let count = 0; count < 3; count++)
        job = await makeJob(harness, {
          desired_end_time: "2026-11-21T22:30:00",
          desired_start_time: "2026-11-21T20:00:00",
          schedule_date: "2026-11-21T00:00:00",
          truck_id,
        });
    }
  });

  it("shows all trucks on a large screen, with one line for each card", async () => {
    const { page, problems } = await openSignedIn(harness, browser, "/board", { viewport: large });
    await cardOf(page, job).waitFor();
    const lanes = "[...document.querySelectorAll('.lane')].map((lane) => lane.getBoundingClientRect())";
    expect(
      await page.evaluate(
        `${lanes}.filter(({ bottom, right }) => bottom <= innerHeight && right <= innerWidth).length`,
      ),
    ).toBe(30);
    expect((await cardOf(page, job).boundingBox())?.height).toBeLessThan(26);
    // The end of the window is hidden, but not its half of the day.
    const half = "getComputedStyle(document.querySelector('.lane .when'), '::after').content";
    expect(await page.evaluate(half)).toBe('" pm"');
    const isCut = "[...document.querySelectorAll('.when')].some((it) => it.scrollWidth > it.clientWidth)";
    expect(await page.evaluate(isCut)).toBe(false);
    expect(await findFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "Compact" }).click();
    await page.waitForURL("**/board?compact=off");
    await expect.poll(async () => (await cardOf(page, job).boundingBox())?.height).toBeGreaterThan(60);
    expect(problems).toEqual([]);
  });

  it("keeps times, names, and grips apart on a phone, in one column", async () => {
    const { page, problems } = await openSignedIn(harness, browser, "/board", {
      hasTouch: true,
      isMobile: true,
      viewport: { height: 740, width: 360 },
    });
    await cardOf(page, job).waitFor();
    const [when, name, grip] = await Promise.all(
      [".when", ".name", ".grip"].map((part) => cardOf(page, job).locator(part).boundingBox()),
    );
    if (!when || !name || !grip) throw new Error("The card lacks a part.");
    expect(grip.x).toBeGreaterThanOrEqual(when.x + when.width);
    expect(name.x).toBeGreaterThanOrEqual(grip.x + grip.width);
    expect(name.width).toBeGreaterThan(90);
    expect(await findFaults(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it("scales the text of the wall with the screen, without controls, and turns the page", async () => {
    const { page, problems } = await openSignedIn(harness, browser, "/board?wall", { viewport: large });
    await cardOf(page, job).waitFor();
    expect(await page.getByRole("button", { name: /^Hand over/ }).count()).toBe(0);
    await page.goto(`${harness.origin}/board?wall&compact=off`);
    await cardOf(page, job).waitFor();
    const size = () =>
      page.evaluate("parseFloat(getComputedStyle(document.querySelector('.wall .name')).fontSize)");
    const before = Number(await size());
    expect(await page.locator(".toolbar, .trays, .top").count()).toBe(0);
    expect(await page.getByRole("button", { name: /^Hand over/ }).count()).toBe(0);
    expect(await findFaults(page)).toEqual([]);
    const scrolled = () => page.evaluate("document.querySelector('.wall .locations').scrollTop");
    expect(await scrolled()).toBe(0);
    await page.clock.runFor(15_000);
    await expect.poll(scrolled).toBeGreaterThan(100);
    await page.setViewportSize({ height: 2160, width: 3840 });
    await expect.poll(async () => Math.round(Number(await size()) / before)).toBe(2);
    expect(problems).toEqual([]);
  });
});
