import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { launchChromium } from "./chromium.js";

/** A Chromium that runs as long as the test file's tests. */
export interface TestBrowser {
  /** A page with cookies, storage and caches of its own; `options` are those of Playwright's `newContext`. */
  newPage(options?: BrowserContextOptions): Promise<Page>;
}

/** Starts a Chromium for the tests of a file. */
export function useBrowser(): TestBrowser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());
  return {
    async newPage(options) {
      if (!browser) throw new Error("The browser runs only while the file's tests do.");
      const context = await browser.newContext(options);
      return await context.newPage();
    },
  };
}
