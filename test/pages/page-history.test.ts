import { expect, it } from "vitest";
import { cardOf, makeJob } from "../support/board-page.ts";
import { useBrowser } from "../support/browser.ts";
import { openSignedIn } from "../support/signed-in-page.ts";
import { describeOverHttp } from "../support/targets.ts";

const day = "2026-11-21T00:00:00.000000";

describeOverHttp("Back in the browser", (harness) => {
  const browser = useBrowser();
  const open = async (path: string, as: "Admin" | "Dispatcher" = "Dispatcher") => {
    const opened = await openSignedIn(harness, browser, "/docs", {
      as,
      viewport: { height: 740, width: 360 },
    });
    await opened.page.goto(`${harness.origin}${path}`);
    return opened;
  };

  it("closes the board's dialog first, then leaves the board", async () => {
    const job = await makeJob(harness, { schedule_date: day, truck_id: harness.acme.truckId });
    const { page } = await open("/board?text=");
    const dialog = page.getByRole("dialog");
    const reach = (name: string) => page.getByRole("dialog", { name });
    await cardOf(page, job).dblclick();
    await dialog.getByRole("button", { name: "Truck …" }).click();
    await reach("Which truck").waitFor();
    await page.goBack();
    await reach("Which truck").waitFor({ state: "detached" });
    await page.goBack();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "New job" }).click();
    await reach("New job").waitFor();
    await expect.poll(() => page.evaluate("history.state")).toBe("window");
    await page.goBack();
    await dialog.waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname).toBe("/board");
    await page.goBack();
    await page.waitForURL("**/docs**");
  });

  it("leaves the board at once after the user closed the dialog or reloaded the page", async () => {
    const job = await makeJob(harness, { schedule_date: day, truck_id: harness.acme.truckId });
    for (const end of ["Escape", "reload"]) {
      const { page } = await open("/board");
      await cardOf(page, job).waitFor();
      await page.getByRole("button", { name: "New job" }).click();
      await expect.poll(() => page.evaluate("history.state")).toBe("window");
      if (end === "reload") await page.reload();
      else await page.keyboard.press(end);
      await expect.poll(() => page.evaluate("history.state")).not.toBe("window");
      await cardOf(page, job).waitFor();
      expect(await page.getByRole("dialog").count()).toBe(0);
      await page.goBack();
      await page.waitForURL("**/docs**");
    }
  });

  it("closes the job that the address names, also after a reload", async () => {
    const job = await makeJob(harness, { schedule_date: day, truck_id: harness.acme.truckId });
    const { page } = await open("/board");
    const dialog = page.getByRole("dialog", { name: `Job ${job.id}` });
    await cardOf(page, job).dblclick();
    await expect.poll(() => new URL(page.url()).search).toBe(`?job=${job.id}`);
    await page.reload();
    await dialog.waitFor();
    await expect.poll(() => page.evaluate("history.state")).toBe("window");
    expect(new URL(page.url()).search).toBe(`?job=${job.id}`);
    await page.goBack();
    await dialog.waitFor({ state: "detached" });
    expect(new URL(page.url()).search).toBe("");
    await page.goBack();
    await page.waitForURL("**/docs**");
  });

  it("closes a job of another day that a link opens, and names a job that does not exist", async () => {
    const job = await makeJob(harness, { schedule_date: "2027-02-01T00:00:00" });
    const { page } = await open(`/board?text=x&job=${job.id}`);
    const dialog = page.getByRole("dialog", { name: `Job ${job.id}` });
    await dialog.waitFor();
    await dialog.getByRole("button", { name: "Close", exact: true }).click();
    await expect.poll(() => page.evaluate("history.state")).not.toBe("window");
    expect(new URL(page.url()).search).toBe("?text=x");
    await page.goto(`${harness.origin}/board?job=999999999`);
    await page.getByRole("alert").filter({ hasText: "Cannot open job 999999999" }).waitFor();
    expect(new URL(page.url()).search).toBe("");
  });

  it("closes the inspector's entry first, then leaves the inspector", async () => {
    await makeJob(harness);
    const { page } = await open("/inspect?view=events");
    const rows = page.locator(".rows [role=option]");
    const detail = page.locator(".detail");
    await rows.first().click();
    await detail.waitFor();
    await page.goBack();
    await detail.waitFor({ state: "detached" });
    await rows.first().click();
    await detail.getByRole("button", { name: "Close" }).click();
    await detail.waitFor({ state: "detached" });
    await expect.poll(() => page.url()).not.toContain("entry");
    await page.goBack();
    await page.waitForURL("**/docs**");
  });
});
