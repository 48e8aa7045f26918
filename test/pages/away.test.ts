import type { Page, Route } from "playwright-core";
import { expect, it } from "vitest";
import { cardOf, makeJob } from "../support/board-page.ts";
import { useBrowser } from "../support/browser.ts";
import { openSignedIn } from "../support/signed-in-page.ts";
import { describeOverHttp } from "../support/targets.ts";
import { findFaults } from "../support/watch-page.ts";

const day = "2026-11-24T00:00:00";
const notice = "Cannot reach the service.";

describeOverHttp("a page reloaded while its service is down", (harness) => {
  const browser = useBrowser();
  const openSignedOnce = async (path: string, hasShortPauses = false) => {
    const opened = await openSignedIn(harness, browser, path, { hasShortPauses });
    await opened.page.getByRole("button", { name: "Sign out" }).waitFor();
    return opened;
  };
  const kept = (page: Page) => page.evaluate(`sessionStorage.getItem("dispatch-cli session")`);
  /** Answers the page's requests for tenants instead of the service, until `end`, and counts them. */
  const putAway = async (page: Page, answer: (route: Route) => Promise<void>) => {
    const away = { asked: 0, end: () => page.unroute("**/tenants*") };
    await page.route("**/tenants*", (route) => {
      away.asked += 1;
      return answer(route);
    });
    await page.reload();
    return away;
  };
  const gateway = (status: number) => (route: Route) =>
    route.fulfill({ body: "<h1>Away</h1>", contentType: "text/html", status });

  it.each([
    ["there is no response", (route: Route) => route.abort()],
    ["a gateway returns 502", gateway(502)],
    ["the service restarts", gateway(503)],
  ])("says so if %s, keeps the token, and resumes at the same address", async (_, answer) => {
    const job = await makeJob(harness, { reference_number: "PO-8", schedule_date: day });
    const path = "/board?date=2026-11-24&text=po-8#here";
    const { page } = await openSignedOnce(path, true);
    const away = await putAway(page, answer);
    await page.getByRole("alert").filter({ hasText: notice }).waitFor();
    await page.getByText(/Tried (once|\d+ times), first at \d\d:\d\d:\d\d\./).waitFor();
    expect(await findFaults(page)).toEqual([]);
    await expect.poll(() => away.asked).toBeGreaterThan(1);
    expect(await page.getByLabel("Access token").count()).toBe(0);
    await away.end();
    await cardOf(page, job).waitFor();
    expect(page.url().endsWith(path)).toBe(true);
    expect(await kept(page)).toContain(harness.acme.callers.Dispatcher.token);
  });

  it.each([
    ["the user asks for it", (page: Page) => page.getByRole("button", { name: "Try again" }).click()],
    ["the network is back", (page: Page) => page.evaluate(`dispatchEvent(new Event("online"))`)],
  ])("retries at once when %s", async (_, hurry) => {
    const { page } = await openSignedOnce("/inspect");
    // Pauses never end in this tab.
    await page.addInitScript({
      content: `const wait = setTimeout; setTimeout = (act, ms) => (ms > 400 ? 0 : wait(act, ms));`,
    });
    const away = await putAway(page, gateway(502));
    await page.getByText("Tried once").waitFor();
    await hurry(page);
    await page.getByText("Tried 2 times").waitFor();
    await away.end();
    await hurry(page);
    await page.getByRole("button", { name: "Sign out" }).and(page.locator(".top *")).waitFor();
  });

  it("lets a waiting user sign out, and ignores late responses to the old token", async () => {
    const { page } = await openSignedOnce("/board");
    const held: Route[] = [];
    await putAway(page, async (route) => {
      if (held.push(route) > 1) await route.continue();
    });
    await expect.poll(() => held.length).toBe(1);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Access token").waitFor();
    expect(await kept(page)).toBe(null);
    const { token, user } = harness.acme.callers.Admin;
    await page.getByLabel("Access token").fill(token);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.locator(".who", { hasText: user.username }).waitFor();
    await Promise.all([page.waitForResponse("**/tenants*"), held[0]?.continue()]);
    expect(await page.locator(".who").textContent()).toBe(user.username);
    expect(await kept(page)).toContain(token);
  });

  it("asks for another token when the service refuses the kept one", async () => {
    const { page } = await openSignedOnce("/board", true);
    await putAway(page, gateway(503));
    await page.getByRole("alert").filter({ hasText: notice }).waitFor();
    const errors = [{ code: "unauthorized", detail: "The token is revoked.", field: null }];
    await page.route("**/tenants*", (route) => route.fulfill({ json: { errors }, status: 401 }));
    await page.getByLabel("Access token").waitFor();
    expect(await page.getByRole("alert").textContent()).toBe("The token is revoked.");
    expect(await kept(page)).toBe(null);
  });

  it("asks for a tenant if the token no longer has access to the open one", async () => {
    const { page } = await openSignedOnce("/board");
    const other = { ...harness.acme, id: 77, name: "Other" };
    await putAway(page, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ json: { ...(await response.json()), results: [other] }, response });
    });
    await page.getByRole("alert").filter({ hasText: "no longer has access" }).waitFor();
    expect(await page.getByLabel("Tenant").locator("option").allTextContents()).toEqual(["Other"]);
  });
});
