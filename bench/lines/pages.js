// Measures how long a board in a browser takes, by the tab's own clock, and its size.
import { launchChromium } from "../../test/support/chromium.js";
import { boardDays, inTurns, serveBoard } from "../board-store.js";
import { openTab, readHeap, timeEvent, timeInput, timeLoad } from "../board-tab.js";
import { end, median, sendRequest } from "../measure.js";

const runs = 7;
const [few, many] = [500, 2000];
const loadMs = 500;
const answerMs = 100;
/** As many events as in about an hour of a busy day. */
const events = 5000;

export async function* pages() {
  const server = await serveBoard();
  const browser = await launchChromium();
  try {
    yield* sizes(server);
    yield* loads(browser, server);
    yield* inputs(browser, server);
    yield* driversView(browser, server);
    yield* memory(browser, server);
  } finally {
    await browser.close();
    await end(server.child);
  }
}

async function* sizes({ url }) {
  const fetchPacked = async (path) => {
    const { body } = await sendRequest({ url: url + path, headers: { "accept-encoding": "gzip" } });
    return body.length;
  };
  const files = new Set();
  let bytes = 0;
  for (const path of ["/board", "/inspect"]) {
    bytes += await fetchPacked(path);
    const { body } = await sendRequest({ url: url + path });
    for (const [, file] of body.toString().matchAll(/(?:src|href)="(\/pages\/[^"]+)"/g)) files.add(file);
  }
  for (const file of files) bytes += await fetchPacked(file);
  yield {
    question: "both pages with all of their files, gzip",
    figure: bytes / 1024,
    floor: 150,
    unit: "KB",
    aim: 1,
    isAtMost: true,
  };
}

async function* loads(browser, { credentials, url }) {
  const board = `${url}/board?date=${boardDays[few]}`;
  const [cold, warm, plain] = [[], [], []];
  for (let run = 0; run < runs; run++) {
    const tab = await openTab(browser, credentials);
    cold.push(await timeLoad(tab, board, few));
    warm.push(await timeLoad(tab, board, few));
    plain.push(await timeLoad(tab, `${url}/healthz#plain=${few}`, few));
    await tab.context().close();
  }
  const middle = (times, what) => median(times.map((time) => time[what]));
  const floor = middle(plain, "all");
  const note = (figure) => `aim ${loadMs} ms ${figure <= loadMs ? "reached" : "NOT reached"}`;
  for (const [name, times] of Object.entries({ "no cache": cold, "loaded before": warm }))
    for (const [what, words] of Object.entries({ first: "first card", all: "all cards" })) {
      const figure = middle(times, what);
      const question = `/board, ${few} jobs, ${name}: ${words} painted, against plain cards`;
      yield { question, figure, floor, unit: "ms", note: note(figure) };
    }
}

/** A phone: a sixth of this machine's speed. */
async function* driversView(browser, { driver, url }) {
  const [shown, reported] = [[], []];
  for (let run = 0; run < runs; run++) {
    const tab = await openTab(browser, driver);
    const devTools = await tab.context().newCDPSession(tab);
    await devTools.send("Emulation.setCPUThrottlingRate", { rate: 6 });
    await tab.goto(`${url}/board?date=${boardDays[few]}`);
    const step = tab.locator(".stop.next .steps button").first();
    await step.waitFor();
    shown.push(await tab.evaluate(() => performance.now()));
    const before = await step.textContent();
    reported.push(
      await step.evaluate(
        (button, name) =>
          new Promise((resolve) => {
            const begun = performance.now();
            const look = () =>
              document.querySelector(".stop.next .steps button").textContent === name
                ? requestAnimationFrame(look)
                : resolve(performance.now() - begun);
            button.click();
            look();
          }),
        before,
      ),
    );
    await tab.context().close();
  }
  const question = "/board of a driver, CPU slowed 6 times";
  yield { question: `${question}: the next stop is shown`, figure: median(shown), unit: "ms" };
  yield { question: `${question}: a report is shown`, figure: median(reported), unit: "ms" };
}

async function* inputs(browser, server) {
  const { credentials, send, truckIds, url } = server;
  const tab = await openTab(browser, credentials);
  await timeLoad(tab, `${url}/board?date=${boardDays[many]}`, many);
  const plain = await openTab(browser, credentials);
  await timeLoad(plain, `${url}/healthz#plain=${many}`, many);
  const line = (question, times, floors, { isAnswer = true } = {}) => {
    const [figure, worst] = [median(times), Math.max(...times)];
    const aim = `aim ${answerMs} ms ${figure <= answerMs ? "reached" : "NOT reached"}`;
    const note = `worst ${worst.toFixed(0)} ms${isAnswer ? `, ${aim}` : ""}`;
    return { question: `/board, ${many} jobs: ${question}`, figure, floor: median(floors), unit: "ms", note };
  };
  yield line("a key in the filter", await typeInto(tab, ".search input"), await typeInto(plain, "input"));
  yield line("an arrow to the next card", await stepThrough(tab), await stepThrough(plain));
  const shown = await dropCards(tab, truckIds, "a job is shown on a truck");
  yield line(
    "a dropped card, until it is painted",
    shown.map(({ ms }) => ms),
    await stepThrough(plain),
  );
  const dropped = await dropCards(tab, truckIds, "a job is on a truck");
  const answered = [];
  for (const { job } of dropped) {
    const begun = performance.now();
    await send("PATCH", `/jobs/${job}/dispatch`, { truck_id: truckIds[2] });
    answered.push(performance.now() - begun);
  }
  yield line(
    "a dropped card, until it is saved; one dispatch",
    dropped.map(({ ms }) => ms),
    answered,
    { isAnswer: false },
  );
  const told = [];
  for (let run = 0; run < runs; run++) {
    const { job } = dropped[run % dropped.length];
    const address = `${url}/locations/1/jobs/${job}`;
    told.push(await timeEvent(tab, { body: { reference_number: `TOLD-${run}` }, credentials, url: address }));
  }
  yield line(
    "a change, until the stream shows it; its answer",
    told.map((time) => time.told),
    told.map((time) => time.answered),
  );
  await tab.context().close();
  await plain.context().close();
}

/** Types letters of a reference and deletes them. Each key hides some cards or shows some again. */
async function typeInto(page, field) {
  const prefix = `PO-${many}-`;
  const numbers = Array.from({ length: many }, (_, index) => String(index));
  const shownBy = (digits) => numbers.filter((number) => number.startsWith(digits)).length;
  const press = (key, digits) =>
    timeInput(page, "keydown", ["so many cards", shownBy(digits)], () => page.keyboard.press(key));
  await page.locator(field).fill(prefix);
  await page.evaluate((count) => globalThis.bench.until("so many cards", count), many);
  const times = [];
  for (let run = 0; run < 3; run++) {
    for (const digits of ["1", "12", "123"]) times.push(await press(digits.at(-1), digits));
    for (const digits of ["12", "1", ""]) times.push(await press("Backspace", digits));
  }
  await page.locator(field).fill("");
  return times;
}

async function stepThrough(page) {
  const times = [];
  // Use a truck, because a tray, such as the late jobs, can have too few cards.
  await page.locator("[data-truck] [data-job], body:not(:has([data-truck])) [data-job]").first().focus();
  for (let run = 0; run < runs * 2; run++) {
    const chosen = await page.evaluate(() => document.activeElement?.closest("[data-job]")?.dataset.job);
    times.push(
      await timeInput(page, "keydown", ["another card is chosen", chosen], () =>
        page.keyboard.press("ArrowDown"),
      ),
    );
  }
  return times;
}

/** Drags the first card of the first truck to the second repeatedly. Returns the times to the wanted state. */
async function dropCards(page, [from, to], wanted) {
  const dropped = [];
  for (let run = 0; run < runs; run++) {
    const card = page.locator(`[data-truck="${from}"] [data-job]`).first();
    // Both trucks must be in view.
    await card.evaluate((shown) => shown.scrollIntoView({ block: "center", inline: "center" }));
    const job = Number(await card.getAttribute("data-job"));
    await card.locator(".name").hover();
    await page.mouse.down();
    const target = await page.locator(`[data-truck="${to}"] h3`).boundingBox();
    await page.mouse.move(target.x + 20, target.y + 10, { steps: 4 });
    const where = { job: String(job), truck: to };
    const ms = await timeInput(page, "pointerup", [wanted, where], () => page.mouse.up());
    await page.evaluate((place) => globalThis.bench.until("a job is on a truck", place), where);
    dropped.push({ job, ms });
  }
  return dropped;
}

/** Measures the memory of the tab after many changes from the stream. */
async function* memory(browser, { credentials, send, url }) {
  const date = boardDays[few];
  const tab = await openTab(browser, credentials);
  await timeLoad(tab, `${url}/board?date=${date}`, few);
  const ids = await tab
    .locator(".lane [data-job]")
    .evaluateAll((cards) => cards.map((card) => card.dataset.job));
  const change = (index) =>
    send("PATCH", `/jobs/${ids[index % ids.length]}`, { reference_number: `EVENT-${index}` });
  // The first changes warm up: their memory is not growth.
  await inTurns(ids.length, change);
  await change(0);
  const before = await readHeap(tab);
  const begun = performance.now();
  await inTurns(events, change);
  await change(events);
  const told = tab.evaluate((text) => globalThis.bench.until("a text is shown", text), `EVENT-${events}`);
  await told;
  const seconds = (performance.now() - begun) / 1000;
  const after = await readHeap(tab);
  yield {
    question: `a tab's memory after ${events.toLocaleString("en")} events of the stream, against before`,
    figure: after / 2 ** 20,
    floor: before / 2 ** 20,
    unit: "MiB",
    note: `in ${seconds.toFixed(0)} s`,
  };
  await tab.context().close();
}
