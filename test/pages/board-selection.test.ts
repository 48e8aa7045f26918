import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { boxOf, cardOf, drag, idsIn, laneOf, makeJob, makeTruck } from "../support/board-page.ts";
import { useBrowser } from "../support/browser.ts";
import { openSignedIn } from "../support/signed-in-page.ts";
import { describeOverHttp } from "../support/targets.ts";
import { findFaults } from "../support/watch-page.ts";

const day = "2026-11-21T00:00:00";

interface Job {
  id: number;
  location_id: number;
}

describeOverHttp("several jobs on the board", (harness) => {
  const browser = useBrowser();
  let one: { id: number };
  let two: { id: number };
  beforeAll(async () => {
    one = await makeTruck(harness, "One");
    two = await makeTruck(harness, "Two");
  });
  const threeOn = async (truck: { id: number } | null): Promise<[Job, Job, Job]> => {
    const make = (priority: number) =>
      makeJob(harness, { priority, schedule_date: day, ...(truck && { truck_id: truck.id }) });
    return [await make(-1), await make(-2), await make(-3)];
  };
  const read = ({ id, location_id }: Job) => harness.ok("jobs.get", { params: { job_id: id, location_id } });
  const trucksOf = async (jobs: readonly Job[]) =>
    (await Promise.all(jobs.map(read))).map((job) => job.truck_id);
  const selected = (page: Page) =>
    page
      .locator("[data-selected]")
      .evaluateAll((cards) => cards.map((card) => Number(card.getAttribute("data-job"))));
  const said = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text }).waitFor();

  it("are selected with Ctrl and Shift, go to a truck by one drag, and come back by one undo", async () => {
    const jobs = await threeOn(null);
    const [first, second, last] = jobs;
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    await cardOf(page, first)
      .locator(".name")
      .click({ modifiers: ["Control"] });
    await cardOf(page, last)
      .locator(".name")
      .click({ modifiers: ["Shift"] });
    expect(await selected(page)).toEqual(jobs.map(({ id }) => id));
    await cardOf(page, second)
      .locator(".name")
      .click({ modifiers: ["Control"] });
    expect(await selected(page)).toEqual([first.id, last.id]);
    expect(await findFaults(page)).toEqual([]);
    await drag(page, cardOf(page, first), laneOf(page, "One"));
    await said(page, "2 jobs → One");
    expect(await trucksOf(jobs)).toEqual([one.id, null, one.id]);
    await expect.poll(() => selected(page)).toEqual([]);
    await page.keyboard.press("u");
    await said(page, "Undone: 2 jobs → One");
    expect(await trucksOf(jobs)).toEqual([null, null, null]);
    expect(problems).toEqual([]);
  });

  it("go in order to the place where they are dropped, and come back by one undo", async () => {
    const three = await makeTruck(harness, "Three");
    const four = await makeTruck(harness, "Four");
    const [above, below, same] = await threeOn(three);
    const [first, second, other] = await threeOn(four);
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    const select = async (...jobs: Job[]) => {
      for (const job of jobs)
        await cardOf(page, job)
          .locator(".name")
          .click({ modifiers: ["Control"] });
    };
    const idsOn = (name: string) => idsIn(laneOf(page, name));
    const ids = (...jobs: Job[]) => jobs.map(({ id }) => id);
    await select(second, same, first);
    await drag(page, cardOf(page, first), cardOf(page, below), 5);
    await said(page, "3 jobs → Three");
    await expect.poll(() => idsOn("Three")).toEqual(ids(above, first, second, same, below));
    expect(await idsOn("Four")).toEqual(ids(other));
    await page.keyboard.press("u");
    await said(page, "Undone: 3 jobs → Three");
    await expect.poll(() => idsOn("Three")).toEqual(ids(above, below, same));
    await expect.poll(() => idsOn("Four")).toEqual(ids(first, second, other));
    expect(problems).toEqual([]);
  });

  it("go each to the place of its window on a truck's name, and ask before a place that contradicts one", async () => {
    const five = await makeTruck(harness, "Five");
    const at = (hour: number, truck: { id: number } | null) =>
      makeJob(harness, {
        desired_end_time: `2026-11-21T${hour + 1}:00:00`,
        desired_start_time: `2026-11-21T${hour}:00:00`,
        schedule_date: day,
        ...(truck && { truck_id: truck.id }),
      });
    const [noon, late] = [await at(18, five), await at(22, five)];
    const [between, last, first] = [await at(20, null), await at(23, null), await at(14, null)];
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    for (const job of [between, last, first])
      await cardOf(page, job)
        .locator(".name")
        .click({ modifiers: ["Control"] });
    await drag(page, cardOf(page, between), cardOf(page, noon), 5);
    await page.getByRole("dialog", { name: "This place does not fit the time" }).waitFor();
    await page.keyboard.press("Escape");
    await drag(page, cardOf(page, between), laneOf(page, "Five").locator("h3"));
    await said(page, "3 jobs → Five");
    const ordered = [first, noon, between, late, last].map(({ id }) => id);
    await expect.poll(() => idsIn(laneOf(page, "Five"))).toEqual(ordered);
    expect(problems).toEqual([]);
  });

  it("are selected with Space, then assigned, moved to a day, and completed by one key each", async () => {
    const jobs = await threeOn(one);
    const [first, second, last] = jobs;
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const select = async () => {
      await cardOf(page, first).focus();
      await press("Space", "ArrowDown", "Space");
      await page.getByText("2 selected").waitFor();
    };
    await cardOf(page, first).waitFor();
    await select();
    await press("Escape");
    expect(await selected(page)).toEqual([]);
    await select();
    await press("a");
    await page.keyboard.type("two");
    await press("Enter");
    await said(page, "2 jobs → Two");
    expect(await trucksOf(jobs)).toEqual([two.id, two.id, one.id]);
    await expect.poll(() => idsIn(laneOf(page, "Two"))).toEqual([first.id, second.id]);
    await select();
    await press("c");
    await said(page, "2 jobs completed");
    expect(await read(second)).toMatchObject({ is_completed: true });
    await press("u");
    await said(page, "Undone: 2 jobs completed");
    expect(await read(second)).toMatchObject({ is_completed: false });
    await cardOf(page, first).waitFor();
    await select();
    await press("s");
    await page.keyboard.type("mon");
    await press("Enter");
    await said(page, "2 jobs → Mon Nov 23");
    expect(await read(first)).toMatchObject({ schedule_date: "2026-11-23T00:00:00.000000" });
    expect(await read(last)).toMatchObject({ schedule_date: "2026-11-21T00:00:00.000000" });
    await page.getByRole("button", { name: "Mon Nov 23" }).click();
    await cardOf(page, first).waitFor();
    await select();
    await press("s");
    await page.keyboard.type("tue 9:00");
    await press("Enter");
    await said(page, "2 jobs → Tue Nov 24 9:00");
    expect(await read(first)).toMatchObject({ schedule_date: "2026-11-24T09:00:00.000000" });
    expect(problems).toEqual([]);
  });

  it("change all or none when another user was faster, and stay selected", async () => {
    const jobs = await threeOn(one);
    const [first, second] = jobs;
    const { page } = await openSignedIn(harness, browser, "/board");
    await cardOf(page, first).focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Space");
    await page.route("**/events**", (route) => route.abort());
    await page.route("**/batch", async (route) => {
      await harness.ok("jobs.dispatch", {
        as: "Admin",
        body: { truck_id: two.id },
        params: { job_id: second.id, location_id: second.location_id },
      });
      await route.continue();
    });
    await page
      .getByRole("group", { name: "Selected jobs" })
      .getByRole("button", { name: "Complete" })
      .click();
    await page.getByRole("alert").getByText("Not done: 2 jobs completed.").waitFor();
    expect(await read(first)).toMatchObject({ is_completed: false });
    expect(await selected(page)).toHaveLength(2);
  });

  it("are selected by a long press and taps on a phone", async () => {
    const jobs = await threeOn(two);
    const [first, second] = jobs;
    const { page, problems } = await openSignedIn(harness, browser, "/board", {
      hasTouch: true,
      isMobile: true,
      viewport: { height: 800, width: 360 },
    });
    const box = await boxOf(cardOf(page, first).locator(".place"));
    const touch = await page.context().newCDPSession(page);
    const at = [{ x: box.x + 20, y: box.y + 12 }];
    await touch.send("Input.dispatchTouchEvent", { touchPoints: at, type: "touchStart" });
    await expect.poll(() => selected(page)).toEqual([first.id]);
    await touch.send("Input.dispatchTouchEvent", { touchPoints: [], type: "touchEnd" });
    await cardOf(page, second).locator(".place").tap();
    await expect.poll(() => selected(page)).toEqual([first.id, second.id]);
    expect(await findFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "Truck …" }).tap();
    await page.getByRole("dialog").getByRole("option", { name: "One" }).tap();
    await said(page, "2 jobs → One");
    expect(await trucksOf(jobs)).toEqual([one.id, one.id, two.id]);
    expect(problems).toEqual([]);
  });
});
