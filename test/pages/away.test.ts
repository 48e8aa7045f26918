import type { Page, Route } from "playwright-core";
import { expect, it } from "vitest";
import { cardOf, makeJob } from "../support/board-page.ts";
import { useBrowser } from "../support/browser.ts";
import { openSignedIn } from "../support/signed-in-page.ts";
import { describeOverHttp } from "../support/targets.ts";
import { findFaults } from "../support/watch-page.ts";

const day = "2026-11-24T00:00:00";
const notice = "The service cannot be reached.";

describeOverHttp("a page that is loaded again while its service is away", (harness) => {
  const browser = useBrowser();
  const openSignedOnce = async (path: string) => {
    const opened = await openSignedIn(harness, browser, path);
    await opened.page.getByRole("button", { name: "Sign out" }).waitFor();
    return opened;
  };
  const kept = (page: Page) => page.evaluate(`sessionStorage.getItem("dispatch-cli session")`);
  /** Has what a page asks to go on answered by something else, until what is given is called; counts what was asked. */
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
    ["nobody answers", (route: Route) => route.abort()],
    ["a gateway answers 502", gateway(502)],
    ["it is restarted", gateway(503)],
  ])("says so where %s, keeps the token, and goes on where it was by itself", async (_, answer) => {
    const job = await makeJob(harness, { reference_number: "PO-8", schedule_date: day });
    const path = "/board?date=2026-11-24&text=po-8#here";
    const { close, page } = await openSignedOnce(path);
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
    await close();
  });

  it.each([
    ["somebody says so", (page: Page) => page.getByRole("button", { name: "Try again" }).click()],
    ["the network is back", (page: Page) => page.evaluate(`dispatchEvent(new Event("online"))`)],
  ])("tries at once when %s, however long it has been away", async (_, hurry) => {
    const { close, page } = await openSignedOnce("/inspect");
    // Pauses last for ever here.
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
    await close();
  });

  it("lets who waits sign out, and asks nothing more with the old token, whenever that is answered", async () => {
    const { close, page } = await openSignedOnce("/board");
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
    await close();
  });

  it("asks for another token once the service says that the kept one is good no more", async () => {
    const { close, page } = await openSignedOnce("/board");
    await putAway(page, gateway(503));
    await page.getByRole("alert").filter({ hasText: notice }).waitFor();
    const errors = [{ code: "unauthorized", detail: "The token is revoked.", field: null }];
    await page.route("**/tenants*", (route) => route.fulfill({ json: { errors }, status: 401 }));
    await page.getByLabel("Access token").waitFor();
    expect(await page.getByRole("alert").textContent()).toBe("The token is revoked.");
    expect(await kept(page)).toBe(null);
    await close();
  });

  it("has a tenant chosen where the one that was open is reached no more", async () => {
    const { close, page } = await openSignedOnce("/board");
    const other = { ...harness.acme, id: 77, name: "Other" };
    await putAway(page, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ json: { ...(await response.json()), results: [other] }, response });
    });
    await page.getByRole("alert").filter({ hasText: "no longer has access" }).waitFor();
    expect(await page.getByLabel("Tenant").locator("option").allTextContents()).toEqual(["Other"]);
    await close();
  });
});
