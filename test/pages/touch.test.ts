import { expect, it } from "vitest";
import { cardOf, makeJob, makeTruck } from "../support/board-page.ts";
import { useBrowser } from "../support/browser.ts";
import { aCustomer, anAddress } from "../support/builders.ts";
import { openSignedIn } from "../support/signed-in-page.ts";
import { describeOverHttp } from "../support/targets.ts";
import { findFaults } from "../support/watch-page.ts";

const phone = { hasTouch: true, isMobile: true, viewport: { height: 844, width: 360 } };

/** The controls that are smaller than 44 px; a check box counts with its label. */
const smallControls = `
  [...document.querySelectorAll("a, button, input:not([type=checkbox]), select, summary, textarea, [role=option], .grip")]
    .filter((control) => control.checkVisibility())
    .map((control) => ({ control, box: control.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 0 && Math.min(box.width, box.height) < 43.9)
    .map(({ control, box }) => control.outerHTML.slice(0, 80) + " " + Math.round(box.width) + "x" + Math.round(box.height))`;

describeOverHttp("the pages on a phone", (harness) => {
  const browser = useBrowser();

  it("have controls of 44 px, a header of at most 96 px, and nothing beside the screen", async () => {
    const { id } = await makeTruck(harness, "A truck with a long name for a narrow screen");
    const job = await makeJob(harness, { schedule_date: "2026-11-21T00:00:00", truck_id: id });
    for (const path of [
      "/board?compact=off",
      "/board?compact=on",
      "/inspect?view=webhooks",
      "/inspect?view=events",
      "/start",
    ]) {
      const { page, problems } = await openSignedIn(harness, browser, path, { as: "Admin", ...phone });
      if (path.startsWith("/board")) await cardOf(page, job).waitFor();
      else await page.getByRole("button", { name: "Sign out" }).waitFor();
      expect([path, await page.evaluate(smallControls)]).toEqual([path, []]);
      const header = await page.locator(path.startsWith("/board") ? ".toolbar" : ".top").boundingBox();
      expect((header?.y ?? 0) + (header?.height ?? 100)).toBeLessThanOrEqual(96);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
      expect(await findFaults(page)).toEqual([]);
      expect(problems).toEqual([]);
      await page.context().close();
    }
  });

  it("keep the filters and tools of the board behind one button", async () => {
    const { page, problems } = await openSignedIn(harness, browser, "/board", phone);
    await page.getByRole("button", { name: "New job" }).tap();
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).tap();
    expect(await page.getByLabel("Filter").isVisible()).toBe(false);
    const rest =
      "(({ clientWidth, scrollWidth }) => scrollWidth - clientWidth)(document.querySelector('.days'))";
    expect(await page.evaluate(rest)).toBe(0);
    await page.getByRole("button", { name: "More days and tools" }).tap();
    const isCut = "[...document.querySelectorAll('.day')].some((it) => it.scrollWidth > it.clientWidth)";
    expect(await page.evaluate(isCut)).toBe(false);
    await page.getByRole("button", { name: "Mon Nov 23" }).tap();
    await page.waitForURL("**/board?date=2026-11-23");
    await page.getByLabel("Filter").fill("nobody");
    await page.waitForURL("**text=nobody");
    expect(problems).toEqual([]);
  });

  it("keep a long phone number within its card", async () => {
    const number = "+49 (0) 30 1234567890 1234567890 ext. 1234";
    const customer = await harness.ok("customers.create", {
      params: { location_id: harness.acme.locationId },
      body: aCustomer({ addresses: [anAddress()], contacts: [{ name: "Dana", number }] }),
    });
    const job = await makeJob(harness, {
      address_id: customer.addresses[0]?.id,
      requested_by: customer.id,
      schedule_date: "2026-11-21T00:00:00",
      truck_id: (await makeTruck(harness, "One")).id,
    });
    const { page } = await openSignedIn(harness, browser, "/board?compact=off", phone);
    await cardOf(page, job).getByText("1234567890").waitFor();
    expect(await cardOf(page, job).evaluate((card) => card.scrollWidth - card.clientWidth)).toBe(0);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  });
});
