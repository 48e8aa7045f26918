import type { Route } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { boxOf, cardOf, drag, fromLeft, idsIn, laneOf, makeJob, makeTruck } from "../support/board-page.ts";
import { useBrowser } from "../support/browser.ts";
import { openSignedIn } from "../support/signed-in-page.ts";
import { describeOverHttp } from "../support/targets.ts";
import { findFaults } from "../support/watch-page.ts";

const day = "2026-11-21T00:00:00";

describeOverHttp("moving jobs on the board", (harness) => {
  const browser = useBrowser();
  let one: { id: number; name: string };
  let two: { id: number; name: string };
  beforeAll(async () => {
    one = await makeTruck(harness, "One");
    two = await makeTruck(harness, "Two");
  });
  const read = ({ id, location_id }: { id: number; location_id: number }) =>
    harness.ok("jobs.get", { params: { job_id: id, location_id } });
  const jobOn = (truck: { id: number } | null, changes = {}) =>
    makeJob(harness, { schedule_date: day, ...(truck && { truck_id: truck.id }), ...changes });

  it("puts a job on a truck by mouse, and takes it off again", async () => {
    const job = await jobOn(null);
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    await drag(page, cardOf(page, job), laneOf(page, "One"));
    await page
      .getByRole("status")
      .filter({ hasText: `Job ${job.id} → One` })
      .waitFor();
    await laneOf(page, "One").locator(`[data-job="${job.id}"][aria-busy="false"]`).waitFor();
    expect(await read(job)).toMatchObject({ truck_id: one.id });
    await drag(page, cardOf(page, job), laneOf(page, "Unassigned"), 20);
    await page.getByRole("status").filter({ hasText: "no truck" }).waitFor();
    expect(await read(job)).toMatchObject({ truck_id: null });
    expect(problems).toEqual([]);
  });

  it("drops a job at a place among the jobs of the same and another truck", async () => {
    const a = await jobOn(two, { priority: -8 });
    const b = await jobOn(two, { priority: -9 });
    const c = await jobOn(one);
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    const lane = laneOf(page, "Two");
    await drag(page, cardOf(page, b), cardOf(page, a), 5);
    await page
      .getByRole("status")
      .filter({ hasText: `Job ${b.id} has another place` })
      .waitFor();
    await expect.poll(() => idsIn(lane)).toEqual([b.id, a.id]);
    await drag(page, cardOf(page, c), cardOf(page, a), 5);
    await expect.poll(() => idsIn(lane)).toEqual([b.id, c.id, a.id]);
    const { results } = await harness.ok("jobs.list", { query: { truck_id: two.id } });
    expect(results.map(({ id }: { id: number }) => id)).toEqual([b.id, c.id, a.id]);
    expect(problems).toEqual([]);
  });

  it("drops a job by its time, and asks before a place that contradicts the time", async () => {
    const lane = await makeTruck(harness, "Timed");
    const at = (from: number) => ({
      desired_end_time: `2026-11-21T${from + 1}:00:00`,
      desired_start_time: `2026-11-21T${from}:00:00`,
    });
    const early = await jobOn(lane, { ...at(14), priority: -1 });
    const late = await jobOn(lane, { ...at(18), priority: -2 });
    const between = await jobOn(null, at(16));
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    await drag(page, cardOf(page, between), laneOf(page, "Timed").locator("h3"));
    await expect.poll(() => idsIn(laneOf(page, "Timed"))).toEqual([early.id, between.id, late.id]);
    await cardOf(page, between).and(page.locator('[aria-busy="false"]')).waitFor();
    const place = page.getByRole("dialog", { name: "This place does not fit the time" });
    await drag(page, cardOf(page, late), cardOf(page, early), 5);
    await place.getByText(`job ${early.id} (`).waitFor();
    expect(await findFaults(page)).toEqual([]);
    await place.getByRole("button", { name: "Put it by its time" }).click();
    await place.waitFor({ state: "detached" });
    expect(await idsIn(laneOf(page, "Timed"))).toEqual([early.id, between.id, late.id]);
    await drag(page, cardOf(page, late), cardOf(page, early), 5);
    await place.getByRole("button", { name: "Put it here" }).click();
    await expect.poll(() => idsIn(laneOf(page, "Timed"))).toEqual([late.id, early.id, between.id]);
    expect(problems).toEqual([]);
  });

  it("moves a job to another day, at the same local time", async () => {
    const job = await jobOn(one, { schedule_date: "2026-11-21T14:00:00" });
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    await drag(page, cardOf(page, job), page.getByRole("button", { name: "Mon Nov 23" }));
    await page.getByRole("status").filter({ hasText: "Mon Nov 23" }).waitFor();
    await cardOf(page, job).waitFor({ state: "detached" });
    expect(await read(job)).toMatchObject({ schedule_date: "2026-11-23T14:00:00.000000" });
    expect(problems).toEqual([]);
  });

  it("gives an unscheduled job the shown day and the truck on which it is dropped", async () => {
    const job = await makeJob(harness);
    const { page } = await openSignedIn(harness, browser, "/board?date=2026-11-25");
    await drag(page, cardOf(page, job), laneOf(page, "Two"));
    await laneOf(page, "Two").locator(`[data-job="${job.id}"][aria-busy="false"]`).waitFor();
    expect(await read(job)).toMatchObject({ schedule_date: "2026-11-25T00:00:00.000000", truck_id: two.id });
  });

  it("drags by touch at the grip, and scrolls elsewhere", async () => {
    const job = await jobOn(null);
    const { page, problems } = await openSignedIn(harness, browser, "/board?text=", {
      hasTouch: true,
      viewport: { width: 900, height: 900 },
    });
    const finger = await page.context().newCDPSession(page);
    const touch = async (type: string, x?: number, y?: number) =>
      finger.send("Input.dispatchTouchEvent", {
        type: type as "touchStart",
        touchPoints: x === undefined || y === undefined ? [] : [{ x, y }],
      });
    const grip = await boxOf(cardOf(page, job).locator(".grip"));
    const lane = await boxOf(laneOf(page, "One").locator("h3"));
    await touch("touchStart", grip.x + 6, grip.y + 6);
    await touch("touchMove", grip.x + 30, grip.y + 30);
    await touch("touchMove", lane.x + 60, lane.y + 40);
    await touch("touchEnd");
    await laneOf(page, "One").locator(`[data-job="${job.id}"][aria-busy="false"]`).waitFor();
    expect(await read(job)).toMatchObject({ truck_id: one.id });
    // The drag must not swallow the next click.
    await laneOf(page, "Unassigned").locator("summary").click();
    await page.locator(".tray[aria-label=Unassigned]:not([open])").waitFor({ state: "attached" });
    expect(problems).toEqual([]);
  });

  it("moves, schedules and undoes by keyboard", async () => {
    const { id: truckId, name } = await makeTruck(harness, "Keys");
    const first = await jobOn({ id: truckId }, { priority: -9 });
    const job = await jobOn(null);
    const { page, problems } = await openSignedIn(harness, browser, "/board?text=");
    await cardOf(page, job).waitFor();
    await cardOf(page, job).focus();
    await page.keyboard.press("a");
    await page.keyboard.type(name);
    await page.keyboard.press("Enter");
    const lane = laneOf(page, name);
    const settle = () => page.locator('[aria-busy="true"]').waitFor({ state: "detached" });
    await expect.poll(() => idsIn(lane)).toEqual([first.id, job.id]);
    await settle();
    await cardOf(page, job).focus();
    await page.keyboard.press("m");
    await expect.poll(() => idsIn(lane)).toEqual([job.id, first.id]);
    await settle();
    await page.keyboard.press("u");
    await expect.poll(() => idsIn(lane)).toEqual([first.id, job.id]);
    await settle();
    await cardOf(page, first).focus();
    await page.keyboard.press("ArrowDown");
    expect(await page.evaluate("document.activeElement.dataset.job")).toBe(String(job.id));
    await page.keyboard.press("s");
    await page.getByLabel("When", { exact: true }).fill("nonsense");
    await page.keyboard.press("Enter");
    await page.getByText('"nonsense" is not a time').waitFor();
    await page.getByLabel("When", { exact: true }).fill("tomorrow 8:00");
    await page.keyboard.press("Enter");
    // The card moves at once, and the status follows.
    await page
      .getByRole("status")
      .filter({ hasText: `Job ${job.id} changed` })
      .waitFor();
    await cardOf(page, job).waitFor({ state: "detached" });
    expect(await read(job)).toMatchObject({ schedule_date: "2026-11-22T08:00:00.000000" });
    expect(problems).toEqual([]);
  });

  it("shows a dropped card at its target before the response, and puts it back after an error", async () => {
    const job = await jobOn(one);
    const { page } = await openSignedIn(harness, browser, "/board", { hasShortPauses: true });
    await cardOf(page, job).waitFor();
    const answers: Route[] = [];
    // Retries fail at once.
    await page.route("**/dispatch", (route) => route.abort());
    await page.route("**/dispatch", (route) => void answers.push(route), { times: 1 });
    await drag(page, cardOf(page, job), laneOf(page, "Two"), 20);
    await laneOf(page, "Two").locator(`[data-job="${job.id}"][aria-busy="true"]`).waitFor();
    await expect.poll(() => answers.length).toBe(1);
    await answers[0]?.fulfill({ status: 503, body: "away", headers: { "retry-after": "0" } });
    await page.getByRole("alert").filter({ hasText: /./ }).waitFor();
    await laneOf(page, "One").locator(`[data-job="${job.id}"][aria-busy="false"]`).waitFor();
    expect(await read(job)).toMatchObject({ truck_id: one.id });
  });

  it("asks before it undoes a change made outside this page", async () => {
    const job = await jobOn(one);
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    await cardOf(page, job).waitFor();
    await harness.ok("jobs.dispatch", {
      params: { job_id: job.id, location_id: job.location_id },
      body: { truck_id: two.id },
    });
    await laneOf(page, "Two").locator(`[data-job="${job.id}"][aria-busy="false"]`).waitFor();
    await page.getByRole("navigation", { name: "View" }).getByRole("button", { name: "Undo" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(`Your last change of job ${job.id}, made outside this page`).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await read(job)).toMatchObject({ truck_id: two.id });
    await page.getByRole("navigation", { name: "View" }).getByRole("button", { name: "Undo" }).click();
    await dialog.getByRole("button", { name: "Undo" }).click();
    await laneOf(page, "One").locator(`[data-job="${job.id}"][aria-busy="false"]`).waitFor();
    expect(await read(job)).toMatchObject({ truck_id: one.id });
    expect(problems).toEqual([]);
  });

  it("undoes jobs only, and shows the effects before and after", async () => {
    const job = await jobOn(one);
    const params = { job_id: job.id, location_id: job.location_id };
    await harness.ok("jobs.dispatch", { as: "Admin", params, body: { truck_id: two.id } });
    const made = await makeTruck(harness, "Made at a terminal");
    const { page, problems } = await openSignedIn(harness, browser, "/board", { as: "Admin" });
    await cardOf(page, job).waitFor();
    await page.keyboard.press("u");
    await page
      .getByRole("dialog")
      .getByText(new RegExp(`^Job ${job.id}: .*truck Two → One`))
      .waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page
      .getByRole("status")
      .filter({ hasText: new RegExp(`^Undone: Job ${job.id}: .*truck Two → One.* · .`) })
      .waitFor();
    expect(await read(job)).toMatchObject({ truck_id: one.id });
    const ofTruck = { location_id: job.location_id, truck_id: made.id };
    expect(await harness.ok("trucks.get", { params: ofTruck })).toMatchObject({ out_of_service: false });
    expect(problems).toEqual([]);
  });

  it("shows the old value before the new one, also for right-to-left names", async () => {
    const [before, after] = ["משאית אחת", "משאית שתיים"];
    const truck = await makeTruck(harness, before);
    const other = await makeTruck(harness, after);
    const job = await jobOn(truck);
    const params = { job_id: job.id, location_id: job.location_id };
    await harness.ok("jobs.dispatch", { params, body: { truck_id: other.id } });
    const { page } = await openSignedIn(harness, browser, "/board");
    await cardOf(page, job).waitFor();
    await page.keyboard.press("u");
    await page.getByRole("dialog").getByText(`Job ${job.id}: `).waitFor();
    expect(await fromLeft(page, "dialog li", ["אחת", "→", "שתיים"])).toEqual(["שתיים", "→", "אחת"]);
  });

  it("keeps the text after a name with direction overrides in order", async () => {
    const { id: truckId } = await makeTruck(harness, "Override \u202e");
    const job = await jobOn(null);
    const { page } = await openSignedIn(harness, browser, "/board");
    await drag(page, cardOf(page, job), page.locator(`[data-truck="${truckId}"]`));
    const said = page.getByRole("status").filter({ hasText: `Job ${job.id} → Override` });
    await said.waitFor();
    const parts = [`Job ${job.id}`, "Override", "·"];
    expect(await fromLeft(page, ".said [role=status]", parts)).toEqual(parts);
    expect(await said.textContent()).not.toContain("\u202e");
  });

  it("reports that another user changed the job first, and changes nothing", async () => {
    const job = await jobOn(one);
    const { page } = await openSignedIn(harness, browser, "/board");
    await cardOf(page, job).waitFor();
    // The page learns of the other change too late.
    const interfere = async (route: Route) => {
      await harness.ok("jobs.dispatch", {
        as: "Admin",
        params: { job_id: job.id, location_id: job.location_id },
        body: { truck_id: null },
      });
      await route.continue();
    };
    await page.route("**/jobs/*", interfere, { times: 1 });
    await drag(page, cardOf(page, job), laneOf(page, "Two"));
    await page
      .getByRole("alert")
      .filter({ hasText: /^Not done: Job .*another user changed it first/ })
      .waitFor();
    expect(await read(job)).toMatchObject({ truck_id: null });
    await laneOf(page, "Unassigned").locator(`[data-job="${job.id}"][aria-busy="false"]`).waitFor();
  });

  it("drags cards by their text without selecting it", async () => {
    const jobs = [await jobOn(one), await jobOn(one)];
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    for (const job of jobs) {
      await cardOf(page, job).locator(".name").hover();
      await page.mouse.down();
      await laneOf(page, "Two").locator("h3").hover();
      await page.mouse.up();
      // The status line moves the lanes.
      await laneOf(page, "Two").locator(`[data-job="${job.id}"][aria-busy="false"]`).waitFor();
    }
    expect(await page.evaluate("getSelection().toString()")).toBe("");
    expect(problems).toEqual([]);
  });
});
