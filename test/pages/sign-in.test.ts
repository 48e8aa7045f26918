import type { Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { cardOf, makeJob } from "../support/board-page.ts";
import { useBrowser } from "../support/browser.ts";
import { keepInTab, openSignedIn, shortPauses } from "../support/signed-in-page.ts";
import { describeOverHttp } from "../support/targets.ts";
import { addToken } from "../support/tenants.ts";
import { findFaults, watchPage } from "../support/watch-page.ts";

describeOverHttp("signing in to a page", (harness) => {
  const browser = useBrowser();
  const tokenOf = (as: "Admin" | "Dispatcher") =>
    (harness.headersOf(as).authorization ?? "").replace("Bearer ", "");
  const newPage = async () => {
    const page = await browser.newPage();
    onTestFinished(() => page.context().close());
    return page;
  };
  const openBoard = async () => {
    const page = await newPage();
    await page.addInitScript({ content: shortPauses });
    await page.goto(`${harness.origin}/board`);
    return page;
  };
  const signInWith = async (page: Page, token: string) => {
    await page.getByLabel("Access token").fill(token);
    await page.getByRole("button", { name: "Sign in" }).click();
  };
  const alertOf = (page: Page, hasText: RegExp | string) => page.getByRole("alert").filter({ hasText });

  it.each([
    ["/board", "Board", "Inspector", "/inspect"],
    ["/inspect", "Inspector", "Board", "/board"],
  ])("%s asks for a token and keeps it for the tab only", async (path, name, otherName, otherPath) => {
    const page = await newPage();
    const problems = watchPage(page);
    await page.goto(`${harness.origin}${path}`);
    expect(await findFaults(page)).toEqual([]);
    await signInWith(page, tokenOf("Dispatcher"));
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    expect(await page.context().cookies()).toEqual([]);
    await page.getByRole("link", { name: otherName }).click();
    await page.waitForURL(`${harness.origin}${otherPath}`);
    await page.getByRole("link", { name }).click();
    await page.waitForURL(`${harness.origin}${path}`);

    const beside = await page.context().newPage();
    await beside.goto(`${harness.origin}${path}`);
    await beside.getByLabel("Access token").waitFor();

    await page.getByRole("button", { name: "Sign out" }).click();
    await page.reload();
    await page.getByLabel("Access token").waitFor();
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
    expect(problems).toEqual([]);
  });

  it("signs in by a link once, and leaves it neither in the address nor in the history", async () => {
    const { token: link } = await harness.ok("tokens.create", {
      as: "Admin",
      body: { is_link: true, username: "the-Admin" },
    });
    const page = await newPage();
    const problems = watchPage(page);
    const referrers: (string | undefined)[] = [];
    page.on("request", (request) => referrers.push(request.headers().referer));
    await page.goto(`${harness.origin}/board#sign-in=${link}`);
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    expect(page.url()).not.toContain("dispatch.");
    expect(await page.evaluate("history.length")).toBeLessThanOrEqual(2);
    expect(referrers.filter((referrer) => referrer)).toEqual([]);
    expect(await page.evaluate("JSON.stringify(sessionStorage)")).not.toContain(link);
    expect(problems).toEqual([]);

    const again = await newPage();
    await again.goto(`${harness.origin}/board#sign-in=${link}`);
    await alertOf(again, "already used, or has expired").waitFor();
    await again.getByLabel("Access token").waitFor();
    expect(again.url()).not.toContain("dispatch.");
  });

  it("signs a driver in on a phone by a link that an Admin gets on the board", async () => {
    const params = { location_id: harness.acme.locationId };
    const { id } = await harness.ok("drivers.create", { body: { name: "Oscar Lind" }, params });
    const as = await harness.addCaller({ roles: ["Admin", "Dispatcher"] });
    const { page, problems } = await openSignedIn(harness, browser, "/board", { as });
    await page.getByText("live", { exact: true }).waitFor();
    const openLink = async () => {
      await page.keyboard.press("Control+k");
      await page.keyboard.type("oscar");
      await page.getByRole("option", { name: "sign in on a phone" }).click();
      return page.getByRole("dialog", { name: "Sign Oscar Lind in on a phone" });
    };
    const dialog = await openLink();
    await dialog.getByLabel("Username").fill("oscar");
    await page.keyboard.press("Enter");
    const link = await dialog.getByLabel("Link", { exact: true }).inputValue();
    expect(await findFaults(page)).toEqual([]);
    const phone = await newPage();
    await phone.goto(link);
    await phone.getByText("No stops are left on this day.").waitFor();
    const { results } = await harness.ok("users.list", { as: "Admin", params, query: { page_limit: 1000 } });
    expect(results.find(({ username }) => username === "oscar")).toMatchObject({
      driver_id: id,
      roles: ["Driver"],
    });
    await page.keyboard.press("Escape");
    expect(await (await openLink()).getByLabel("Link", { exact: true }).inputValue()).not.toBe(link);
    expect(problems).toEqual([]);
  });

  it("explains why a token is invalid and asks again", async () => {
    const page = await openBoard();
    for (const token of ["wrong", "a".repeat(40), "mit Ümlaut", "<b>bold</b>"]) {
      await signInWith(page, token);
      await alertOf(page, /token/).waitFor();
      expect(await page.locator("b").count()).toBe(0);
      await page.reload();
    }
    const kept = await newPage();
    await keepInTab(kept, { tenantId: 1, token: "a".repeat(40) });
    await kept.goto(`${harness.origin}/board`);
    await alertOf(kept, /token/).waitFor();
    await kept.getByLabel("Access token").waitFor();
  });

  it("reports a service that does not answer, and a response that is not the service's", async () => {
    const page = await openBoard();
    await page.route("**/tenants*", (route) => route.abort());
    await signInWith(page, tokenOf("Admin"));
    await alertOf(page, "cannot be reached").waitFor();
    await page.unroute("**/tenants*");
    const answer = { body: "<h1>Bad gateway</h1>", contentType: "text/html" };
    await page.route("**/whoami", (route) => route.fulfill({ ...answer, status: 200 }), { times: 1 });
    await page.getByRole("button", { name: "Sign in" }).click();
    await alertOf(page, "it is not a dispatch service").waitFor();
    await page.route("**/whoami", (route) => route.fulfill({ ...answer, status: 502 }), { times: 2 });
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Sign out" }).waitFor();
  });

  it("works without storage in the browser", async () => {
    const page = await newPage();
    await page.addInitScript({
      content: `Object.defineProperty(window, "sessionStorage", { get() { throw new Error("denied"); } });`,
    });
    const errors: string[] = [];
    page.on("pageerror", ({ message }) => errors.push(message));
    await page.goto(`${harness.origin}/board`);
    await signInWith(page, "wrong");
    await alertOf(page, /token/).waitFor();
    await signInWith(page, tokenOf("Dispatcher"));
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Access token").waitFor();
    expect(errors).toEqual([]);
  });

  it.each(["the same user", "another user"])(
    "lets %s sign in over the page of a revoked token",
    async (who) => {
      const job = await makeJob(harness, {
        schedule_date: "2026-11-21T00:00:00.000000",
        truck_id: harness.acme.truckId,
      });
      const caller = await harness.addCaller({ roles: ["Dispatcher"] });
      const made = await addToken(harness.service, harness.acme.owner, caller.user.username);
      const { page } = await openSignedIn(harness, browser, "/board", {
        as: { ...caller, token: made.token },
        viewport: { height: 740, width: 360 },
      });
      await cardOf(page, job).focus();
      await page.keyboard.press("Enter");
      const notes = page.getByLabel("Notes for the driver");
      await notes.fill("Ring twice");
      // If the event stream noticed first, its dialog would cover the button.
      await page.route(`**/jobs/${job.id}`, async (route) => {
        if (
          route.request().method() === "PATCH" &&
          route.request().headers().authorization?.includes(made.token)
        )
          await harness.ok("tokens.revoke", { as: "Admin", params: { token_id: made.id } });
        await route.continue();
      });
      await page.getByRole("button", { exact: true, name: "Save" }).click();
      const again = page.getByRole("dialog", { name: "Sign in again" });
      await again.getByText("The page keeps your unsaved text.").waitFor();
      expect(await findFaults(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await again.waitFor();
      expect(await notes.inputValue()).toBe("Ring twice");
      const params = { job_id: job.id, location_id: job.location_id };
      const read = async () => (await harness.ok("jobs.get", { params })).driver_notes;
      if (who === "another user") {
        await signInWith(page, tokenOf("Dispatcher"));
        await again.getByText("This token belongs to the-Dispatcher").waitFor();
        expect(await findFaults(page)).toEqual([]);
        await again.getByRole("button", { name: "Continue as the-Dispatcher" }).click();
        await again.waitFor({ state: "detached" });
        await page.getByRole("dialog").waitFor({ state: "detached" });
        await page.locator(".who").getByText("the-Dispatcher").waitFor({ state: "attached" });
        await cardOf(page, job).waitFor();
        expect(await read()).toBeNull();
      } else {
        await signInWith(page, caller.token);
        await again.waitFor({ state: "detached" });
        await page.getByRole("dialog").waitFor({ state: "detached" });
        await expect.poll(read).toBe("Ring twice");
      }
    },
  );

  it("lets browsers cache its files forever, by hashed names, but not the page", async () => {
    const { headers, text } = await harness.send({ path: "/board" });
    expect(headers["cache-control"]).toBe("no-cache");
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
    expect(headers["content-security-policy"]).toContain("require-trusted-types-for 'script'");
    expect(headers["content-security-policy"]).not.toMatch(/unsafe|https?:|\*/);
    expect(text).not.toMatch(/<script>|<style|style=/);
    const files = [...text.matchAll(/(?:src|href)="(\/pages\/[^"]+)"/g)].map(([, path]) => path ?? "");
    expect(files.length).toBeGreaterThan(2);
    for (const path of files) {
      const file = await harness.send({ path });
      expect([path, file.status, file.headers["cache-control"]]).toEqual([
        path,
        200,
        "public, max-age=31536000, immutable",
      ]);
    }
    expect((await harness.send({ path: "/pages/board.js" })).status).toBe(404);
    expect((await harness.send({ path: "/pages/..%2fboard.html" })).status).toBe(404);
    expect((await harness.send({ method: "POST", path: "/board" })).status).toBe(405);
  });
});
