import { beforeAll, expect, it } from "vitest";
import { boxOf, cardOf, drag, drawn, idsIn, laneOf, makeJob, makeTruck } from "../support/board-page.ts";
import { useBrowser } from "../support/browser.ts";
import { openSignedIn } from "../support/signed-in-page.ts";
import { describeOverHttp } from "../support/targets.ts";

const day = "2026-11-21T00:00:00";

describeOverHttp("working on the board", (harness) => {
  const browser = useBrowser();
  let one: { id: number };
  let two: { id: number };
  beforeAll(async () => {
    one = await makeTruck(harness, "One");
    two = await makeTruck(harness, "Two");
  });
  const read = ({ id, location_id }: { id: number; location_id: number }) =>
    harness.ok("jobs.get", { params: { job_id: id, location_id } });
  const jobOn = (truck: { id: number } | null, changes = {}) =>
    makeJob(harness, { schedule_date: day, ...(truck && { truck_id: truck.id }), ...changes });

  it("undoes truck and place of one drag together", async () => {
    const last = await jobOn(two, { priority: -9 });
    const job = await jobOn(one);
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    await drag(page, cardOf(page, job), cardOf(page, last), 5);
    await expect.poll(() => idsIn(laneOf(page, "Two"))).toEqual([job.id, last.id]);
    await page.getByRole("status").filter({ hasText: "→ Two" }).waitFor();
    await page.getByRole("navigation", { name: "View" }).getByRole("button", { name: "Undo" }).click();
    await page.getByRole("status").filter({ hasText: "Undone" }).waitFor();
    await expect.poll(() => idsIn(laneOf(page, "One"))).toEqual([job.id]);
    expect(await read(job)).toMatchObject({ truck_id: one.id });
    expect(problems).toEqual([]);
  });

  it("marks the target of a drag, selects no text, and cancels it on Escape", async () => {
    const last = await jobOn(two, { priority: -9 });
    const job = await jobOn(one);
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    const from = await boxOf(cardOf(page, job));
    const to = await boxOf(cardOf(page, last));
    await page.mouse.move(from.x + 60, from.y + 50);
    await page.mouse.down();
    await page.mouse.move(to.x + 60, to.y + to.height - 5, { steps: 4 });
    await page.locator(`.put-behind[data-job="${last.id}"]`).waitFor();
    await page.mouse.move(to.x + 60, to.y + 5, { steps: 4 });
    await page.locator(".put-before").waitFor();
    expect(await page.evaluate("String(getSelection())")).toBe("");
    await page.keyboard.press("Escape");
    await page.mouse.up();
    expect(await page.locator(".put-before, .put-behind, .target, .ghost, .dragged").count()).toBe(0);
    expect(await read(job)).toMatchObject({ truck_id: one.id });
    expect(problems).toEqual([]);
  });

  it("keeps the focus on a moved job, and moves it to the next job when the job leaves the day", async () => {
    const keys = await makeTruck(harness, "Keys");
    const next = await jobOn(keys);
    const job = await jobOn(null);
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    const chosen = () => page.evaluate("document.activeElement.dataset.job");
    await cardOf(page, job).focus();
    await page.keyboard.press("a");
    await page.keyboard.type("keys");
    await page.keyboard.press("Enter");
    await laneOf(page, "Keys").locator(`[data-job="${job.id}"][aria-busy="false"]`).waitFor();
    await expect.poll(chosen).toBe(String(job.id));
    await page.keyboard.press("s");
    await page.getByLabel("When", { exact: true }).fill("tomorrow");
    await page.keyboard.press("Enter");
    await cardOf(page, job).waitFor({ state: "detached" });
    await expect.poll(chosen).toBe(String(next.id));
    expect(problems).toEqual([]);
  });

  it("changes window and truck on the card, after it refuses invalid text", async () => {
    const job = await jobOn(one);
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    const card = cardOf(page, job);
    await card.getByRole("button", { name: "change day, time or truck" }).click();
    await card.getByLabel("Truck", { exact: true }).selectOption("Two");
    await card.getByLabel("Window").fill("whenever");
    await page.keyboard.press("Enter");
    await card.getByText('"whenever" is not a window').waitFor();
    expect(await read(job)).toMatchObject({ truck_id: one.id });
    await card.getByLabel("Window").fill("8:00-10:00");
    await page.keyboard.press("Enter");
    await laneOf(page, "Two").locator(`[data-job="${job.id}"]`).getByText("8:00–10:00").waitFor();
    await card.locator("form").waitFor({ state: "detached" });
    expect(await read(job)).toMatchObject({
      desired_start_time: "2026-11-21T08:00:00.000000",
      schedule_date: "2026-11-21T00:00:00.000000",
      truck_id: two.id,
    });
    await card.getByRole("button", { name: "change day, time or truck" }).click();
    await page.keyboard.type("tomorrow");
    await page.keyboard.press("Escape");
    await card.locator("form").waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate("document.activeElement.dataset.job")).toBe(String(job.id));
    expect(problems).toEqual([]);
  });

  it("undoes time and truck of one save together, and reports a save that succeeded only in part", async () => {
    const job = await jobOn(one);
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    const card = cardOf(page, job);
    await card.getByRole("button", { name: "change day, time or truck" }).click();
    await card.getByLabel("Truck", { exact: true }).selectOption("Two");
    await card.getByLabel("Window").fill("8:00-10:00");
    await page.keyboard.press("Enter");
    await page
      .getByRole("status")
      .filter({ hasText: `Job ${job.id} changed → Two` })
      .waitFor();
    expect(await read(job)).toMatchObject({
      desired_start_time: "2026-11-21T08:00:00.000000",
      truck_id: two.id,
    });
    await page.getByRole("navigation", { name: "View" }).getByRole("button", { name: "Undo" }).click();
    await page.getByRole("status").filter({ hasText: "Undone" }).waitFor();
    expect(await read(job)).toMatchObject({ desired_start_time: null, truck_id: one.id });
    await page.route("**/dispatch", (route) => route.fulfill({ status: 400, body: "no" }), { times: 1 });
    await laneOf(page, "One").locator(card.locator("button.when")).click();
    await card.getByLabel("Truck", { exact: true }).selectOption("Two");
    await card.getByLabel("Window").fill("9:00-11:00");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText(`Job ${job.id} was changed, but is not on that truck`).waitFor();
    expect(await card.getByText("changed this job").count()).toBe(0);
    await card.getByRole("button", { name: "Save" }).click();
    await page
      .getByRole("status")
      .filter({ hasText: `Job ${job.id} → Two` })
      .waitFor();
    expect(problems.filter((problem) => !problem.includes("400"))).toEqual([]);
  });

  it("keeps typed text on a card when another user moves the job to another truck", async () => {
    const job = await jobOn(one);
    const { page } = await openSignedIn(harness, browser, "/board");
    const card = cardOf(page, job);
    await card.getByRole("button", { name: "change day, time or truck" }).click();
    await card.getByLabel("Window").fill("9:00-11:00");
    await harness.ok("jobs.dispatch", {
      as: "Admin",
      body: { truck_id: two.id },
      params: { job_id: job.id, location_id: job.location_id },
    });
    await laneOf(page, "Two").locator(`[data-job="${job.id}"]`).waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.value")).toBe("9:00-11:00");
    await card.getByText("the-Admin changed this job").waitFor();
    await harness.ok("jobs.update", {
      as: "Admin",
      body: {
        desired_end_time: "2026-11-21T07:00:00.000000",
        desired_start_time: "2026-11-21T06:00:00.000000",
      },
      params: { job_id: job.id, location_id: job.location_id },
    });
    await card.getByText("now: 6:00–7:00").waitFor();
    expect(await card.getByText(/^now: /).count()).toBe(1);
    const other = await jobOn(one);
    await harness.ok("jobs.update", {
      as: "Admin",
      body: { driver_notes: "Ring twice" },
      params: { job_id: other.id, location_id: other.location_id },
    });
    await cardOf(page, other).getByText("changed by the-Admin").waitFor();
    await card.getByLabel("Window").press("Enter");
    await page.getByRole("alert").getByText(`Job ${job.id} has changed.`).waitFor();
    await card.getByLabel("Window").focus();
    for (const name of ["Continue with the new values", "Save"])
      await card.getByRole("button", { name }).click();
    await card.locator("form").waitFor({ state: "detached" });
    expect(await read(job)).toMatchObject({ desired_start_time: "2026-11-21T09:00:00.000000" });
  });

  it("saves typed text on a card after the user has dragged the card to another truck", async () => {
    const job = await jobOn(one);
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    const card = cardOf(page, job);
    await card.getByRole("button", { name: "change day, time or truck" }).click();
    await card.getByLabel("Window").fill("9:00-11:00");
    await drag(page, card, laneOf(page, "Two"));
    await page
      .getByRole("status")
      .filter({ hasText: `Job ${job.id} → Two` })
      .waitFor();
    await laneOf(page, "Two").locator(`[data-job="${job.id}"][aria-busy="false"]`).waitFor();
    await card.getByRole("button", { name: "Save" }).click();
    await page
      .getByRole("status")
      .filter({ hasText: `Job ${job.id} changed` })
      .waitFor();
    await card.locator("form").waitFor({ state: "detached" });
    expect(await read(job)).toMatchObject({
      desired_start_time: "2026-11-21T09:00:00.000000",
      truck_id: two.id,
    });
    expect(problems).toEqual([]);
  });

  it("sends keys to no other card when the edited card moves to another day", async () => {
    const lane = await makeTruck(harness, "Typing");
    const [job, next] = [await jobOn(lane), await jobOn(lane)];
    const { page } = await openSignedIn(harness, browser, "/board");
    await cardOf(page, job).getByRole("button", { name: "change day, time or truck" }).click();
    await page.keyboard.type("mon");
    await harness.ok("jobs.update", {
      as: "Admin",
      body: { schedule_date: "2026-11-25T00:00:00" },
      params: { job_id: job.id, location_id: job.location_id },
    });
    await cardOf(page, job).waitFor({ state: "detached" });
    await page.keyboard.type("c");
    await drawn(page);
    expect(await page.evaluate("document.activeElement === document.body")).toBe(true);
    expect(await read(next)).toMatchObject({ is_completed: false });
  });

  it("keeps the days visible for a card far down, and offers undo next to the action with the customer's name", async () => {
    const lane = await makeTruck(harness, "Long");
    for (let count = 0; count < 9; count++) await jobOn(lane, { priority: -9 });
    const job = await jobOn(lane, { priority: -9 });
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    const card = cardOf(page, job);
    const from = await boxOf(card);
    await page.mouse.move(from.x + 60, from.y + 40);
    await page.mouse.down();
    await page.mouse.move(from.x + 90, from.y + 50);
    const tomorrow = page.getByRole("button", { name: "Sun Nov 22" });
    await expect.poll(async () => (await tomorrow.boundingBox())?.y ?? -1).toBeGreaterThanOrEqual(0);
    const to = await boxOf(tomorrow);
    await page.mouse.move(to.x + 20, to.y + 10, { steps: 4 });
    await page.mouse.up();
    const said = page.locator(".said");
    await said.getByText(/^Job \d+ → tomorrow · \D/).waitFor();
    await said.getByRole("button", { name: "Undo" }).click();
    await said.getByText("Undone").waitFor();
    expect(await said.getByRole("button").count()).toBe(0);
    expect(await read(job)).toMatchObject({ schedule_date: "2026-11-21T00:00:00.000000" });
    expect(problems).toEqual([]);
  });

  it.each([
    ["a screen", { height: 800, width: 1280 }],
    ["a phone", { height: 780, width: 390 }],
  ])("keeps the truck's name visible above the focused card, on %s", async (_, viewport) => {
    const lane = await makeTruck(harness, `Named ${viewport.width}`);
    for (let count = 0; count < 9; count++) await jobOn(lane);
    const { page, problems } = await openSignedIn(harness, browser, "/board", { viewport });
    const cards = laneOf(page, lane.name).locator(".card");
    /** Reads within one frame, because a card that comes into view gets its true height in the next frame. */
    const seen = () =>
      laneOf(page, lane.name).evaluate((element) => {
        const name = element.querySelector("h3")?.getBoundingClientRect();
        const top = element.querySelector(".card:focus")?.getBoundingClientRect().top ?? Number.NaN;
        const isNamed = name !== undefined && name.top >= 0 && top >= name.bottom;
        return isNamed && top < element.ownerDocument.documentElement.clientHeight;
      });
    await cards.first().focus();
    await page.keyboard.press("End");
    for (let row = 8; row > 0; row--) {
      await page.keyboard.press("ArrowUp");
      await expect.poll(seen).toBe(true);
    }
    expect(problems).toEqual([]);
  });

  it("scrolls a dragged card to trucks and places out of sight", async () => {
    const far = await makeTruck(harness, "Zenith");
    const jobs = [];
    for (let count = 0; count < 9; count++) jobs.push(await jobOn(far));
    const job = await jobOn(one);
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    const from = await boxOf(cardOf(page, job));
    await page.mouse.move(from.x + 60, from.y + 12);
    await page.mouse.down();
    const lane = laneOf(page, "Zenith");
    // The pointer stays at the edge.
    await page.mouse.move(1264, 500, { steps: 2 });
    await expect.poll(async () => ((await lane.boundingBox())?.x ?? 0) + 40).toBeLessThan(1200);
    const last = lane.locator(".card").last();
    await page.mouse.move(1150, 879, { steps: 2 });
    await expect.poll(async () => (await last.boundingBox())?.y ?? Number.NaN).toBeLessThan(800);
    const to = await boxOf(last);
    await page.mouse.move(to.x + 60, to.y + to.height - 5, { steps: 4 });
    await page.mouse.up();
    await expect.poll(async () => (await idsIn(lane)).at(-1)).toBe(job.id);
    await lane.locator(`[data-job="${job.id}"][aria-busy="false"]`).waitFor();
    await drag(page, cardOf(page, job), lane.locator("h3"));
    await expect.poll(async () => (await idsIn(lane)).at(0)).toBe(job.id);
    expect(problems).toEqual([]);
  });

  it("returns to the previous day on Back, skipping text typed in the filter", async () => {
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    const pressed = page.locator('.day[aria-pressed="true"]');
    await page.getByRole("button", { name: "Mon Nov 23" }).click();
    await page.getByLabel("Filter").fill("one");
    await page.waitForURL("**/board?date=2026-11-23&text=one");
    await page.goBack();
    await expect.poll(() => pressed.textContent()).toBe("today, Sat Nov 21");
    expect(problems).toEqual([]);
  });

  it("counts the jobs that a filter shows", async () => {
    const lane = await makeTruck(harness, "Filtered");
    await jobOn(lane, { reference_number: "PO-1" });
    await jobOn(lane, { reference_number: "PO-2" });
    const { page, problems } = await openSignedIn(harness, browser, "/board?text=po-2");
    await laneOf(page, "Filtered").getByText("2 jobs · 1 of 2 shown").waitFor();
    await laneOf(page, "Unscheduled").getByText("0", { exact: true }).waitFor();
    expect(problems).toEqual([]);
  });
});
