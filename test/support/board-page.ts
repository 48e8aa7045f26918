import type { Locator, Page } from "playwright-core";
import { aJob, aTruck, type Json } from "./builders.ts";
import type { Harness } from "./harness.ts";

/** Creates a job of Acme, by default for its first customer. */
export async function makeJob(
  harness: Harness,
  changes: Json = {},
): Promise<{ id: number; location_id: number }> {
  const { acme } = harness;
  return harness.ok("jobs.create", {
    params: { location_id: acme.locationId },
    body: aJob(acme, changes),
  });
}

/** Creates a truck of Acme as an Admin. */
export function makeTruck(harness: Harness, name: string): Promise<{ id: number; name: string }> {
  return harness.ok("trucks.create", {
    as: "Admin",
    params: { location_id: harness.acme.locationId },
    body: aTruck({ name }),
  });
}

export const cardOf = (page: Page, { id }: { id: number }): Locator => page.locator(`[data-job="${id}"]`);

/** The column of a truck, or the tray with that name. */
export const laneOf = (page: Page, name: string): Locator =>
  page.locator(".lane, .tray").and(page.getByLabel(name, { exact: true }));

/** The ids of the jobs in a list, in order. */
export async function idsIn(lane: Locator): Promise<number[]> {
  const cards = lane.locator("[data-job]");
  return cards.evaluateAll((found) => found.map((card) => Number(card.getAttribute("data-job"))));
}

/** Waits until the page has rendered and its pending tasks have run. */
export const drawn = (page: Page): Promise<unknown> =>
  page.evaluate(
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))",
  );

/** Drags a card by mouse to the middle of an element, or `below` pixels under its top. */
export async function drag(page: Page, card: Locator, to: Locator, below?: number): Promise<void> {
  const from = await boxOf(card);
  await page.mouse.move(from.x + from.width / 2, from.y + 12);
  await page.mouse.down();
  await page.mouse.move(from.x + from.width / 2 + 12, from.y + 24);
  const box = await boxOf(to);
  await page.mouse.move(box.x + box.width / 2, box.y + (below ?? box.height / 2), { steps: 4 });
  await page.mouse.up();
}

/** Scrolls an element into view and returns its box. Elements above it get their true height only in view. */
export async function boxOf(locator: Locator) {
  await locator.scrollIntoViewIfNeeded();
  // The second call waits until the element stops moving.
  await locator.scrollIntoViewIfNeeded();
  const box = await locator.boundingBox();
  if (box) return box;
  throw new Error("The element is not on the page.");
}

/** Sorts parts of an element's text from left to right, as the page shows them. */
export function fromLeft(page: Page, selector: string, parts: readonly string[]): Promise<string[]> {
  return page.evaluate(`(() => {
    const walker = document.createTreeWalker(document.querySelector('${selector}'), NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    const leftOf = (part) => {
      const text = texts.find(({ data }) => data.includes(part));
      const range = document.createRange();
      range.setStart(text, text.data.indexOf(part));
      range.setEnd(text, text.data.indexOf(part) + part.length);
      return range.getBoundingClientRect().left;
    };
    return ${JSON.stringify(parts)}.toSorted((one, other) => leftOf(one) - leftOf(other));
  })()`);
}
