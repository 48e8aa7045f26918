import type { Route } from "playwright-core";
import { expect, it } from "vitest";
import type { Role } from "../../src/models/user.ts";
import { cardOf, makeJob } from "../support/board-page.ts";
import { useBrowser } from "../support/browser.ts";
import { openSignedIn } from "../support/signed-in-page.ts";
import { describeOverHttp } from "../support/targets.ts";
import type { Caller } from "../support/tenants.ts";

const day = "2026-11-21T00:00:00";

describeOverHttp("a page whose user gets other roles", (harness) => {
  const browser = useBrowser();
  const giveRoles = ({ user }: Caller, ...roles: Role[]) =>
    harness.ok("users.update", {
      as: "Admin",
      params: { location_id: harness.acme.locationId, user_id: user.id },
      body: { roles },
    });
  /** The token allows all these roles. */
  const open = async (path: string, ...roles: Role[]) => {
    const as = await harness.addCaller({ roles });
    return { as, ...(await openSignedIn(harness, browser, path, { as })) };
  };

  it("removes actions that the new roles forbid, and keeps typed text", async () => {
    const job = await makeJob(harness, { schedule_date: day, truck_id: harness.acme.truckId });
    const { as, page } = await open("/board", "Dispatcher", "CrmUser");
    await cardOf(page, job).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Window that").fill("8:00-10:00");
    // If the page learned the roles first, it would remove the button before the click.
    await page.route(
      `**/jobs/${job.id}`,
      async (route) => {
        await giveRoles(as, "CrmUser");
        await route.continue();
      },
      { times: 1 },
    );
    await dialog.getByRole("button", { exact: true, name: "Complete" }).click();
    await dialog.getByRole("button", { exact: true, name: "Complete" }).waitFor({ state: "detached" });
    expect(await dialog.getByLabel("Window that").inputValue()).toBe("8:00-10:00");
    expect(await dialog.getByLabel("Notes for the invoice").count()).toBe(1);
    expect(await dialog.getByLabel("How many").count()).toBe(0);
    expect(await page.locator(".grip").count()).toBe(0);
    expect(await page.locator(".toolbar", { hasText: "New job" }).count()).toBe(0);
  });

  it("offers actions that the new roles allow, after its stream reconnects", async () => {
    const job = await makeJob(harness, { schedule_date: day });
    const { as, page } = await open("/docs", "Dispatcher", "CrmUser");
    await giveRoles(as, "CrmUser");
    const cutOff = async (route: Route) => {
      await giveRoles(as, "Dispatcher");
      await route.fulfill({ body: ": begun\n\n", contentType: "text/event-stream" });
    };
    await page.route("**/stream", cutOff, { times: 1 });
    await page.goto(`${harness.origin}/board`);
    await cardOf(page, job).locator(".grip").waitFor();
    await page.getByRole("button", { name: "New job" }).waitFor();
  });

  it("shows the remaining views of the inspector", async () => {
    const { as, page } = await open("/inspect?view=events", "Dispatcher", "CrmUser");
    await page.getByText("Live", { exact: true }).waitFor();
    await giveRoles(as, "CrmUser");
    await makeJob(harness, { schedule_date: day });
    await page.getByText("Your roles (CrmUser) see nothing here").waitFor();
  });
});
