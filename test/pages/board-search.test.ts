import { beforeAll, expect, it } from "vitest";
import { cardOf, laneOf, makeJob, makeTruck } from "../support/board-page.ts";
import { useBrowser } from "../support/browser.ts";
import { aCustomer, anAddress } from "../support/builders.ts";
import { openSignedIn } from "../support/signed-in-page.ts";
import { describeOverHttp } from "../support/targets.ts";
import { findFaults } from "../support/watch-page.ts";

const day = "2026-11-21T00:00:00";

describeOverHttp("the search on the board", (harness) => {
  const browser = useBrowser();
  let job = { id: 0, location_id: 0 };
  beforeAll(async () => {
    const make = (name: string, number: string) =>
      harness.ok("customers.create", {
        body: aCustomer({ addresses: [anAddress()], contacts: [{ name: "Dana", number }], name }),
        params: { location_id: harness.acme.locationId },
      });
    const { addresses, id } = await make("Zebra Roofing", "(202) 555-0142 ext. 7");
    await make("Yak Paving", "(202) 555-0199");
    job = await makeJob(harness, {
      address_id: addresses[0]?.id,
      reference_number: "WO/50694",
      requested_by: id,
      schedule_date: "2026-12-05T00:00:00",
    });
  });

  it.each(["2025550142", "202-555-0142", "wo/50694"])(
    "opens a job of another day by %s in at most 14 keys",
    async (text) => {
      const { page, problems } = await openSignedIn(harness, browser, "/board");
      await page.getByText("live", { exact: true }).waitFor();
      const keys = ["/", "/", ...text.replaceAll("-", ""), "Enter"];
      expect(keys.length).toBeLessThanOrEqual(14);
      for (const key of ["/", "/", ...text, "Enter"]) await page.keyboard.press(key);
      const dialog = page.getByRole("dialog", { name: `Job ${job.id}: Zebra Roofing` });
      await dialog.waitFor();
      expect(new URL(page.url()).search).toBe(`?job=${job.id}`);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      expect(problems).toEqual([]);
    },
  );

  it("returns the focus to the card of a job that a search opened", async () => {
    const own = await makeJob(harness, {
      reference_number: "WO/7",
      schedule_date: day,
      truck_id: harness.acme.truckId,
    });
    const { page } = await openSignedIn(harness, browser, "/board");
    await cardOf(page, own).waitFor();
    for (const key of ["Control+k", ..."WO/7", "Enter"]) await page.keyboard.press(key);
    await page.getByRole("dialog", { name: `Job ${own.id}` }).waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => cardOf(page, own).evaluate((card) => card.matches(":focus"))).toBe(true);
  });

  it("lists every action with its key, and acts on the focused card", async () => {
    const own = await makeJob(harness, { schedule_date: day, truck_id: harness.acme.truckId });
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    await cardOf(page, own).focus();
    await page.keyboard.press("Control+k");
    const options = page.getByRole("dialog").getByRole("option");
    await expect.poll(() => options.count()).toBeGreaterThanOrEqual(11);
    expect(await options.filter({ hasText: "create a job" }).locator("kbd").textContent()).toBe("n");
    expect(await findFaults(page)).toEqual([]);
    await page.keyboard.type("complete the");
    await page.keyboard.press("Enter");
    await page
      .getByRole("status")
      .filter({ hasText: `Job ${own.id} completed` })
      .waitFor();
    expect(problems).toEqual([]);
  });

  it("starts a job for a customer, and shows only one truck", async () => {
    await makeTruck(harness, "Zulu 9");
    const { page, problems } = await openSignedIn(harness, browser, "/board");
    await laneOf(page, "Zulu 9").waitFor();
    await page.getByRole("button", { name: "Search" }).click();
    await page.keyboard.type("yak");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("option", { name: "New job" }).click();
    await dialog.getByLabel("When").waitFor();
    expect(await dialog.getByRole("heading").textContent()).toBe("New job for Yak Paving");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.keyboard.press("Control+k");
    await page.keyboard.type("zulu");
    await dialog.getByRole("option", { name: "Zulu 9" }).waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".lane").count()).toBe(1);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("qqqqqq");
    await page.getByText("Nothing is found.").waitFor();
    expect(problems).toEqual([]);
  });
});
