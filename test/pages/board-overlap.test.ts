import type { Page, Route } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { boxOf, cardOf, drag, drawn, idsIn, laneOf, makeJob } from "../support/board-page.ts";
import { useBrowser } from "../support/browser.ts";
import { aTruck } from "../support/builders.ts";
import { openSignedIn } from "../support/signed-in-page.ts";
import { describeOverHttp } from "../support/targets.ts";

const day = "2026-11-21T00:00:00";

describeOverHttp("overlapping actions on the board", (harness) => {
  const browser = useBrowser();
  let truck: { id: number };
  beforeAll(async () => {
    truck = await harness.ok("trucks.create", {
      params: { location_id: harness.acme.locationId },
      body: aTruck({ name: "One" }),
    });
  });
  const read = ({ id, location_id }: { id: number; location_id: number }) =>
    harness.ok("jobs.get", { params: { job_id: id, location_id } });
  const openBoard = async () => {
    const opened = await openSignedIn(harness, browser, "/board", { hasShortPauses: true });
    const said = (text: string) => opened.page.getByRole("status").filter({ hasText: text }).waitFor();
    const refused = (text: string) => opened.page.getByRole("alert").filter({ hasText: text }).waitFor();
    return { ...opened, refused, said };
  };

  it("runs a second change of a job after the first", async () => {
    const jobs = [];
    for (const priority of [-7, -8, -9]) jobs.push(await makeJob(harness, aPlanned(truck.id, priority)));
    const [first, second, third] = jobs.map(({ id }) => id);
    const { page, problems, said } = await openBoard();
    const lane = laneOf(page, "One");
    await expect.poll(() => idsIn(lane)).toEqual([first, second, third]);
    const held = await hold(page, "**/jobs/*/move");
    await cardOf(page, { id: first ?? 0 }).focus();
    await page.keyboard.press("M");
    await held.isAsked;
    await page.keyboard.press("M");
    held.letGo();
    await said(`Job ${first} has another place`);
    await page.locator(`[data-job="${first}"][aria-busy="false"]`).waitFor();
    expect(await page.locator(".said [role=alert]").innerText()).toBe("");
    await expect.poll(() => idsIn(lane)).toEqual([second, first, third]);
    expect(problems).toEqual([]);
  });

  it("runs changes one after the other, and undoes the one that it names", async () => {
    const [one, other] = [await makeJob(harness, aPlanned()), await makeJob(harness, aPlanned())];
    const { page, problems, said } = await openBoard();
    const asked: string[] = [];
    page.on("request", (request) => {
      const [what] = /\d+\/dispatch$|audit\/last/.exec(request.url()) ?? [];
      if (what && what !== asked.at(-1)) asked.push(what);
    });
    const held = await hold(page, "**/jobs/*/dispatch");
    await drag(page, cardOf(page, one), laneOf(page, "One"));
    await held.isAsked;
    await drag(page, cardOf(page, other), laneOf(page, "One"));
    await page.locator(`[data-job="${other.id}"][aria-busy="true"]`).waitFor();
    held.letGo();
    await said(`Job ${other.id} → One`);
    const last = "audit/last";
    expect(asked.slice(0, 4)).toEqual([last, `${one.id}/dispatch`, last, `${other.id}/dispatch`]);

    // Two presses undo one change.
    const undoing = await hold(page, "**/audit/*/undo");
    await page.keyboard.press("u");
    await undoing.isAsked;
    await page.keyboard.press("u");
    undoing.letGo();
    await said(`Undone: Job ${other.id} → One`);
    await laneOf(page, "Unassigned").locator(`[data-job="${other.id}"]`).waitFor();
    expect(new Set(undoing.asked).size).toBe(undoing.asked.length);
    expect(await read(one)).toMatchObject({ truck_id: truck.id });
    expect(problems).toEqual([]);
  });

  it("skips a change that can no longer be undone", async () => {
    const [one, other] = [await makeJob(harness, aPlanned()), await makeJob(harness, aPlanned())];
    const { page, refused, said } = await openBoard();
    for (const job of [one, other]) {
      await cardOf(page, job).waitFor();
      await drag(page, cardOf(page, job), laneOf(page, "One"));
      await said(`Job ${job.id} → One`);
      await page.locator(`.lane [data-job="${job.id}"][aria-busy="false"]`).waitFor();
    }
    await harness.ok("jobs.dispatch", {
      as: "Admin",
      params: { job_id: other.id, location_id: other.location_id },
      body: { truck_id: null },
    });
    await page.keyboard.press("u");
    await refused("changed since");
    await page.keyboard.press("u");
    await page.getByRole("dialog").getByText(`Job ${one.id} → One`).waitFor();
    await page.keyboard.press("Enter");
    await said(`Undone: Job ${one.id} → One`);
    expect(await read(one)).toMatchObject({ truck_id: null });
  });

  it("detects another user's change before the form's first read, if the form has typed text", async () => {
    const job = await makeJob(harness, aPlanned());
    const { page, refused } = await openBoard();
    const card = cardOf(page, job);
    const held = await hold(page, `**/jobs/${job.id}`);
    await card.getByRole("button", { name: "change day, time or truck" }).click();
    await card.getByLabel("Window").fill("9:00-11:00");
    await held.isAsked;
    harness.clock.advance(1000);
    await harness.ok("jobs.update", {
      as: "Admin",
      params: { job_id: job.id, location_id: job.location_id },
      body: { desired_end_time: "2026-11-21T07:00:00", desired_start_time: "2026-11-21T06:00:00" },
    });
    held.letGo();
    await card.getByText("now: 6:00–7:00").waitFor();
    await card.getByRole("button", { name: "Save" }).click();
    await refused(`Job ${job.id} has changed.`);
    expect(await read(job)).toMatchObject({ desired_start_time: "2026-11-21T06:00:00.000000" });
  });

  it("completes the save of a closed dialog without closing the next dialog", async () => {
    const [one, other] = [await makeJob(harness, aPlanned()), await makeJob(harness, aPlanned())];
    const { page, problems } = await openBoard();
    const dialog = page.getByRole("dialog");
    const reference = dialog.getByLabel("Reference number");
    await cardOf(page, one).focus();
    await page.keyboard.press("Enter");
    await reference.fill("PO-1");
    const held = await hold(page, `**/jobs/${one.id}`);
    await dialog.getByRole("button", { name: "Save" }).click();
    await held.isAsked;
    await page.keyboard.press("Escape");
    await dialog.getByRole("button", { name: "Close without saving" }).click();
    await dialog.waitFor({ state: "detached" });
    await cardOf(page, other).focus();
    await page.keyboard.press("Enter");
    await reference.fill("PO-2");
    held.letGo();
    await page.locator(".said").getByText(`Job ${one.id} changed`).waitFor();
    await drawn(page);
    expect(await reference.inputValue()).toBe("PO-2");
    expect(await read(one)).toMatchObject({ reference_number: "PO-1" });
    expect(problems).toEqual([]);
  });

  it("completes the save of a closed card form without closing the next form", async () => {
    const job = await makeJob(harness, aPlanned());
    const { page, problems, said } = await openBoard();
    const card = cardOf(page, job);
    const edit = async (text: string) => {
      await card.getByRole("button", { name: "change day, time or truck" }).click();
      await card.getByLabel("Window").fill(text);
    };
    await edit("8:00-9:00");
    const held = await hold(page, `**/jobs/${job.id}`);
    await page.keyboard.press("Enter");
    await held.isAsked;
    await card.getByRole("button", { name: "Cancel" }).click();
    await edit("10:00-11:00");
    held.letGo();
    await said(`Job ${job.id} changed`);
    await drawn(page);
    expect(await card.getByLabel("Window").inputValue()).toBe("10:00-11:00");
    expect(problems).toEqual([]);
  });

  it("saves nothing if it cannot read the job, and reports why", async () => {
    const job = await makeJob(harness, aPlanned());
    const { page } = await openBoard();
    const card = cardOf(page, job);
    await page.route(`**/jobs/${job.id}`, (route) =>
      route.request().method() === "GET" ? route.fulfill({ status: 503, body: "{}" }) : route.continue(),
    );
    await card.getByRole("button", { name: "change day, time or truck" }).click();
    await card.getByLabel("Window").fill("9:00-11:00");
    await card.getByRole("button", { name: "Save" }).click();
    await card.getByRole("alert").getByText(/./).waitFor();
    await card.locator('button[type="submit"]:enabled').waitFor();
    expect((await page.getByRole("alert").allInnerTexts()).join()).not.toMatch(
      /has changed|changed this job/,
    );
    expect(await read(job)).toMatchObject({ desired_start_time: null });
  });

  it("moves no button when the history arrives after the rest of the dialog", async () => {
    const job = await makeJob(harness, aPlanned(truck.id));
    const { page, problems } = await openBoard();
    await page.setViewportSize({ height: 2000, width: 1920 });
    const held = await hold(page, "**/timeline*");
    await cardOf(page, job).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    const save = dialog.getByRole("button", { exact: true, name: "Save" });
    const before = await boxOf(save);
    await held.isAsked;
    held.letGo();
    await dialog.locator(".history li").first().waitFor({ state: "attached" });
    expect(await boxOf(save)).toEqual(before);
    expect(problems).toEqual([]);
  });

  it("disables the buttons of a dialog until it shows the last action", async () => {
    const job = await makeJob(harness, aPlanned(truck.id));
    const { page, problems } = await openBoard();
    await cardOf(page, job).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    const button = (name: string) => dialog.getByRole("button", { exact: true, name });
    await dialog.getByText("History").waitFor();
    let held: Awaited<ReturnType<typeof hold>> | undefined;
    const tellAndHold = async (route: Route) => {
      const response = await route.fetch();
      held = await hold(page, `**/jobs/${job.id}`);
      await route.fulfill({ response });
    };
    await page.route(`**/jobs/${job.id}`, (route) =>
      route.request().method() === "GET" ? route.continue() : tellAndHold(route),
    );
    await button("Complete").click();
    await dialog.getByRole("status").getByText("completed").waitFor();
    await held?.isAsked;
    expect(await button("Complete").isDisabled()).toBe(true);
    held?.letGo();
    await button("Reopen").click();
    await dialog.getByRole("status").getByText("reopened").waitFor();
    expect(await read(job)).toMatchObject({ is_completed: false });
    expect(problems).toEqual([]);
  });
});

const aPlanned = (truck_id?: number, priority?: number) => ({
  schedule_date: day,
  ...(truck_id !== undefined && { truck_id }),
  ...(priority !== undefined && { priority }),
});

/** Holds the requests to an address until `letGo`. */
async function hold(page: Page, address: string) {
  let ask = () => {};
  let letGo = () => {};
  const isAsked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const isFree = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const asked: string[] = [];
  await page.route(address, async (route: Route) => {
    asked.push(route.request().url());
    ask();
    await isFree;
    await route.continue();
  });
  return { asked, isAsked, letGo };
}
