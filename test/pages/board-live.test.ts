import type { Route } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { startServer } from "../../src/http/serve.ts";
import { cardOf, drag, laneOf, makeJob, makeTruck } from "../support/board-page.ts";
import { useBrowser } from "../support/browser.ts";
import { openSignedIn } from "../support/signed-in-page.ts";
import { describeOverHttp, freshHarness } from "../support/targets.ts";

const day = "2026-11-21T00:00:00";

describeOverHttp("a board with several users", (harness) => {
  const browser = useBrowser();
  const changeAsAdmin = ({ id, location_id }: { id: number; location_id: number }) =>
    harness.ok("jobs.update", {
      as: "Admin",
      params: { job_id: id, location_id },
      body: { driver_notes: "Ring twice" },
    });

  it("shows the changes of another dispatcher, with name and time", async () => {
    await makeTruck(harness, "Seven");
    // Without an earlier change, the server returns 404 for the last change, which Chromium logs.
    await changeAsAdmin(await makeJob(harness));
    const job = await makeJob(harness, { schedule_date: day });
    const mine = await openSignedIn(harness, browser, "/board");
    const theirs = await openSignedIn(harness, browser, "/board", { as: "Admin" });
    await mine.page.getByText("live", { exact: true }).waitFor();
    await cardOf(mine.page, job).waitFor();
    await drag(theirs.page, cardOf(theirs.page, job), laneOf(theirs.page, "Seven"));
    await laneOf(mine.page, "Seven").locator(`[data-job="${job.id}"]`).waitFor();
    await mine.page.getByText(new RegExp(`^\\d+:\\d\\d the-Admin changed job ${job.id}, `)).waitFor();
    await cardOf(mine.page, job).getByText("changed by the-Admin").waitFor();
    expect([...mine.problems, ...theirs.problems]).toEqual([]);
  });

  it("marks each card of several simultaneous changes", async () => {
    const jobs = [
      await makeJob(harness, { schedule_date: day }),
      await makeJob(harness, { schedule_date: day }),
    ] as const;
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    await page.getByText("live", { exact: true }).waitFor();
    for (const job of jobs) {
      await cardOf(page, job).waitFor();
      await changeAsAdmin(job);
    }
    await cardOf(page, jobs[1]).getByText("changed by the-Admin").waitFor();
    expect(await cardOf(page, jobs[0]).getByText("changed by the-Admin").count()).toBe(1);
    expect(problems).toEqual([]);
  });

  it("shows new jobs and trucks, and removes deleted jobs", async () => {
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    await page.getByText("live", { exact: true }).waitFor();
    const job = await makeJob(harness, { schedule_date: day });
    await cardOf(page, job).waitFor();
    await makeTruck(harness, "Brand new");
    await laneOf(page, "Brand new").waitFor();
    await harness.ok("jobs.update", {
      params: { job_id: job.id, location_id: job.location_id },
      body: { is_deleted: true },
    });
    await cardOf(page, job).waitFor({ state: "detached" });
    expect(problems).toEqual([]);
  });

  it("shows changes that happen while it reads the day", async () => {
    const schedule_date = "2026-11-22T00:00:00";
    const known = await makeJob(harness, { schedule_date });
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    await page.getByText("live", { exact: true }).waitFor();
    const made: { id: number }[] = [];
    const tellLate = async (route: Route) => {
      // The response is older than the job, but arrives after its event.
      const response = await route.fetch();
      const job = await makeJob(harness, { schedule_date });
      await cardOf(page, job).waitFor();
      made.push(job);
      await route.fulfill({ response });
    };
    await page.route(/\/jobs\?.*schedule_lte=2026-11-22T/, tellLate, { times: 1 });
    await page.getByRole("button", { name: "Sun Nov 22" }).click();
    await cardOf(page, known).waitFor();
    expect(await cardOf(page, made[0] ?? { id: 0 }).count()).toBe(1);
    expect(problems).toEqual([]);
  });

  it("drops jobs of a failed read", async () => {
    const schedule_date = "2026-11-23T00:00:00";
    const { page } = await openSignedIn(harness, browser, "/board");
    await page.getByText("live", { exact: true }).waitFor();
    const made: { id: number; location_id: number }[] = [];
    const fail = async (route: Route) => {
      const job = await makeJob(harness, { schedule_date });
      await cardOf(page, job).waitFor();
      made.push(job);
      await route.fulfill({ status: 400, body: "no" });
    };
    await page.route(/\/jobs\?.*schedule_lte=2026-11-23T/, fail, { times: 1 });
    await page.getByRole("button", { name: "Mon Nov 23" }).click();
    await page.getByRole("alert").filter({ hasText: "Cannot read the day" }).waitFor();
    const [job = { id: 0, location_id: 0 }] = made;
    await harness.ok("jobs.update", {
      params: { job_id: job.id, location_id: job.location_id },
      body: { schedule_date: "2026-11-29T00:00:00" },
    });
    await cardOf(page, job).waitFor({ state: "detached" });
    await makeTruck(harness, "After it");
    await laneOf(page, "After it").waitFor();
    expect(await cardOf(page, job).count()).toBe(0);
  });

  it("looks up only the user of the last of many changes", async () => {
    const jobs = [];
    for (const _ of "four") jobs.push(await makeJob(harness, { schedule_date: day }));
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    await page.getByText("live", { exact: true }).waitFor();
    let answerFirst = () => {};
    const allChanged = new Promise<void>((resolve) => {
      answerFirst = resolve;
    });
    let asked = 0;
    await page.route("**/timeline?*", async (route) => {
      asked += 1;
      if (asked === 1) await allChanged;
      await route.continue();
    });
    for (const job of jobs) {
      await cardOf(page, job).waitFor();
      await changeAsAdmin(job);
      await cardOf(page, job).getByText("Ring twice").waitFor();
    }
    answerFirst();
    await page.getByText(`the-Admin changed job ${jobs.at(-1)?.id}`).waitFor();
    expect(asked).toBe(2);
    expect(problems).toEqual([]);
  });

  it("shows a driver its own jobs, also new ones, and lets it move none", async () => {
    const own = await makeJob(harness, { schedule_date: day, truck_id: harness.acme.truckId });
    const other = await makeJob(harness, { schedule_date: day });
    const { page, problems } = await openSignedIn(harness, browser, "/board?view=day", { as: "Driver" });
    await cardOf(page, own).waitFor();
    expect(await cardOf(page, other).count()).toBe(0);
    expect(await page.getByRole("button", { name: "New job" }).count()).toBe(0);
    const params = { job_id: other.id, location_id: other.location_id };
    await harness.ok("jobs.dispatch", { params, body: { truck_id: harness.acme.truckId } });
    await cardOf(page, other).waitFor();
    await drag(page, cardOf(page, own), page.getByRole("button", { name: "Mon Nov 23" }));
    await cardOf(page, own).focus();
    await page.keyboard.press("a");
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(await harness.ok("jobs.get", { params: { ...params, job_id: own.id } })).toMatchObject({
      schedule_date: "2026-11-21T00:00:00.000000",
    });
    expect(problems).toEqual([]);
  });

  it("reports a lost server, reconnects, and shows the changes of the meantime", async () => {
    const own = await freshHarness(harness);
    const options = { delivers: false, host: "127.0.0.1", log: { write() {} }, logLevel: "silent" } as const;
    const first = await startServer(own.service, { ...options, port: 0 });
    const port = Number(new URL(first.url).port);
    const { page } = await openSignedIn(own, browser, `${first.url}/board`);
    await page.getByText("live", { exact: true }).waitFor();
    const before = await makeJob(own, { schedule_date: day });
    await cardOf(page, before).waitFor();
    await first.close();
    await page.getByText("reconnecting").waitFor();
    const meanwhile = await makeJob(own, { schedule_date: day });
    const second = await startServer(own.service, { ...options, port });
    onTestFinished(() => second.close());
    await page.getByText("live", { exact: true }).waitFor();
    await cardOf(page, meanwhile).waitFor();
  });
});
