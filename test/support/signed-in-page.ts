import type { BrowserContextOptions, Page } from "playwright-core";
import type { Role } from "../../src/models/user.ts";
import type { TestBrowser } from "./browser.ts";
import type { Harness } from "./harness.ts";
import type { Caller } from "./tenants.ts";
import { testStart } from "./test-clock.ts";
import { watchPage } from "./watch-page.ts";

/** A page for people, with what a browser said of it. */
export interface WatchedPage {
  page: Page;
  /** Errors, refusals of the policy and requests that failed; a test expects none. */
  problems: string[];
  close(): Promise<void>;
}

export interface PageAs extends BrowserContextOptions {
  /** By default Acme's Dispatcher. */
  as?: Role | Caller;
}

/**
 * Opens a page of a harness's server in a signed-in tab, at the harness's time. `path` is a page's path, like
 * `/board?date=2026-08-03`.
 */
export async function openSignedIn(
  harness: Harness,
  browser: TestBrowser,
  path: string,
  { as, ...options }: PageAs = {},
): Promise<WatchedPage> {
  const { authorization = "", "x-tenant-id": tenantId = "" } = harness.headersOf(as ?? "Dispatcher");
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  const problems = watchPage(page);
  await page.clock.setFixedTime(new Date(`${testStart.slice(0, 23)}Z`));
  await page.addInitScript({ content: datesByClock });
  await keepInTab(page, { tenantId: Number(tenantId), token: authorization.replace("Bearer ", "") });
  await page.goto(new URL(path, harness.origin).href);
  return { page, problems, close: () => page.context().close() };
}

/** The harness's service has its own clock, while its server uses the machine's: answers get the tab's time. */
const datesByClock = `{
  const { get } = Headers.prototype;
  Headers.prototype.get = function (name) {
    return name === "date" ? new Date().toUTCString() : get.call(this, name);
  };
}`;

/** Keeps credentials in a tab's storage, as a page that was signed in left them. */
export async function keepInTab(page: Page, credentials: { tenantId: number; token: string }): Promise<void> {
  const text = JSON.stringify(JSON.stringify(credentials));
  await page.addInitScript({ content: `sessionStorage.setItem("dispatch-cli session", ${text})` });
}
