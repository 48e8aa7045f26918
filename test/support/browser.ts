import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { launchChromium } from "./chromium.js";

/** A Chromium for the tests of a file. */
export interface TestBrowser {
  /** A page with cookies, storage and caches of its own; `options` are those of Playwright's `newContext`. */
  newPage(options?: BrowserContextOptions): Promise<Page>;
}

/** The one of this process, which tests file after file; it ends with the process. */
let running: Promise<Browser> | undefined;

/** Starts a Chromium for the tests of a file, unless an earlier file has; pages that tests leave open are closed. */
export function useBrowser(): TestBrowser {
  let browser: Browser | undefined;
  const contexts = new Set<BrowserContext>();
  beforeAll(async () => {
    if (running && !(await running).isConnected()) running = undefined;
    running ??= launchChromium();
    browser = await running;
  });
  afterAll(() => Promise.all([...contexts].map((context) => context.close())));
  return {
    async newPage(options) {
      if (!browser) throw new Error("The browser runs only while the file's tests do.");
      const context = await browser.newContext(options);
      contexts.add(context);
      context.once("close", () => contexts.delete(context));
      return await context.newPage();
    },
  };
}
