import type { Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { makeJob } from "../support/board-page.ts";
import { useBrowser } from "../support/browser.ts";
import { openSignedIn } from "../support/signed-in-page.ts";
import { describeOverHttp } from "../support/targets.ts";
import { findFaults } from "../support/watch-page.ts";

const schedule_date = "2026-11-21T00:00:00";
const phone = { hasTouch: true, viewport: { height: 740, width: 360 } };

describeOverHttp("the board of a driver on a phone", (harness) => {
  const browser = useBrowser();
  /** Creates a job that no later test sees. */
  const make = async (changes: object = {}) => {
    const job = await makeJob(harness, { schedule_date, truck_id: harness.acme.truckId, ...changes });
    onTestFinished(() => remove(job));
    return job;
  };
  const remove = async ({ id, location_id }: { id: number; location_id: number }) => {
    await harness.ok("jobs.update", { params: { job_id: id, location_id }, body: { is_deleted: true } });
  };
  const read = ({ id, location_id }: { id: number; location_id: number }) =>
    harness.ok("jobs.get", { params: { job_id: id, location_id } });
  const open = (options: object = {}) =>
    openSignedIn(harness, browser, "/board", { as: "Driver", ...phone, ...options });
  const next = (page: Page) => page.getByRole("region", { name: "Next stop" });
  const press = async (page: Page, name: string) => {
    await next(page).getByRole("button", { exact: true, name }).tap();
  };
  const sent = (page: Page) => page.locator(".waiting:empty").waitFor({ state: "attached" });
  it("shows the next stop first, with its steps in reach, and completes it in at most 8 taps", async () => {
    const job = await make({
      driver_notes: "Ring twice.",
      require_material: true,
      require_weights: true,
      type: "P",
    });
    const later = await make({ type: "D" });
    await harness.ok("contacts.add", {
      body: { name: "Gate", number: "202-555-0100" },
      params: { customer_id: harness.acme.customerId },
    });
    const { page, problems } = await open();
    const stop = next(page);
    await stop.getByText("Ring twice.").waitFor();
    await stop.getByText("fetch", { exact: false }).waitFor();
    expect(await stop.locator('a[href^="tel:"]').count()).toBe(1);
    expect(await stop.locator("a").first().getAttribute("href")).toMatch(/^(geo:|https:\/\/maps\.)/);
    expect(await page.locator("header.top").evaluate((header) => header.clientHeight)).toBeLessThanOrEqual(
      96,
    );
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    const box = await stop.getByRole("button", { name: "Acknowledge" }).boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(44);
    expect(box?.y).toBeGreaterThan(740 / 2);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(740);
    expect(await findFaults(page)).toEqual([]);

    for (const step of ["Acknowledge", "Start", "Arrived"]) await press(page, step);
    await sent(page);
    expect(await read(job)).toMatchObject({
      arrived_on: expect.any(String),
      is_acknowledged: true,
      started_on: expect.any(String),
    });
    let taps = 0;
    const tap = async (act: Promise<unknown>) => {
      taps += 1;
      await act;
    };
    await tap(press(page, "Complete"));
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Weight with the load").waitFor();
    expect(await findFaults(page)).toEqual([]);
    await tap(dialog.getByRole("button", { exact: true, name: "Complete" }).tap());
    expect(await dialog.locator("[aria-invalid]").count()).toBeGreaterThan(0);
    await tap(dialog.getByLabel("Name, if it is not in the list").fill("Concrete"));
    await tap(dialog.getByLabel("Weight with the load").fill("5200"));
    await tap(dialog.getByLabel("Weight without the load").fill("3100"));
    await tap(dialog.getByRole("button", { exact: true, name: "Complete" }).tap());
    await sent(page);
    expect(await read(job)).toMatchObject({
      is_completed: true,
      materials: [{ heavy_weight: 5200, light_weight: 3100, material_name: "Concrete" }],
    });
    expect(taps).toBeLessThanOrEqual(8);
    await page.locator(`.next[data-stop="${later.id}"]`).waitFor();
    expect(problems).toEqual([]);
  });

  it("keeps reports without signal, warns before it loses them, and sends each once", async () => {
    const job = await make();
    const { page } = await open({ hasShortPauses: true });
    await next(page).waitFor();
    await page.route("**/*", (route) => route.abort());
    for (const step of ["Acknowledge", "Start", "Arrived", "Complete"]) await press(page, step);
    await page.getByRole("dialog").getByRole("button", { exact: true, name: "Complete" }).tap();
    await page.getByText("No stops are left").waitFor();
    await page.getByText("No signal.").waitFor();
    expect(await page.locator(".waiting p").count()).toBe(5);
    expect(await findFaults(page)).toEqual([]);
    expect((await read(job)).is_acknowledged).toBe(false);
    const warned = new Promise<string>((resolve) =>
      page.once("dialog", (asking) => {
        resolve(asking.type());
        void asking.dismiss();
      }),
    );
    await page.evaluate("setTimeout(() => location.reload())");
    expect(await warned).toBe("beforeunload");

    // The service processes the next request, but its answer is lost.
    let isLost = false;
    await page.unrouteAll();
    await page.route("**/jobs/*", async (route) => {
      if (isLost || route.request().method() !== "PATCH") return route.continue();
      isLost = true;
      await route.fetch();
      await route.abort();
    });
    await sent(page);
    expect(isLost).toBe(true);
    expect(await read(job)).toMatchObject({
      arrived_on: expect.any(String),
      is_acknowledged: true,
      is_completed: true,
    });
    const params = { job_id: job.id, location_id: job.location_id };
    const { results } = await harness.ok("jobs.timeline", { params });
    expect(results.filter(({ operation }) => operation === "jobs.update")).toHaveLength(4);
  });

  it("applies 52 reports over 20 cuts of the network once each", async () => {
    const jobs = [];
    for (let count = 0; count < 13; count++) jobs.push(await make());
    const { page } = await open({ hasShortPauses: true });
    await next(page).waitFor();
    let [cuts, reports, lost] = [0, 0, 0];
    await page.route("**/*", async (route) => {
      const isReport = route.request().method() === "PATCH";
      if (isReport && cuts < 20 && ++reports % 3 === 0) {
        cuts += 1;
        lost = 3;
        // In every second cut, the service stores the report, and its answer is lost.
        if (cuts % 2 === 0) await route.fetch();
      }
      if (lost === 0) return route.continue();
      lost -= 1;
      await route.abort();
    });
    for (const _ of jobs) {
      for (const step of ["Acknowledge", "Start", "Arrived", "Complete"]) await press(page, step);
      await page.getByRole("dialog").getByRole("button", { exact: true, name: "Complete" }).tap();
    }
    await page.getByText("No stops are left").waitFor();
    await sent(page);
    expect(cuts).toBe(20);
    for (const job of jobs) {
      expect(await read(job)).toMatchObject({ is_acknowledged: true, is_completed: true });
      const { results } = await harness.ok("jobs.timeline", {
        params: { job_id: job.id, location_id: job.location_id },
      });
      expect(results.filter(({ operation }) => operation === "jobs.update")).toHaveLength(4);
    }
  });

  it("reports why a job cannot be done, and says what the service refuses", async () => {
    const [declined, failed] = [await make(), await make()];
    const { page } = await open();
    const cannot = async (reason: string) => {
      await press(page, "Cannot do it");
      expect(await findFaults(page)).toEqual([]);
      await page.getByRole("dialog").getByRole("button", { name: reason }).tap();
      await sent(page);
    };
    await cannot("Truck has a problem");
    expect(await read(declined)).toMatchObject({ driver_notes: "Truck has a problem", is_declined: true });
    await press(page, "Start");
    await cannot("No access to the site");
    expect(await read(failed)).toMatchObject({ fail_reason: "No access to the site", is_failed: true });

    const job = await make();
    await page.locator(`.next[data-stop="${job.id}"]`).waitFor();
    await page.route("**/stream", (route) => route.abort());
    await page.route(
      "**/jobs/*",
      async (route) => {
        await remove(job);
        await route.continue();
      },
      { times: 1 },
    );
    await press(page, "Acknowledge");
    const refusal = page.getByRole("alert").filter({ hasText: `Not done: job ${job.id}, Acknowledged` });
    await refusal.getByRole("button", { name: "OK" }).tap();
    await refusal.waitFor({ state: "detached" });
  });

  it("exchanges messages with a dispatcher, and counts the new ones", async () => {
    const { driverId: driver_id } = harness.acme;
    const receiver = { id: driver_id, type: "driver" };
    const params = { driver_id };
    await harness.ok("chats.send", { body: { receiver, text: "Gate code 4711" }, params });
    const job = await make();
    const { page } = await open();
    await page.getByRole("button", { name: "Messages 1 new" }).tap();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Gate code 4711").waitFor();
    expect(await findFaults(page)).toEqual([]);
    await dialog.getByLabel("Message", { exact: true }).fill("Thanks");
    await dialog.getByRole("button", { name: "Send" }).tap();
    await dialog.locator("li").filter({ hasText: "Thanks" }).waitFor();
    const { results } = await harness.ok("chats.list", { params });
    expect(results).toMatchObject([{ is_read: true }, { sender: receiver, text: "Thanks" }]);

    const dispatcher = await openSignedIn(harness, browser, "/board");
    await dispatcher.page.locator(`[data-job="${job.id}"]`).focus();
    await dispatcher.page.keyboard.press("Enter");
    await dispatcher.page.getByRole("button", { name: "Messages" }).click();
    await dispatcher.page.locator(".messages").getByText("Thanks").waitFor();
    const asked = dispatcher.page.locator(".messages li").filter({ hasText: "Gate code 4711" });
    expect(await asked.innerText()).toMatch(/^Dispatch /);
  });

  it("offers the whole day, and Back returns to the next stop", async () => {
    const job = await make();
    const { page } = await open();
    await next(page).waitFor();
    await page.getByRole("button", { name: "Whole day and map" }).tap();
    await page.locator(`[data-job="${job.id}"]`).waitFor();
    expect(await page.evaluate("scrollY")).toBe(0);
    await page.goBack();
    await next(page).waitFor();
  });
});
