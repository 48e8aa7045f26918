import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { errorTable } from "../../../src/errors/errors.ts";
import { loadOperations } from "../../../src/operations/index.ts";
import { useBrowser } from "../../support/browser.ts";
import { runCommand } from "../../support/command-line.ts";
import { toWords } from "../../support/shell-words.ts";
import { keepInTab } from "../../support/signed-in-page.ts";
import { describeOverHttp } from "../../support/targets.ts";
import { findFaults, watchPage } from "../../support/watch-page.ts";

describeOverHttp("the reference at /docs", (harness) => {
  const get = (path: string, headers: Record<string, string> = {}) => harness.send({ path, headers });

  it.each([
    "/docs",
    "/docs/",
    "/llms.txt",
    "/docs/assets/docs.css",
    "/docs/assets/docs.js",
    "/docs/assets/index.json",
    "/docs/assets/icon.svg",
  ])("%s is there", async (path) => {
    const { status, text } = await get(path);
    expect(status).toBe(200);
    expect(text.length).toBeGreaterThan(100);
    const { headers } = await get(path, { "accept-encoding": "gzip" });
    expect(headers["content-encoding"]).toBe(text.length < 1024 ? undefined : "gzip");
  });

  it("needs no token, is revalidated, and has a strict policy", async () => {
    const { headers, status, text } = await get("/docs/errors/too_long");
    expect(status).toBe(200);
    expect(text).toContain(errorTable.too_long.explanation);
    expect(headers["content-security-policy"]).not.toMatch(/unsafe|https?:|\*/);
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
    expect((await get("/docs/errors/too_long", { "if-none-match": headers.etag ?? "" })).status).toBe(304);
    const head = await harness.send({ method: "HEAD", path: "/docs/errors/too_long" });
    expect([head.status, head.text, head.headers["content-length"]]).toEqual([
      200,
      "",
      headers["content-length"],
    ]);
  });

  it.each([
    "/docs/errors/none",
    "/docs/models/__proto__",
    "/docs/constructor",
    "/docs/errors/too_long/more",
    "/docs/assets/..%2fpackage.json",
    "/docs/../openapi.json",
    "/docs/%2e%2e/%2e%2e/etc/passwd",
    "/docs/errors/%3Cscript%3Ealert(1)",
    "/docs?version=%22%3E%3Cscript%3Ealert(1)",
    "/docs?version=2019/02/09",
    `/docs/${"errors/".repeat(1_400)}`,
  ])("%s returns 404 and repeats nothing of its address", async (path) => {
    const { headers, status, text } = await get(path);
    expect(status).toBe(404);
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(text).toBe((await get("/docs/none")).text);
  });

  const browser = useBrowser();
  const looks = [
    { colorScheme: "light", viewport: { width: 1280, height: 900 } },
    { colorScheme: "dark", viewport: { width: 390, height: 844 } },
  ] as const;

  it.each(looks)("is accessible and keeps its policy: $colorScheme, $viewport.width wide", async (look) => {
    const page = await browser.newPage({ ...look, bypassCSP: false });
    const problems = watchPage(page);
    for (const path of [
      "/docs",
      "/docs/conventions",
      "/docs/guides/states",
      "/docs/guides/webhooks",
      "/docs/operations/jobs.create",
      "/docs/models/JobModel",
      "/docs/webhooks",
      "/docs/errors/too_long",
      "/docs/changes",
    ]) {
      await page.goto(`${harness.origin}${path}`);
      const hasNewParts = look.colorScheme === "light" || /operations|changes/.test(path);
      if (hasNewParts) expect([path, await findFaults(page)]).toEqual([path, []]);
      const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      expect([path, overflow]).toEqual([path, 0]);
    }
    expect(problems).toEqual([]);
  });

  it("finds operations, models, errors, and guides by the words of their names and texts", async () => {
    const page = await browser.newPage();
    const problems = watchPage(page);
    await page.goto(`${harness.origin}/docs/errors/too_long?version=2021/08/02`);
    await page.keyboard.press("/");
    const found = page.getByRole("search").getByRole("link");
    for (const [words, name] of [
      ["rotate secret", "hooks.rotate-secret"],
      ["JOBMODEL", "JobModel"],
      ["pauses retries", "Receiving webhooks"],
      ["verify signature", "Receiving webhooks"],
      ["ratelimit-policy retry-after", "Requests and responses"],
      ["429 burst", "rate_limited"],
      ["state_conflict", "state_conflict"],
    ] as const) {
      await page.getByLabel("Search").fill(words);
      await found.getByText(name, { exact: true }).waitFor();
    }
    await found.first().click();
    await page.waitForURL("**/docs/errors/state_conflict?version=2021/08/02");
    expect(problems).toEqual([]);
  });

  it("finds operations that have every word in their name, summary, description, or fields, by keyboard", async () => {
    const page = await browser.newPage();
    await page.goto(`${harness.origin}/docs`);
    await page.keyboard.press("/");
    await page.keyboard.type("assign truck");
    const found = page.getByRole("search").getByRole("link");
    await expect.poll(() => found.first().textContent()).toBe("jobs.dispatch");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    expect(await found.nth(1).evaluate((link) => link.matches(":focus"))).toBe(true);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/docs/operations/jobs.dispatch");
  });

  it("has an input for each field of the body, the required ones first and the others folded", async () => {
    const page = await browser.newPage({
      hasTouch: true,
      isMobile: true,
      viewport: { width: 360, height: 740 },
    });
    const problems = watchPage(page);
    await page.goto(`${harness.origin}/docs/operations/customers.create`);
    const body = page.getByRole("group", { name: "Body" });
    const text = page.locator("[name=body]");
    const read = async () => JSON.parse(await text.inputValue()) as Record<string, unknown>;
    await body.getByLabel("name (required)", { exact: true }).fill("Typed");
    const contacts = body.getByRole("group", { name: "contacts (required)" });
    await contacts.getByRole("button", { name: "Add" }).press("Enter");
    const second = contacts.getByRole("group", { name: "contacts 2" });
    await second.getByText("more fields").click();
    await second.getByLabel("name", { exact: true }).fill("Second");
    await contacts.getByRole("button", { name: "Remove 1" }).click();
    expect(await read()).toMatchObject({ name: "Typed", contacts: [{ name: "Second" }] });
    await body.getByText("more fields").last().click();
    await body.getByLabel("is_commercial").selectOption("null");
    expect(await read()).toMatchObject({ is_commercial: null });
    await body.getByLabel("is_commercial").selectOption("true");
    await body.getByLabel("parent_id").fill("3");
    expect(await read()).toMatchObject({ is_commercial: true, parent_id: 3 });
    await body.getByLabel("parent_id").fill("");
    expect(await read()).not.toHaveProperty("parent_id");
    expect(await findFaults(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
    expect((await page.locator("header").boundingBox())?.height).toBeLessThanOrEqual(96);

    await page.getByLabel("Write the body as JSON").check();
    expect(await page.locator("fieldset.fields").isVisible()).toBe(false);
    await page.getByLabel("Body (JSON)").fill('{"name": "Raw", "unknown": {"a": 1}');
    expect(await page.getByLabel("Write the body as JSON").isDisabled()).toBe(true);
    await page.getByLabel("Body (JSON)").fill('{"name": "Raw", "unknown": {"a": 1}}');
    await page.getByLabel("Write the body as JSON").uncheck();
    expect(await body.getByLabel("name (required)", { exact: true }).inputValue()).toBe("Raw");
    await body.getByText("more fields").last().click();
    await body.getByLabel("note", { exact: true }).fill("in step");
    expect(await read()).toEqual({ name: "Raw", unknown: { a: 1 }, note: "in step" });
    await page.goto(`${harness.origin}/docs/operations/jobs.create`);
    await body.getByLabel("schedule_date, UTC", { exact: true }).fill("2026-11-21T08:30");
    expect(await read()).toMatchObject({ schedule_date: "2026-11-21T08:30:00Z", type: "D" });
    expect(problems).toEqual([]);
  });

  it("writes curl, a command, and TypeScript for the values of the form", async () => {
    const page = await browser.newPage();
    await page.goto(`${harness.origin}/docs/operations/trucks.create`);
    await page.getByLabel("location_id").fill("7");
    await page.getByLabel("name (required)").fill("A 1");
    const textOf = (name: string) => page.locator(`[data-snippet="${name}"]`).textContent();
    expect(await textOf("curl")).toContain(`-X POST ${harness.origin}/locations/7/trucks `);
    expect(await textOf("command")).toBe(
      `dispatch-cli trucks create --location 7 --name "A 1" --url ${harness.origin} --tenant 1 --dry-run`,
    );
    expect(await textOf("client")).toContain(
      'client.call("trucks.create", {\n  "params": {\n    "location_id": 7',
    );
    await page.getByLabel("Dry run").uncheck();
    expect(await textOf("client")).not.toContain("dryRun");
  });

  it("writes TypeScript with the types of the fields, and a command that lists as many jobs as the service", async () => {
    const page = await browser.newPage();
    await page.goto(`${harness.origin}/docs/operations/jobs.list`);
    await page.getByText("more fields").click();
    await page.getByLabel("is_dispatched").selectOption("true");
    await page.getByLabel("reference_number").fill("12");
    const textOf = (name: string) => page.locator(`[data-snippet="${name}"]`).textContent();
    expect(await textOf("client")).toContain("token: process.env.DISPATCH_TOKEN ?? null,");
    expect(await textOf("client")).toContain('"is_dispatched": true,\n    "reference_number": "12"');
    expect(await textOf("command")).toContain("jobs list --all-states --is-dispatched true");
  });

  it("writes a command that the terminal runs, for every operation", { timeout: 120_000 }, async () => {
    const page = await browser.newPage();
    const { authorization = "", "x-tenant-id": tenant = "" } = harness.headersOf("Admin");
    const env = { DISPATCH_TENANT: tenant, DISPATCH_TOKEN: authorization.replace("Bearer ", "") };
    const refused: unknown[] = [];
    const withoutCommand: string[] = [];
    for (const { name } of await loadOperations()) {
      await page.goto(`${harness.origin}/docs/operations/${name}`);
      const missing = page.locator("form.try :is(input, select):required:invalid");
      while ((await missing.count()) > 0) {
        const type = await missing.first().getAttribute("type");
        if (type === null) await missing.first().selectOption({ index: 1 });
        else await missing.first().fill(type === "number" ? "1" : "00000000-0000-4000-8000-000000000000");
      }
      if ((await page.locator("form.try").count()) === 0) continue;
      const line = (await page.locator("[data-snippet=command]").textContent()) ?? "";
      const [, input, command = line] = /^printf %s (.*) \|\n +(.*)$/s.exec(line) ?? [];
      const [, ...words] = toWords(command);
      const result = await runCommand(words, {
        env,
        input: input === undefined ? "" : toWords(input).join(" "),
      });
      if (words[0] === "api") withoutCommand.push(name);
      // The service answers these calls, but lacks most of the records.
      else if (result.code === 2 && !result.stderr.includes("request id:"))
        refused.push([line, result.stderr]);
    }
    expect(refused).toEqual([]);
    expect(withoutCommand.toSorted()).toEqual(["hooks.trigger", "search.find"]);
  });

  it("begins with the token and the tenant of the board in the same tab", async () => {
    const page = await browser.newPage();
    await keepInTab(page, { tenantId: 7, token: "dispatch.1.secret" });
    await page.goto(`${harness.origin}/docs/operations/trucks.list`);
    expect(await page.getByLabel("Token").inputValue()).toBe("dispatch.1.secret");
    expect(await page.getByLabel("x-tenant-id").inputValue()).toBe("7");
  });

  it("tries an operation with the token of the tab, as a dry run by default", async () => {
    const page = await browser.newPage();
    const problems = watchPage(page);
    const { authorization = "", "x-tenant-id": tenant = "" } = harness.headersOf("Admin");
    await page.goto(`${harness.origin}/docs/operations/trucks.list`);
    await page.getByLabel("Token").fill(authorization.replace("Bearer ", ""));
    await page.getByLabel("x-tenant-id").fill(tenant);
    await page.getByLabel("location_id").fill(String(harness.acme.locationId));
    await page.getByRole("button", { name: "Send" }).click();
    expect(await statusOf(page)).toMatch(/^200 /);
    const before = await page.locator(".answer code").textContent();
    expect(JSON.parse(before ?? "")).toHaveProperty("results");

    await page.goto(`${harness.origin}/docs/operations/trucks.create`);
    await page.getByLabel("location_id").fill(String(harness.acme.locationId));
    await page.getByLabel("name (required)").fill("Tried out");
    await page.getByRole("button", { name: "Send" }).click();
    expect(await statusOf(page)).toMatch(/^200 /);
    expect(await page.locator(".answer code").textContent()).toContain("Tried out");
    await page.goto(`${harness.origin}/docs/operations/trucks.list`);
    await page.getByLabel("location_id").fill(String(harness.acme.locationId));
    await page.getByRole("button", { name: "Send" }).click();
    expect(await statusOf(page)).toMatch(/^200 /);
    expect(await page.locator(".answer code").textContent()).toBe(before);
    expect(problems).toEqual([]);

    const other = await page.context().newPage();
    await other.goto(`${harness.origin}/docs/operations/trucks.list`);
    expect(await other.getByLabel("Token").inputValue()).toBe("");
  });
});

/** The status that the form shows after the response. */
async function statusOf(page: Page): Promise<string | null> {
  const status = page.getByRole("status").filter({ hasText: /request|reached/ });
  return status.textContent();
}
