import { expect, it } from "vitest";
import type { Role } from "../../src/models/user.ts";
import { useBrowser } from "../support/browser.ts";
import { openSignedIn } from "../support/signed-in-page.ts";
import { describeOverHttp } from "../support/targets.ts";
import { findFaults, watchPage } from "../support/watch-page.ts";

describeOverHttp("the start page", (harness) => {
  const browser = useBrowser();
  const get = (accept: string) => harness.send({ method: "GET", path: "/", headers: { accept } });

  it("is the target of the root for browsers; programs get 404 there", async () => {
    const browser = await get("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8");
    expect([browser.status, browser.headers.location]).toEqual([302, "/start"]);
    for (const accept of ["*/*", "application/json", "application/json, text/html;q=0.1", "text/html;q=0"])
      expect((await get(accept)).status).toBe(404);
    expect((await harness.send({ method: "POST", path: "/", headers: { accept: "text/html" } })).status).toBe(
      404,
    );
  });

  it.each<Role>(["Dispatcher", "Driver", "ClientCustomer"])("leads a %s to the board", async (as) => {
    const { page, problems } = await openSignedIn(harness, browser, "/", { as });
    await page.waitForURL("**/board");
    expect(problems).toEqual([]);
  });

  it("lets an Admin choose between board, inspector, and reference", async () => {
    for (const [name, path] of [
      ["Board", "/board"],
      ["Inspector", "/inspect"],
      ["API reference", "/docs"],
    ] as const) {
      const { page, problems } = await openSignedIn(harness, browser, "/", { as: "Admin" });
      const link = page.getByRole("main").getByRole("link", { name });
      await link.waitFor();
      expect(await findFaults(page)).toEqual([]);
      await link.click();
      await page.waitForURL(`**${path}`);
      expect(problems).toEqual([]);
    }
  });

  it("asks for a token without one, then leads on", async () => {
    const page = await browser.newPage();
    const problems = watchPage(page);
    await page.goto(`${harness.origin}/`);
    await page.getByRole("link", { name: "API reference" }).waitFor();
    expect(await findFaults(page)).toEqual([]);
    const { authorization = "" } = harness.headersOf("Dispatcher");
    await page.getByLabel("Access token").fill(authorization.replace("Bearer ", ""));
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL("**/board");
    expect(problems).toEqual([]);
    await page.context().close();
  });
});
