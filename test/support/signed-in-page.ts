import type { BrowserContextOptions, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import type { Role } from "../../src/models/user.ts";
import type { TestBrowser } from "./browser.ts";
import type { Harness } from "./harness.ts";
import type { Caller } from "./tenants.ts";
import { testStart } from "./test-clock.ts";
import { watchPage } from "./watch-page.ts";

export interface WatchedPage {
  page: Page;
  /** Console errors, policy violations, and failed requests. */
  problems: string[];
}

export interface PageAs extends BrowserContextOptions {
  /** By default Acme's Dispatcher. */
  as?: Role | Caller;
  /** Divides the pauses of the page by ten, for a test that waits until the page gives up. */
  hasShortPauses?: boolean;
}

/** Opens a page such as `/board?date=2026-08-03`, signed in, at the time of the harness's clock. Closes it after the test. */
export async function openSignedIn(
  harness: Harness,
  browser: TestBrowser,
  path: string,
  { as, hasShortPauses = false, ...options }: PageAs = {},
): Promise<WatchedPage> {
  const { authorization = "", "x-tenant-id": tenantId = "" } = harness.headersOf(as ?? "Dispatcher");
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  onTestFinished(() => page.context().close());
  const problems = watchPage(page);
  await page.clock.setFixedTime(new Date(`${testStart.slice(0, 23)}Z`));
  await page.addInitScript({ content: datesByClock });
  if (hasShortPauses) await page.addInitScript({ content: shortPauses });
  await keepInTab(page, { tenantId: Number(tenantId), token: authorization.replace("Bearer ", "") });
  await page.goto(new URL(path, harness.origin).href);
  return { page, problems };
}

export const shortPauses = `{
  const start = globalThis.setTimeout;
  globalThis.setTimeout = (run, ms = 0, ...values) => start(run, ms < 200 ? ms : ms / 10, ...values);
}`;

/** Dates responses by the tab's clock: the harness's service has its own clock, but its server sends the machine's time. */
const datesByClock = `{
  const { get } = Headers.prototype;
  Headers.prototype.get = function (name) {
    return name === "date" ? new Date().toUTCString() : get.call(this, name);
  };
}`;

/** Stores credentials in a tab, as a signed-in page does. */
export async function keepInTab(page: Page, credentials: { tenantId: number; token: string }): Promise<void> {
  const text = JSON.stringify(JSON.stringify(credentials));
  await page.addInitScript({ content: `sessionStorage.setItem("dispatch-cli session", ${text})` });
}
