import type { Page, Route } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { cardOf, drag, idsIn, laneOf, makeJob } from "../support/board-page.ts";
import { useBrowser } from "../support/browser.ts";
import { aTruck } from "../support/builders.ts";
import { openSignedIn } from "../support/signed-in-page.ts";
import { describeOverHttp } from "../support/targets.ts";

const day = "2026-11-21T00:00:00";

describeOverHttp("what is done on the board before the last thing is over", (harness) => {
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
    const opened = await openSignedIn(harness, browser, "/board");
    const said = (text: string) => opened.page.getByRole("status").filter({ hasText: text }).waitFor();
    const refused = (text: string) => opened.page.getByRole("alert").filter({ hasText: text }).waitFor();
    return { ...opened, refused, said };
  };

  it("refuses a second change of a job in words that blame nobody, and makes the first", async () => {
    const jobs = [];
    for (const priority of [-7, -8, -9]) jobs.push(await makeJob(harness, aPlanned(truck.id, priority)));
    const [first, second, third] = jobs.map(({ id }) => id);
    const { close, page, problems, refused, said } = await openBoard();
    const lane = laneOf(page, "One");
    await expect.poll(() => idsIn(lane)).toEqual([first, second, third]);
    const held = await hold(page, "**/jobs/*/move");
    await cardOf(page, { id: first ?? 0 }).focus();
    await page.keyboard.press("M");
    await held.isAsked;
    await page.keyboard.press("M");
    await refused(`Job ${first} is still being changed.`);
    held.letGo();
    await said(`Job ${first} has another place`);
    await expect.poll(() => idsIn(lane)).toEqual([second, first, third]);
    expect(problems).toEqual([]);
    await close();
  });

  it("makes one change after the other, and takes back the one that it says", async () => {
    const [one, other] = [await makeJob(harness, aPlanned()), await makeJob(harness, aPlanned())];
    const { close, page, problems, said } = await openBoard();
    const asked: string[] = [];
    page.on("request", (request) => {
      const [what] = /\d+\/dispatch$|audit\/last$/.exec(request.url()) ?? [];
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

    // Who presses twice takes back one change.
    const undoing = await hold(page, "**/audit/*/undo");
    await page.keyboard.press("u");
    await undoing.isAsked;
    await page.keyboard.press("u");
    undoing.letGo();
    await said(`Taken back: Job ${other.id} → One`);
    await laneOf(page, "Unassigned").locator(`[data-job="${other.id}"]`).waitFor();
    // It was put on the truck, and then at its place there: both are taken back, and nothing else.
    expect(undoing.count()).toBe(2);
    expect(await read(one)).toMatchObject({ truck_id: truck.id });
    expect(problems).toEqual([]);
    await close();
  });

  it("goes past a change that cannot be taken back any more", async () => {
    const [one, other] = [await makeJob(harness, aPlanned()), await makeJob(harness, aPlanned())];
    const { close, page, refused, said } = await openBoard();
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
    await said(`Taken back: Job ${one.id} → One`);
    expect(await read(one)).toMatchObject({ truck_id: null });
    await close();
  });
});

const aPlanned = (truck_id?: number, priority?: number) => ({
  schedule_date: day,
  ...(truck_id !== undefined && { truck_id }),
  ...(priority !== undefined && { priority }),
});

/** Holds the requests of an address back until they are let go. */
async function hold(page: Page, address: string) {
  let ask = () => {};
  let letGo = () => {};
  const isAsked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const isFree = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let count = 0;
  await page.route(address, async (route: Route) => {
    count += 1;
    ask();
    await isFree;
    await route.continue();
  });
  return { count: () => count, isAsked, letGo };
}
