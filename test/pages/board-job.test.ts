import { expect, it } from "vitest";
import { boxOf, cardOf, makeJob, makeTruck } from "../support/board-page.ts";
import { useBrowser } from "../support/browser.ts";
import { openSignedIn } from "../support/signed-in-page.ts";
import { describeOverHttp } from "../support/targets.ts";
import { findFaults } from "../support/watch-page.ts";

const day = "2026-11-21T00:00:00.000000";

describeOverHttp("the dialog of a job", (harness) => {
  const browser = useBrowser();
  const at = ({ id, location_id }: { id: number; location_id: number }) => ({ job_id: id, location_id });
  const openJob = async (changes = {}, as: Parameters<typeof openSignedIn>[3] = {}) => {
    const job = await makeJob(harness, { schedule_date: day, truck_id: harness.acme.truckId, ...changes });
    const opened = await openSignedIn(harness, browser, "/board", as);
    await cardOf(opened.page, job).focus();
    await opened.page.keyboard.press("Enter");
    const dialog = opened.page.getByRole("dialog");
    await dialog.getByText("Truck", { exact: true }).waitFor();
    return { ...opened, dialog, job };
  };
  const read = (job: { id: number; location_id: number }) => harness.ok("jobs.get", { params: at(job) });

  it("changes only the typed fields, by keyboard, and returns the focus", async () => {
    const { dialog, job, page, problems } = await openJob({ driver_notes: "Ring twice" });
    await dialog.getByLabel("When").focus();
    await page.keyboard.press("Control+A");
    await page.keyboard.type("tomorrow");
    await page.keyboard.press("Tab");
    await page.keyboard.type("8:00-10:00");
    await page.keyboard.press("Tab");
    await page.keyboard.type("PO-77");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    expect(await read(job)).toMatchObject({
      desired_end_time: "2026-11-22T10:00:00.000000",
      desired_start_time: "2026-11-22T08:00:00.000000",
      driver_notes: "Ring twice",
      reference_number: "PO-77",
      schedule_date: "2026-11-22T00:00:00.000000",
    });
    const [last] = (await harness.ok("jobs.timeline", { params: at(job) })).results.slice(-1);
    expect(Object.keys(last?.after ?? {}).filter((name) => name !== "last_updated_on")).toHaveLength(4);
    expect(problems).toEqual([]);
  });

  it("returns the focus to the card or button that opened it", async () => {
    const { dialog, job, page } = await openJob();
    const focused = () =>
      page.evaluate("document.activeElement.dataset.job ?? document.activeElement.innerText");
    await dialog.getByRole("button", { name: "Close" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await focused()).toBe(String(job.id));
    await page.getByRole("button", { name: "New job" }).focus();
    await page.keyboard.press("Enter");
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await focused()).toContain("New job");
  });

  it("saves with one click on a large screen", async () => {
    const { dialog, job, page } = await openJob({}, { viewport: { height: 2000, width: 1920 } });
    await dialog.getByLabel("Window that").fill("8:00-10:00");
    const save = await boxOf(dialog.getByRole("button", { name: "Save" }));
    // Click near the lower edge.
    await page.mouse.click(save.x + 20, save.y + save.height - 4, { delay: 50 });
    await dialog.waitFor({ state: "detached" });
    expect((await read(job)).desired_start_time).toBe("2026-11-21T08:00:00.000000");
  });

  it("moves the time window to the new day", async () => {
    const { dialog, job } = await openJob({
      desired_end_time: "2026-11-21T10:00:00.000000",
      desired_start_time: "2026-11-21T08:00:00.000000",
    });
    await dialog.getByLabel("When").fill("Mon Nov 23");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await read(job)).toMatchObject({
      desired_end_time: "2026-11-23T10:00:00.000000",
      desired_start_time: "2026-11-23T08:00:00.000000",
    });
  });

  it("changes the truck in a dialog over its own, and keeps the typed text", async () => {
    const truck = await makeTruck(harness, "Nine");
    const { dialog, job, page, problems } = await openJob();
    await dialog.getByLabel("Notes for the driver").fill("Ring twice");
    const opening = dialog.getByRole("button", { name: "Truck …" });
    await opening.click();
    const choice = page.getByRole("dialog", { name: "Which truck" });
    await choice.waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await choice.waitFor({ state: "detached" });
    await opening.click();
    await choice.getByRole("option", { name: "Nine" }).click();
    await dialog.getByRole("status").filter({ hasText: "→ Nine" }).waitFor();
    await dialog.locator(".facts").first().getByText("Nine").waitFor();
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await read(job)).toMatchObject({ driver_notes: "Ring twice", truck_id: truck.id });
    expect(problems).toEqual([]);
  });

  it("shows errors next to their fields", async () => {
    const { dialog, job, page, problems } = await openJob();
    const field = dialog.getByLabel("Window that");
    await field.fill("whenever");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText('"whenever" is not a window').waitFor();
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    await expect
      .poll(() => page.evaluate("document.activeElement.id"))
      .toBe((await field.getAttribute("id")) ?? "");
    await field.fill("");
    await dialog.getByLabel("How many").fill("-3");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.locator(".field", { hasText: "How many" }).locator(".alarm").waitFor();
    expect((await read(job)).asset_quantity).toBeNull();
    expect(problems.filter((problem) => !problem.includes("400"))).toEqual([]);
  });

  it("keeps typed text when another user changes the job, and shows the new values", async () => {
    const { dialog, job, page, problems } = await openJob({ driver_notes: "old" });
    await dialog.getByLabel("Notes for the driver").fill("mine");
    await harness.ok("jobs.update", {
      as: "Admin",
      body: { driver_notes: "theirs", reference_number: "PO-9" },
      params: at(job),
    });
    const told = dialog.getByText("the-Admin changed this job");
    await told.waitFor();
    // The button is visible without scrolling.
    await dialog.getByRole("button", { name: "Close" }).focus();
    const bottomOf = (box: { height: number; y: number } | null) => (box ? box.y + box.height : Number.NaN);
    expect(bottomOf(await told.boundingBox())).toBeLessThan(bottomOf(await dialog.boundingBox()));
    await dialog.getByText("now: theirs").waitFor();
    await dialog.getByText("now: PO-9").waitFor();
    expect(await findFaults(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Save" }).click();
    expect((await read(job)).driver_notes).toBe("theirs");
    expect(await dialog.getByLabel("Notes for the driver").inputValue()).toBe("mine");

    await dialog.getByRole("button", { name: "Continue with the new values" }).click();
    expect(await dialog.getByLabel("Reference number").inputValue()).toBe("PO-9");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await read(job)).toMatchObject({ driver_notes: "mine", reference_number: "PO-9" });
    expect(problems.filter((problem) => !problem.includes("412"))).toEqual([]);
  });

  it("shows another user's change until the user loads it, also after actions on the job", async () => {
    const { dialog, job } = await openJob({ driver_notes: "old" });
    await dialog.getByLabel("Notes for the driver").fill("mine");
    await harness.ok("jobs.update", { as: "Admin", body: { driver_notes: "theirs" }, params: at(job) });
    await dialog.getByText("now: theirs").waitFor();
    await dialog.getByRole("button", { name: "Acknowledge" }).click();
    await dialog.getByRole("status").getByText("acknowledged").waitFor();
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByRole("button", { name: "Save" }).waitFor();
    expect((await read(job)).driver_notes).toBe("theirs");
    await dialog.getByText("now: theirs").waitFor();
  });

  it("asks before Escape or Back close it with unsaved text", async () => {
    const { dialog, job, page } = await openJob();
    await dialog.getByLabel("Dispatcher's notes").fill("half a sen");
    await page.keyboard.press("Escape");
    const question = dialog.getByRole("alertdialog");
    await question.waitFor();
    await page.keyboard.press("Enter");
    await question.waitFor({ state: "detached" });
    expect(await dialog.getByLabel("Dispatcher's notes").inputValue()).toBe("half a sen");
    await page.goBack();
    await question.getByRole("button", { name: "Keep editing" }).click();
    expect(await dialog.getByLabel("Dispatcher's notes").inputValue()).toBe("half a sen");
    await page.goBack();
    await question.getByRole("button", { name: "Close without saving" }).click();
    await dialog.waitFor({ state: "detached" });
    expect((await read(job)).dispatcher_notes).toBeNull();
  });

  it("shows markup as text, also on a phone, and limits the text like the service", async () => {
    const hostile = '<img src=x onerror="document.title=1">\u202e';
    const { dialog, job, page, problems } = await openJob(
      { dispatcher_notes: `${hostile}${"W".repeat(2000)}`, reference_number: hostile },
      { viewport: { height: 844, width: 390 } },
    );
    expect(await dialog.getByLabel("Reference number").inputValue()).toBe(hostile);
    const notes = dialog.getByLabel("Dispatcher's notes");
    await notes.focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.insertText("x".repeat(10_000));
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    expect((await read(job)).dispatcher_notes).toHaveLength(2048);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    expect(await page.locator("img").count()).toBe(0);
    expect(problems).toEqual([]);
  });
});
