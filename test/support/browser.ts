import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { launchChromium } from "./chromium.js";

/** A Chromium that the tests of a file share. */
export interface TestBrowser {
  /** Opens a page with its own cookies, storage and cache; `options` are those of Playwright's `newContext`. */
  newPage(options?: BrowserContextOptions): Promise<Page>;
}

/** One Chromium serves all test files of this process and ends with it. */
let running: Promise<Browser> | undefined;

/** Starts the Chromium of this process unless it runs already. Closes the pages that tests leave open. */
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
      if (!browser) throw new Error("The browser runs only during the tests of the file.");
      const context = await browser.newContext(options);
      contexts.add(context);
      context.once("close", () => contexts.delete(context));
      return await context.newPage();
    },
  };
}
