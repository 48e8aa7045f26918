import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { startServer } from "../../src/http/serve.ts";
import { type TestBrowser, useBrowser } from "../support/browser.ts";
import { aTruck } from "../support/builders.ts";
import type { Harness } from "../support/harness.ts";
import { programPath } from "../support/program.ts";
import { openSignedIn, type PageAs, type WatchedPage } from "../support/signed-in-page.ts";
import { describeOverHttp } from "../support/targets.ts";
import { addToken } from "../support/tenants.ts";
import { findFaults } from "../support/watch-page.ts";

/** Starts another server for the harness's store; `inspects` records headers and bodies. */
async function serve(harness: Harness, { inspects = true, port = 0 } = {}) {
  const server = await startServer(harness.service, {
    delivers: false,
    host: "127.0.0.1",
    inspects,
    log: { write() {} },
    logLevel: "silent",
    port,
  });
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= server.close());
  onTestFinished(close);
  return { url: server.url, close };
}

const open = (
  harness: Harness,
  browser: TestBrowser,
  address: string,
  options: PageAs = {},
): Promise<WatchedPage> => openSignedIn(harness, browser, address, { as: "Admin", ...options });

const rowsOf = (page: Page) => page.getByRole("listbox").getByRole("option");

describeOverHttp("/inspect, requests", (harness) => {
  const browser = useBrowser();

  const send = (url: string, path: string, init: RequestInit = {}) =>
    fetch(url + path, {
      ...init,
      headers: {
        ...harness.headersOf("Admin"),
        "x-api-version": "2023/04/19",
        ...(init.body !== undefined && { "content-type": "application/json" }),
      },
    });
  const makeTruck = (url: string, name: string) =>
    send(url, `/locations/${harness.acme.locationId}/trucks`, {
      method: "POST",
      body: JSON.stringify(aTruck({ name })),
    });

  it("lists requests live, without its own, and opens one with its content and effects", async () => {
    const { url } = await serve(harness);
    const { page, problems } = await open(harness, browser, `${url}/inspect`);
    await page.getByText("No matching requests yet").waitFor();
    await page.getByRole("status").getByText("Live").waitFor();
    await makeTruck(url, "Truck A");
    await rowsOf(page).first().waitFor();
    expect(await rowsOf(page).count()).toBe(1);
    const cells = await rowsOf(page).first().locator("span").allInnerTexts();
    expect(cells.slice(1)).toMatchObject([
      "POST",
      `/locations/${harness.acme.locationId}/trucks`,
      "200",
      expect.stringMatching(/^[\d.]+$/),
      "2023/04/19",
      expect.any(String),
      "Acme",
    ]);

    await rowsOf(page).first().click();
    const detail = page.getByRole("region", { name: /^POST/ });
    await detail.getByText('"Truck A"').first().waitFor();
    expect(await findFaults(page)).toEqual([]);
    const text = await detail.innerText();
    expect(text).toContain("authorization\n***");
    expect(text).toContain("x-content-type-options");
    await detail.getByText("Truck").getByText("created").first().waitFor();
    await detail.getByRole("link", { name: /^Truck \d+ created/ }).click();
    await page.getByRole("region", { name: "Data of the event" }).getByText("Truck A").waitFor();
    await page.goBack();
    await detail.waitFor();
    await page.reload();
    await detail.getByText('"Truck A"').first().waitFor();

    await page.getByLabel("Reads by pages").check();
    await rowsOf(page)
      .filter({ hasText: "/whoami" })
      .or(rowsOf(page).filter({ hasText: "/events" }))
      .first()
      .waitFor();
    expect(problems).toEqual([]);
  });

  it("filters by text, method, status and token, and keeps the filters in the address", async () => {
    const { url } = await serve(harness);
    const { page, problems } = await open(harness, browser, `${url}/inspect?view=requests`);
    await makeTruck(url, "Truck B");
    await send(url, "/customers/999999");
    await send(url, "/hooks?page_limit=1");
    await expect.poll(() => rowsOf(page).count()).toBe(3);
    await page.getByLabel("Search").fill("HOOKS");
    await expect.poll(() => rowsOf(page).count()).toBe(1);
    await page.getByLabel("Search").fill("");
    await page.getByLabel("Status").selectOption("4xx");
    await expect
      .poll(() => rowsOf(page).allInnerTexts())
      .toEqual([expect.stringContaining("/customers/999999")]);
    await page.getByLabel("Status").selectOption("Status: all");
    await page.getByLabel("Method").selectOption("POST");
    await page.getByLabel("Token").selectOption({ index: 1 });
    await expect.poll(() => rowsOf(page).allInnerTexts()).toEqual([expect.stringContaining("/trucks")]);
    await page.reload();
    await expect.poll(() => rowsOf(page).allInnerTexts()).toEqual([expect.stringContaining("/trucks")]);
    expect(problems).toEqual([]);
  });

  it("moves no row while it is paused or scrolled, counts new requests, and shows them on demand", async () => {
    const { url } = await serve(harness);
    const viewport = { width: 1280, height: 500 };
    const { page, problems } = await open(harness, browser, `${url}/inspect`, { viewport });
    await Promise.all(Array.from({ length: 40 }, () => send(url, "/customers")));
    await expect.poll(() => rowsOf(page).count()).toBe(40);
    await page.getByRole("button", { name: "Pause" }).click();
    await send(url, "/hooks");
    await page.getByRole("button", { name: "1 new" }).click();
    await rowsOf(page).filter({ hasText: "/hooks" }).waitFor();
    await page.getByRole("button", { name: "Pause" }).click();

    const list = page.getByRole("listbox");
    // The page gets the scroll event with the next frame.
    await list.evaluate(async (box) => {
      const isHeard = new Promise((resolve) => box.addEventListener("scroll", resolve, { once: true }));
      box.scrollTo(0, 400);
      await isHeard;
    });
    const top = () =>
      rowsOf(page)
        .nth(30)
        .evaluate((row) => row.getBoundingClientRect().top);
    const before = await top();
    await send(url, "/jobs");
    await page.getByRole("button", { name: "1 new" }).waitFor();
    expect(await top()).toBe(before);
    await page.getByRole("button", { name: "1 new" }).click();
    await expect.poll(() => rowsOf(page).first().innerText()).toContain("/jobs");
    expect(problems).toEqual([]);
  });

  it("shows queries, finds texts in bodies, and hides the reads of a board until asked", async () => {
    const { url } = await serve(harness);
    await open(harness, browser, `${url}/board`);
    const { page, problems } = await open(harness, browser, `${url}/inspect`);
    await makeTruck(url, "Truck within a body");
    await send(url, "/jobs?page_limit=7");
    await rowsOf(page).filter({ hasText: "/jobs?page_limit=7" }).waitFor();
    expect(await rowsOf(page).count()).toBe(2);
    await page.getByLabel("Search").fill("WITHIN a body");
    await rowsOf(page).filter({ hasText: "/trucks" }).waitFor();
    await expect.poll(() => rowsOf(page).count()).toBe(1);
    await page.getByLabel("Search").fill("");
    await page.getByLabel("Reads by pages").check();
    await rowsOf(page).filter({ hasText: "/locations" }).filter({ hasText: "GET" }).first().waitFor();
    expect(problems).toEqual([]);
  });

  it("works by keyboard", async () => {
    const { url } = await serve(harness);
    const { page, problems } = await open(harness, browser, `${url}/inspect`);
    await send(url, "/jobs");
    await send(url, "/hooks");
    await expect.poll(() => rowsOf(page).count()).toBe(2);
    await page.getByLabel("Search").focus();
    for (let presses = 0; presses < 20; presses++) {
      await page.keyboard.press("Tab");
      if (await page.getByRole("listbox").evaluate((box) => box.matches(":focus"))) break;
    }
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "GET /jobs" }).waitFor();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "GET /hooks" }).waitFor();
    await page.keyboard.press("Tab");
    await page.getByRole("button", { name: "Close" }).press("Escape");
    await page.getByRole("region", { name: "GET /hooks" }).waitFor({ state: "detached" });
    expect(problems).toEqual([]);
  });

  it("copies a request as curl, command and code that repeat it, without the token", async () => {
    const { url } = await serve(harness);
    const { page, problems } = await open(harness, browser, `${url}/inspect`);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const name = `It's "T" $HOME \`id\` \\ !x\n${"<i>"}`;
    await makeTruck(url, name);
    await rowsOf(page).first().click();
    const copy = async (kind: string) => {
      await page.getByRole("button", { name: `Copy as ${kind}` }).click();
      await page.getByRole("button", { name: `Copied as ${kind}` }).waitFor();
      return (await page.evaluate("navigator.clipboard.readText()")) as string;
    };
    const { token } = harness.callerOf("Admin");
    const shell = async (text: string) => {
      const functions = `curl() { printf '%s\\0' "$@"; }; dispatch-cli() { '${process.execPath}' '${programPath}' "$@"; }`;
      const env = { ...process.env, DISPATCH_TOKEN: token };
      return (await promisify(execFile)("bash", ["-c", `${functions}\n${text}`], { env })).stdout;
    };

    const curl = await copy("curl");
    expect(curl).not.toContain(token);
    const words = (await shell(curl)).split("\0");
    expect(words).toContain(`Authorization: Bearer ${token}`);
    expect(words).toContain(`${url}/locations/${harness.acme.locationId}/trucks`);
    expect(words.at(-2)).toBe(JSON.stringify({ name }));

    const command = await copy("dispatch-cli");
    expect(command).not.toContain(token);
    expect(JSON.parse(await shell(command))).toMatchObject({ name });

    const code = await copy("client code");
    expect(code).not.toContain(token);
    const root = fileURLToPath(new URL("../..", import.meta.url));
    const run = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", code], {
      cwd: root,
      env: { ...process.env, DISPATCH_TOKEN: token },
    });
    expect(run.stdout).toContain("name:");
    const path = `/locations/${harness.acme.locationId}/trucks`;
    await expect.poll(() => rowsOf(page).filter({ hasText: path }).count()).toBe(3);
    expect(problems).toEqual([]);
  });

  it("lists requests of a server that does not record them, and shows how to record them", async () => {
    const { url } = await serve(harness, { inspects: false });
    const { page } = await open(harness, browser, `${url}/inspect`);
    await send(url, "/hooks");
    await rowsOf(page).first().click();
    await page.getByText("dispatch-cli serve --inspect").waitFor();
    await page.getByText("hooks.list").waitFor();
  });

  it("reports a lost server, and continues with the next one at its address", async () => {
    const first = await serve(harness);
    const { page } = await open(harness, browser, `${first.url}/inspect`);
    await send(first.url, "/jobs");
    await expect.poll(() => rowsOf(page).count()).toBe(1);
    await first.close();
    await page.getByText("Connection lost").waitFor();
    const second = await serve(harness, { port: Number(new URL(first.url).port) });
    await page.getByRole("status").getByText("Live").waitFor();
    await send(second.url, "/hooks");
    await rowsOf(page).filter({ hasText: "/hooks" }).waitFor();
    expect(await rowsOf(page).count()).toBe(2);
  });

  it("asks for a token, and says why, after the revocation of its own", async () => {
    const { url } = await serve(harness);
    const made = await addToken(harness.service, harness.acme.owner, harness.callerOf("Admin").user.username);
    const as = { ...harness.callerOf("Admin"), token: made.token };
    const { page } = await open(harness, browser, `${url}/inspect`, { as });
    await page.getByRole("status").getByText("Live").waitFor();
    await harness.ok("tokens.revoke", { as: "Admin", params: { token_id: made.id } });
    await page.getByLabel("Access token").waitFor();
    expect(await page.getByRole("alert").innerText()).toMatch(/token/);
  });
});
