// A signed-in tab with a board, and times by the tab's own clock.
import { measurePaints } from "./measure-paints.js";
import { drawPlainCards } from "./plain-cards.js";

/** Opens a signed-in tab with empty caches. */
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
  // If only the part after `#` differs, the browser loads nothing.
  if (page.url() === address) await page.reload();
  else await page.goto(address);
  return page.evaluate((wanted) => globalThis.bench.loaded(wanted), count);
}

/**
 * Returns the milliseconds from an input to the paint of its effect. `input` causes the event `kind`; the effect is a
 * condition of measure-paints.js for `value`.
 */
export async function timeInput(page, kind, [condition, value], input) {
  const waiting = await page.evaluateHandle(
    ([name, wanted, given]) => ({ shown: globalThis.bench.answered(name, wanted, given) }),
    [kind, condition, value],
  );
  await input();
  return waiting.evaluate(({ shown }) => shown);
}

/**
 * Returns the milliseconds until the answer to the tab's own change of a job, and until the stream shows the change.
 */
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

/** Returns the bytes of a tab's scripts after garbage collection. */
export async function readHeap(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize;
}
