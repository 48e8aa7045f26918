// A tab that is signed in to a board, and how long it takes to show things there, as its own clock says.
import { measurePaints } from "./measure-paints.js";
import { drawPlainCards } from "./plain-cards.js";

/** A tab of its own with empty caches, in which nothing is kept but who is signed in. */
export async function openTab(browser, credentials) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const text = JSON.stringify(JSON.stringify(credentials));
  await page.addInitScript({ content: `sessionStorage.setItem("dispatch-cli session", ${text})` });
  await page.addInitScript(measurePaints);
  await page.addInitScript(drawPlainCards);
  return page;
}

/** Milliseconds from the beginning of a navigation until the first card was painted, and until `count` cards were. */
export async function timeLoad(page, address, count) {
  // Where only what follows `#` differs, nothing would be loaded.
  if (page.url() === address) await page.reload();
  else await page.goto(address);
  return page.evaluate((wanted) => globalThis.bench.loaded(wanted), count);
}

/**
 * Milliseconds from an input, the next event called `kind`, until what it leads to was painted: one of the conditions of
 * measure-paints.js, for `value`. `input` makes it.
 */
export async function timeInput(page, kind, [condition, value], input) {
  const waiting = await page.evaluateHandle(
    ([name, wanted, given]) => ({ shown: globalThis.bench.answered(name, wanted, given) }),
    [kind, condition, value],
  );
  await input();
  return waiting.evaluate(({ shown }) => shown);
}

/** Milliseconds until the tab's own request to change a job was answered, and until the stream had the change shown. */
export async function timeEvent(page, { body, credentials, url }) {
  const shown = body.reference_number;
  return page.evaluate(
    async ([address, text, { tenantId, token }, wanted]) => {
      const begun = performance.now();
      const headers = {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "x-tenant-id": tenantId,
      };
      const request = fetch(address, { method: "PATCH", headers, body: text }).then(() => performance.now());
      const [answered, told] = await Promise.all([
        request,
        globalThis.bench.until("a text is shown", wanted),
      ]);
      return { answered: answered - begun, told: told - begun };
    },
    [url, JSON.stringify(body), credentials, shown],
  );
}

/** Bytes that a tab's scripts hold after all that is not needed was let go. */
export async function readHeap(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize;
}
