import type { Locator, Page } from "playwright-core";
import { aJob, aTruck, type Json } from "./builders.ts";
import type { Harness } from "./harness.ts";

/** Makes a job of Acme, by default at its first customer. */
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

/** Makes a truck of Acme, as its Admin. */
export function makeTruck(harness: Harness, name: string): Promise<{ id: number; name: string }> {
  return harness.ok("trucks.create", {
    as: "Admin",
    params: { location_id: harness.acme.locationId },
    body: aTruck({ name }),
  });
}

/** The card of a job, wherever it stands. */
export const cardOf = (page: Page, { id }: { id: number }): Locator => page.locator(`[data-job="${id}"]`);

/** The column of a truck, or the tray of a name. */
export const laneOf = (page: Page, name: string): Locator =>
  page.locator(".lane, .tray").and(page.getByLabel(name, { exact: true }));

/** The ids of the jobs in a list, in their order. */
export async function idsIn(lane: Locator): Promise<number[]> {
  const cards = lane.locator("[data-job]");
  return cards.evaluateAll((found) => found.map((card) => Number(card.getAttribute("data-job"))));
}

/** Waits until the page has handled its input and events, and has finished the work that they started. */
export const drawn = (page: Page): Promise<unknown> =>
  page.evaluate(
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))",
  );

/** Drags a card by the mouse to the middle of something, or so many pixels below its top. */
export async function drag(page: Page, card: Locator, to: Locator, below?: number): Promise<void> {
  const from = await boxOf(card);
  await page.mouse.move(from.x + from.width / 2, from.y + 12);
  await page.mouse.down();
  await page.mouse.move(from.x + from.width / 2 + 12, from.y + 24);
  const box = await boxOf(to);
  await page.mouse.move(box.x + box.width / 2, box.y + (below ?? box.height / 2), { steps: 4 });
  await page.mouse.up();
}

/** Where something is, in sight and at rest: what is above it gets its true height only once it comes into sight, too. */
export async function boxOf(locator: Locator) {
  await locator.scrollIntoViewIfNeeded();
  // It scrolls no further, but waits again until the thing stands still.
  await locator.scrollIntoViewIfNeeded();
  const box = await locator.boundingBox();
  if (box) return box;
  throw new Error("What is not on the page has no place on it.");
}

/** Parts of an element's text, from left to right on the page. */
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
