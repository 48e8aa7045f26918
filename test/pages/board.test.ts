import { beforeAll, expect, it } from "vitest";
import { cardOf, fromLeft, idsIn, laneOf, makeJob } from "../support/board-page.ts";
import { useBrowser } from "../support/browser.ts";
import { aCustomer, anAddress, aTruck } from "../support/builders.ts";
import { openSignedIn } from "../support/signed-in-page.ts";
import { describeOverHttp, freshHarness } from "../support/targets.ts";
import { findFaults } from "../support/watch-page.ts";

const day = "2026-11-21T00:00:00";

describeOverHttp("the board of a day", (harness) => {
  const browser = useBrowser();
  let truck: { id: number; name: string };
  beforeAll(async () => {
    const { locationId } = harness.acme;
    truck = await harness.ok("trucks.create", {
      params: { location_id: locationId },
      body: aTruck({ name: "Truck <b>7</b>" }),
    });
  });

  it("shows each truck's jobs in order, and waiting jobs in trays", async () => {
    const truck_id = truck.id;
    const second = await makeJob(harness, { schedule_date: day, truck_id, priority: -2 });
    const first = await makeJob(harness, { schedule_date: day, truck_id, priority: -1 });
    const loose = await makeJob(harness, { schedule_date: day });
    const undated = await makeJob(harness);
    const late = await makeJob(harness, { schedule_date: "2026-11-19T09:00:00", truck_id });
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    await cardOf(page, first).waitFor();
    expect(await idsIn(laneOf(page, truck.name))).toEqual([first.id, second.id]);
    expect(await idsIn(laneOf(page, "Unassigned"))).toEqual([loose.id]);
    expect(await idsIn(laneOf(page, "Unscheduled"))).toEqual([undated.id]);
    expect(await idsIn(laneOf(page, "Overdue from earlier days"))).toEqual([late.id]);
    expect(await cardOf(page, late).textContent()).toContain("Thu Nov 19 9:00");
    expect(await page.locator("h3 b").count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it("shows no counts and is not live before it has read the day", async () => {
    await makeJob(harness, { schedule_date: day });
    const { page } = await openSignedIn(harness, browser, "/board");
    await page.getByText("live", { exact: true }).waitFor();
    let letGo = () => {};
    const isFree = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route(/\/jobs\?.*schedule_lte/, async (route) => {
      await isFree;
      await route.continue();
    });
    await page.reload();
    const counts = () => page.locator(".tray .count").allTextContents();
    await expect.poll(counts).toEqual(["…", "…", "…"]);
    expect(await page.getByText("live", { exact: true }).count()).toBe(0);
    expect(await page.getByText("free").count()).toBe(0);
    letGo();
    await page.getByText("live", { exact: true }).waitFor();
    expect((await counts()).every((count) => /^\d+$/.test(count))).toBe(true);
  });

  it.each(["דנה לוי", "مكتب الاستقبال"])(
    "keeps a phone number in order next to the name %s",
    async (name) => {
      const { locationId } = harness.acme;
      const customer = await harness.ok("customers.create", {
        params: { location_id: locationId },
        body: aCustomer({
          addresses: [anAddress()],
          contacts: [{ name, number: "(202) 555-0100 ext. 123456" }],
          name: `${name} ${locationId}`,
        }),
      });
      const address_id = customer.addresses[0]?.id;
      const job = await makeJob(harness, { address_id, requested_by: customer.id, schedule_date: day });
      const { page } = await openSignedIn(harness, browser, "/board");
      await cardOf(page, job).focus();
      const inOrder = ["(202)", "555", "0100", "ext", "123456"];
      expect(await fromLeft(page, `[data-job="${job.id}"] a`, inOrder)).toEqual(inOrder);
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").locator(".contact").waitFor();
      expect(await fromLeft(page, "dialog .contact", inOrder)).toEqual(inOrder);
    },
  );

  it("links the phone number of a contact, and shows state and window", async () => {
    const { locationId } = harness.acme;
    const customer = await harness.ok("customers.create", {
      params: { location_id: locationId },
      body: aCustomer({
        addresses: [anAddress()],
        contacts: [{ name: "Dana", number: "+1 (202) 555-0100 ext. 12 #" }],
      }),
    });
    const job = await makeJob(harness, {
      address_id: customer.addresses[0]?.id,
      desired_end_time: "2026-11-21T16:00:00",
      desired_start_time: "2026-11-21T14:30:00",
      requested_by: customer.id,
      schedule_date: day,
      truck_id: truck.id,
    });
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    const card = cardOf(page, job);
    await card.waitFor();
    expect(await card.locator("a").getAttribute("href")).toBe("tel:+12025550100,12");
    expect(await card.locator(".state").textContent()).toBe("dispatched");
    expect(await card.locator(".when").textContent()).toBe("14:30–16:00");
    expect(problems).toEqual([]);
  });

  it("keeps its filters in the address: words, truck, day", async () => {
    const other = await makeJob(harness, {
      reference_number: "PO-4471",
      schedule_date: "2026-11-24T00:00:00",
      truck_id: truck.id,
    });
    const another = await makeJob(harness, { schedule_date: "2026-11-24T00:00:00", truck_id: truck.id });
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    await page.getByRole("button", { name: "Tue Nov 24" }).click();
    await cardOf(page, another).waitFor();
    await page.getByLabel("Filter").fill("po-4471");
    await cardOf(page, another).waitFor({ state: "detached" });
    await page.getByRole("combobox", { name: /^Truck/ }).selectOption({ label: truck.name });
    await page.waitForURL(`**/board?date=2026-11-24&truck=${truck.id}&text=po-4471`);
    await page.reload();
    await cardOf(page, other).waitFor();
    expect(await page.locator(".lane").count()).toBe(1);
    expect(await page.getByLabel("Filter").inputValue()).toBe("po-4471");
    expect(problems).toEqual([]);
  });

  it("shows a day for any query in its address", async () => {
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    for (const search of [
      "?date=2026-13-45",
      "?date=<script>",
      "?truck=-1&location=1e9",
      "?location=999999",
      "?text=%00%FF",
    ]) {
      await page.goto(`${harness.origin}/board${search}`);
      await page.locator(".lane, .empty").first().waitFor();
    }
    expect(problems).toEqual([]);
  });

  it("is accessible and fits its window in all sizes, light and dark", async () => {
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    for (const { colorScheme, hasAudit, height, width } of [
      { colorScheme: "light", hasAudit: true, height: 900, width: 1280 },
      { colorScheme: "dark", hasAudit: true, height: 844, width: 390 },
      { colorScheme: "light", hasAudit: false, height: 1024, width: 768 },
      { colorScheme: "dark", hasAudit: false, height: 1080, width: 1920 },
    ] as const) {
      await page.setViewportSize({ height, width });
      await page.emulateMedia({ colorScheme });
      await page.reload();
      await page.locator("[data-job]").first().waitFor({ state: "attached" });
      if (hasAudit) expect([width, await findFaults(page)]).toEqual([width, []]);
      const overflow = "document.documentElement.scrollWidth - innerWidth";
      expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
    }
    expect(problems).toEqual([]);
  });

  it("shows markup as text, and keeps long texts within the card", async () => {
    const own = await freshHarness(harness);
    const name = '<img src=x onerror="document.title=1">\u202Egnol';
    const { locationId } = own.acme;
    const customer = await own.ok("customers.create", {
      params: { location_id: locationId },
      body: aCustomer({ addresses: [anAddress({ line_1: "<script>alert(1)</script>" })], name }),
    });
    const job = await makeJob(own, {
      address_id: customer.addresses[0]?.id,
      dispatcher_notes: `${"word ".repeat(200)}${"x".repeat(1000)}`,
      reference_number: "'\"><svg onload=1>",
      requested_by: customer.id,
      schedule_date: day,
    });
    const { page, problems } = await openSignedIn(own, browser, "/board");
    const card = cardOf(page, job);
    await card.waitFor();
    expect(await card.locator(".name").textContent()).toBe(name);
    expect(await card.locator("img, script, svg").count()).toBe(0);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    expect((await card.boundingBox())?.height).toBeLessThan(260);
    expect(problems).toEqual([]);
  });
});
