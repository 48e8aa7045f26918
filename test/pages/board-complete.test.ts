import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { cardOf, makeJob } from "../support/board-page.ts";
import { useBrowser } from "../support/browser.ts";
import { openSignedIn, type PageAs } from "../support/signed-in-page.ts";
import { describeOverHttp } from "../support/targets.ts";
import { findFaults } from "../support/watch-page.ts";

const day = "2026-11-21T00:00:00.000000";
const everything = {
  require_image: true,
  require_material: true,
  require_materials: true,
  require_signature: true,
  require_weights: true,
};

describeOverHttp("completing a job that requires proof on the board", (harness) => {
  const browser = useBrowser();
  const at = ({ id, location_id }: { id: number; location_id: number }) => ({ job_id: id, location_id });
  const read = (job: { id: number; location_id: number }) => harness.ok("jobs.get", { params: at(job) });
  const makeRequiring = (changes: object) =>
    makeJob(harness, { schedule_date: day, truck_id: harness.acme.truckId, ...changes });
  const open = async (job: { id: number }, as: PageAs) => {
    const opened = await openSignedIn(harness, browser, "/board?view=day", as);
    await cardOf(opened.page, job).focus();
    return { ...opened, dialog: opened.page.getByRole("dialog", { name: `Complete job ${job.id}` }) };
  };
  const part = (page: Page, name: string) => page.getByRole("group", { exact: true, name });

  it("asks a driver for all requirements, by keyboard on a phone, and stores each part once", async () => {
    const material = await harness.ok("materials.create", {
      as: "Admin",
      body: { description: "Concrete", uom: "tons" },
      params: { location_id: harness.acme.locationId },
    });
    const job = await makeRequiring(everything);
    const { dialog, page, problems } = await open(job, {
      as: "Driver",
      viewport: { height: 740, width: 360 },
    });
    await page.keyboard.press("c");
    await dialog.getByLabel("What it is").first().waitFor();
    expect(await findFaults(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    await dialog.getByRole("button", { name: "Complete" }).press("Enter");
    await dialog.locator(".field .alarm").nth(4).waitFor();
    expect(await read(job)).toMatchObject({ images: [], is_completed: false, materials: [] });

    const choice = dialog.getByLabel("What it is").first();
    await choice.selectOption("Concrete");
    await choice.focus();
    const texts = [
      "",
      "24.5",
      "",
      "9",
      "Tyres",
      "3",
      "",
      "https://img.example/s.png",
      "https://img.example/1",
    ];
    for (const text of texts) {
      await page.keyboard.press("Tab");
      await page.keyboard.type(text);
    }
    await dialog.getByLabel("Weight with the load (tons)").waitFor();
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    expect(await read(job)).toMatchObject({
      images: [{ description: "signature", url: "https://img.example/s.png" }, { description: null }],
      is_completed: true,
      materials: [{ heavy_weight: 24.5, light_weight: null, material_item_id: material.id, tare_weight: 9 }],
    });
    const { results } = await harness.ok("jobs.timeline", { params: at(job) });
    expect(results.map(({ operation }) => operation)).toEqual([
      "jobs.create",
      "jobs.add-material",
      "jobs.add-item",
      "jobs.add-image",
      "jobs.add-image",
      "jobs.update",
    ]);
    expect(problems.filter((problem) => !/40[49]/.test(problem))).toEqual([]);
  });

  it.each(["Driver", "Dispatcher"] as const)("asks a %s only for missing requirements", async (as) => {
    const job = await makeRequiring({
      require_image: true,
      require_materials: true,
      require_signature: true,
    });
    await harness.ok("jobs.add-item", {
      body: { deduct_weight: 0, description: "Tyres", heavy_weight: 5 },
      params: at(job),
    });
    await harness.ok("jobs.add-image", { body: { url: "https://img.example/1" }, params: at(job) });
    const { dialog, page, problems } = await open(job, { as });
    await page.keyboard.press("c");
    await part(page, "Image of the signature").waitFor();
    expect(await dialog.locator("legend").allTextContents()).toEqual(["Image of the signature"]);
    await dialog.getByLabel("URL of the image").fill("ftp://img.example");
    await page.keyboard.press("Enter");
    await dialog.getByText("The URL must start with http").waitFor();
    await dialog.getByLabel("URL of the image").fill("https://img.example/s");
    await dialog.getByLabel("Notes").fill("Left at the gate");
    await dialog.getByRole("button", { name: "Complete" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await read(job)).toMatchObject({ driver_notes: "Left at the gate", is_completed: true });
    // The page's dry runs fail for a driver.
    expect(problems.filter((problem) => !/40[49]/.test(problem))).toEqual([]);
  });

  it("lets a dispatcher skip requirements, in a dialog over the dialog of the job", async () => {
    const job = await makeRequiring({ require_weights: true });
    const { dialog, page, problems } = await open(job, {});
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Complete" }).click();
    await dialog.getByLabel("Weight with the load").fill("1,200");
    await dialog.getByRole("button", { name: "Complete" }).click();
    await dialog.getByText('"1,200" is not a weight').waitFor();
    await page.keyboard.press("Escape");
    await dialog.getByRole("alertdialog").getByRole("button", { name: "Keep editing" }).click();
    await dialog.getByLabel("Weight with the load").fill("");
    await dialog.getByRole("button", { name: "Complete" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("dialog").getByRole("status").getByText("completed").waitFor();
    expect(await read(job)).toMatchObject({ is_completed: true, materials: [] });
    expect(problems).toEqual([]);
  });

  it("shows the stored parts after a failure, and stores nothing twice", async () => {
    const job = await makeRequiring({ require_material: true, require_signature: true });
    const { dialog, page } = await open(job, { as: "Driver", hasShortPauses: true });
    await page.keyboard.press("c");
    await part(page, "Material").getByLabel("Name, if it is not in the list").fill("Concrete");
    await dialog.getByLabel("URL of the image").fill("https://img.example/s");
    // The service stores the image, but the response is always lost.
    await page.route("**/images", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await dialog.getByRole("button", { name: "Complete" }).click();
    await dialog.getByText("may have stored this").waitFor({ timeout: 30_000 });
    await part(page, "Material").getByText("Stored with the job.").waitFor();
    await dialog.getByRole("alert").getByText("The job was not completed.").waitFor();
    expect(await dialog.getByLabel("URL of the image").isDisabled()).toBe(true);
    expect(await findFaults(page)).toEqual([]);
    await page.unroute("**/images");

    await page.route(`**/jobs/${job.id}`, (route) =>
      route.request().method() === "PATCH"
        ? route.fulfill({
            json: { errors: [{ code: "state_conflict", detail: "Not now.", field: null }] },
            status: 400,
          })
        : route.fallback(),
    );
    await dialog.getByRole("button", { name: "Complete" }).click();
    await dialog.getByRole("alert").getByText("The job was not completed. Not now.").waitFor();
    await part(page, "Image of the signature").getByText("Stored with the job.").waitFor();
    await page.unroute(`**/jobs/${job.id}`);

    await dialog.getByRole("button", { name: "Complete" }).click();
    await dialog.waitFor({ state: "detached" });
    const { images, is_completed, materials } = await read(job);
    expect([images.length, is_completed, materials.length]).toEqual([1, true, 1]);
  });
});
