import { expect, it } from "vitest";
import { type Role, roles } from "../../src/models/user.ts";
import { cardOf, drawn, makeJob } from "../support/board-page.ts";
import { useBrowser } from "../support/browser.ts";
import { openSignedIn } from "../support/signed-in-page.ts";
import { describeOverHttp } from "../support/targets.ts";
import { findFaults } from "../support/watch-page.ts";

const day = "2026-11-21T00:00:00.000000";

/** What the page offers each role, and whether it requests a job's history. */
const offered: Record<Role, object> = {
  Admin: {
    asksHistory: true,
    buttons: "Truck …, Acknowledge, Start, Complete, Mark as failed, Decline, Take off its truck, Delete",
    canMake: false,
    fields:
      "When, Time window that the customer asked for, Reference number, Type, Asset type, How many, Priority, Call the customer before it is dispatched, Dispatcher's notes, Notes for the driver, Customer's notes, Notes for the invoice",
    hasGrip: true,
    keys: "a f s",
    told: "/ a m M s c f u Enter Space r",
  },
  ClientCustomer: {
    asksHistory: false,
    buttons: "",
    canMake: false,
    fields: "Reference number, Customer's notes",
    hasGrip: false,
    keys: "",
    told: "/ Enter r",
  },
  CrmUser: {
    asksHistory: false,
    buttons: "",
    canMake: false,
    fields:
      "Reference number, Dispatcher's notes, Notes for the driver, Customer's notes, Notes for the invoice",
    hasGrip: false,
    keys: "",
    told: "/ Enter r",
  },
  Dispatcher: {
    asksHistory: true,
    buttons: "Truck …, Acknowledge, Start, Complete, Mark as failed, Decline, Take off its truck, Delete",
    canMake: true,
    fields:
      "When, Time window that the customer asked for, Reference number, Type, Asset type, How many, Priority, Call the customer before it is dispatched, Dispatcher's notes, Notes for the driver, Customer's notes, Notes for the invoice",
    hasGrip: true,
    keys: "a f s",
    told: "/ a m M s c f n u Enter Space r",
  },
  Driver: {
    asksHistory: false,
    buttons: "Acknowledge, Start, Complete, Mark as failed, Decline",
    canMake: false,
    fields: "How many, Notes for the driver",
    hasGrip: false,
    keys: "f",
    told: "/ c f u Enter r",
  },
  ThirdPartyDispatcher: {
    asksHistory: true,
    buttons: "Truck …, Acknowledge, Start, Complete, Mark as failed, Decline, Take off its truck, Delete",
    canMake: true,
    fields:
      "When, Time window that the customer asked for, Reference number, Type, Asset type, How many, Priority, Call the customer before it is dispatched, Dispatcher's notes, Notes for the driver, Customer's notes, Notes for the invoice",
    hasGrip: true,
    keys: "a f s",
    told: "/ a m M s c f n u Enter Space r",
  },
  ThirdPartyDriver: {
    asksHistory: false,
    buttons: "Acknowledge, Start, Complete, Mark as failed, Decline",
    canMake: false,
    fields: "How many, Notes for the driver",
    hasGrip: false,
    keys: "f",
    told: "/ c f u Enter r",
  },
};

describeOverHttp("the board of each role", (harness) => {
  const browser = useBrowser();

  it.each(roles)("offers a %s the allowed actions", async (role) => {
    const { acme } = harness;
    // A customer may change a job only before it is dispatched.
    const job = await makeJob(harness, {
      schedule_date: day,
      ...(role.startsWith("ThirdParty")
        ? { third_party_hauler_id: acme.haulerId, truck_id: acme.haulerTruckId }
        : role !== "ClientCustomer" && { truck_id: acme.truckId }),
    });
    const { page, problems } = await openSignedIn(harness, browser, "/board?view=day", { as: role });
    const card = cardOf(page, job);
    await card.waitFor();
    const hasGrip = (await card.locator(".grip").count()) > 0;
    const canMake = (await page.getByRole("button", { name: "New job" }).count()) > 0;
    const dialog = page.getByRole("dialog");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    const keys: string[] = [];
    for (const key of ["a", "f", "s"]) {
      await card.focus();
      await page.keyboard.press(key);
      await drawn(page);
      const asking = page.locator("dialog, .card-form");
      if ((await asking.count()) === 0) continue;
      keys.push(key);
      if (role === "Dispatcher") expect(await findFaults(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await asking.waitFor({ state: "detached" });
    }
    await page.keyboard.press("?");
    await dialog.locator("kbd").first().waitFor();
    const told = (await dialog.locator("kbd").allTextContents()).join(" ");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await card.focus();
    await page.keyboard.press("Enter");
    await dialog.getByText("Location", { exact: true }).waitFor();
    await drawn(page);
    expect({
      buttons: (await dialog.locator("fieldset button").allTextContents()).join(", "),
      fields: (await dialog.locator(".field > label, .field.mark label").allTextContents()).join(", "),
      hasGrip,
      asksHistory: asked.some((path) => path.endsWith("/timeline")),
      keys: keys.join(" "),
      canMake,
      told,
    }).toEqual(offered[role]);
    expect(await findFaults(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it("shows a ClientCustomer its own jobs, without trucks and drivers", async () => {
    const { acme } = harness;
    const onTruck = await makeJob(harness, { schedule_date: day, truck_id: acme.truckId });
    const waiting = await makeJob(harness, { schedule_date: day });
    const asked: string[] = [];
    const path = "/board?map=on";
    const { page, problems } = await openSignedIn(harness, browser, path, { as: "ClientCustomer" });
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.reload();
    for (const job of [onTruck, waiting]) await cardOf(page, job).waitFor();
    expect(await page.locator("main").innerText()).not.toMatch(/driver \d|truck|free|Unassigned/);
    const labels = await page
      .getByRole("navigation", { name: "View" })
      .locator("button, select")
      .allInnerTexts();
    expect(labels.join(" ")).not.toMatch(/Undo|Map|Truck/);
    expect(await page.getByLabel("Truck").count()).toBe(0);
    await cardOf(page, onTruck).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByText("Location", { exact: true }).waitFor();
    expect(await page.getByRole("dialog").getByText("Truck", { exact: true }).count()).toBe(0);
    expect(asked.filter((one) => /trucks|drivers|gps/.test(one))).toEqual([]);
    expect(problems).toEqual([]);
  });

  it("ignores keys for forbidden actions", async () => {
    const job = await makeJob(harness, { schedule_date: day });
    const { page } = await openSignedIn(harness, browser, "/board", { as: "CrmUser" });
    await cardOf(page, job).focus();
    for (const key of ["c", "f", "a", "s", "m", "n"]) await page.keyboard.press(key);
    await drawn(page);
    expect(await page.getByRole("dialog").count()).toBe(0);
    const params = { job_id: job.id, location_id: job.location_id };
    expect((await harness.ok("jobs.get", { params })).is_completed).toBe(false);
    expect(await page.locator(".said [role=alert]").allTextContents()).toEqual([""]);
  });

  it("offers a job's whole life by buttons; Delete asks twice, failing asks why", async () => {
    const job = await makeJob(harness, { schedule_date: day, truck_id: harness.acme.truckId });
    const params = { job_id: job.id, location_id: job.location_id };
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    await cardOf(page, job).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    const press = (name: string) => dialog.getByRole("button", { exact: true, name }).click();
    const state = (text: string) => dialog.locator(".facts").first().getByText(text).waitFor();
    await press("Start");
    await state("in progress, since");
    await press("Mark as failed");
    await dialog.getByLabel("Reason").fill("gate closed");
    expect(await findFaults(page)).toEqual([]);
    await press("Mark as failed");
    await state("failed, since today 12:00 by the-Dispatcher");
    expect(await harness.ok("jobs.get", { params })).toMatchObject({
      fail_reason: "gate closed",
      is_failed: true,
    });
    await press("Try again");
    await press("Complete");
    await state("completed, since");
    await press("Reopen");
    await press("Delete");
    await dialog.getByText(`Delete job ${job.id}?`).waitFor();
    await press("No");
    await press("Delete");
    await press("Delete");
    await state("deleted, since");
    await press("Restore");
    await state("in progress, since");
    expect((await harness.ok("jobs.get", { params })).is_deleted).toBe(false);
    expect(problems).toEqual([]);
  });
});
