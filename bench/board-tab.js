// A signed-in tab with a board, and the times that its own clock measures.
import { measurePaints } from "./measure-paints.js";
import { drawPlainCards } from "./plain-cards.js";

/** A new tab with empty caches, signed in. */
export async function openTab(browser, credentials) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const text = JSON.stringify(JSON.stringify(credentials));
  await page.addInitScript({ content: `sessionStorage.setItem("dispatch-cli session", ${text})` });
  await page.addInitScript(measurePaints);
  await page.addInitScript(drawPlainCards);
  return page;
}

/** Milliseconds from the start of a navigation to the first painted card, and to `count` cards. */
export async function timeLoad(page, address, count) {
  // The browser loads nothing when only the part after `#` changes.
  if (page.url() === address) await page.reload();
  else await page.goto(address);
  return page.evaluate((wanted) => globalThis.bench.loaded(wanted), count);
}

/**
 * Milliseconds from an input, the next event `kind`, to the paint of its effect: a condition of
 * measure-paints.js for `value`. `input` causes it.
 */
export async function timeInput(page, kind, [condition, value], input) {
  const waiting = await page.evaluateHandle(
    ([name, wanted, given]) => ({ shown: globalThis.bench.answered(name, wanted, given) }),
    [kind, condition, value],
  );
  await input();
  return waiting.evaluate(({ shown }) => shown);
}

/** Milliseconds until the answer to the tab's own change of a job, and until the stream shows the change. */
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

/** Bytes of a tab's scripts after garbage collection. */
export async function readHeap(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize;
}
