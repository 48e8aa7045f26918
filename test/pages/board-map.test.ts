import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { cardOf } from "../support/board-page.ts";
import { useBrowser } from "../support/browser.ts";
import { aCustomer, aJob, anAddress, aTruck, type Json } from "../support/builders.ts";
import { copyJob } from "../support/copy-job.ts";
import { openSignedIn } from "../support/signed-in-page.ts";
import { describeOverHttp } from "../support/targets.ts";
import { findFaults } from "../support/watch-page.ts";

const day = "2026-11-21T00:00:00";
const path = "/board?map=on";

describeOverHttp("the map of a board", (harness) => {
  const browser = useBrowser();
  const name = "Truck <b>7</b> \u202eevil";
  let truckId = 0;
  let hauled: { id: number }[] = [];

  /** Creates a job at its own coordinates. */
  async function makeStop(latitude: number, longitude: number, changes: Json = {}, locationId?: number) {
    const params = { location_id: locationId ?? harness.acme.locationId };
    const { addresses, id } = await harness.ok("customers.create", {
      params,
      body: aCustomer({ addresses: [anAddress({ latitude, locality: "<i>Town</i>", longitude })] }),
    });
    const body = aJob(
      { addressId: addresses[0]?.id ?? 0, customerId: id },
      { schedule_date: day, ...changes },
    );
    return harness.ok("jobs.create", { params, body });
  }

  beforeAll(async () => {
    const params = { location_id: harness.acme.locationId };
    truckId = (await harness.ok("trucks.create", { params, body: aTruck({ name }) })).id;
    const truck_id = truckId;
    await makeStop(38.9, -77.3, { truck_id, priority: -1 });
    await makeStop(38.6, -76.5, { truck_id, priority: -2, reference_number: "PO-4471" });
    await makeStop(38.9, -76.5, { truck_id, priority: -3 });
    await makeStop(38.602, -77.3, { truck_id, priority: -4 });
    await makeStop(38.603, -77.301, { truck_id: harness.acme.truckId });
    const truck = { truck_id: harness.acme.haulerTruckId };
    hauled = [await makeStop(38.7, -76.9, truck), await makeStop(38.7, -76.9, truck)];
    await makeStop(0, 0);
  });

  it("draws the route of each truck through its numbered stops in order", async () => {
    const { page, problems } = await openSignedIn(harness, browser, path);
    await signOf(page, "C1").waitFor();
    const ways = await page.locator('[data-way="C"] polyline').getAttribute("points");
    const [first, second, third] = ways?.split(" ") ?? [];
    for (const [mark, point] of [
      ["C1", first],
      ["C2", second],
      ["C3", third],
    ] as const)
      expect(await placeOf(signOf(page, mark))).toBe(point);
    // North is up, and east on the right.
    expect(xOf(first)).toBeLessThan(xOf(second));
    expect(yOf(first)).toBeLessThan(yOf(second));
    expect(await page.locator(".legend").innerText()).toContain(name);
    const isWhole = await page.locator(".legend .swatch").evaluateAll((swatches) =>
      swatches.every((swatch) => {
        const [outer, inner] = [swatch, swatch.querySelector(".pill")].map((it) =>
          it?.getBoundingClientRect(),
        );
        return (inner?.width ?? 0) > 0 && (inner?.bottom ?? 1) <= (outer?.bottom ?? 0);
      }),
    );
    expect(isWhole).toBe(true);
    expect(await page.locator(".map b, .map i").count()).toBe(0);
    expect(await page.locator(".placeless").innerText()).toBe("1 job without coordinates is not on the map.");
    expect(await page.locator(".scale text").textContent()).toBe("10 mi");
    expect(problems).toEqual([]);
  });

  it("counts overlapping stops; a click zooms until they separate, or lists stops at one place", async () => {
    const { page, problems } = await openSignedIn(harness, browser, path);
    await signOf(page, "2").click();
    await signOf(page, "C4").waitFor();
    await signOf(page, "A1").waitFor();
    await page.getByRole("button", { name: "Show all stops" }).click();
    await signOf(page, "B×2").click();
    const list = page.getByRole("region", { name: "Stops at the same place" });
    await list.getByRole("button", { name: /^B2/ }).click();
    expect(await focusedJob(page)).toBe(hauled[1]?.id);
    expect(problems).toEqual([]);
  });

  it("shows the last position of a truck and its age, and polls only while the map is open", async () => {
    const record = (minute: number, longitude: number) =>
      harness.ok("gps.record", {
        as: "Driver",
        params: { location_id: harness.acme.locationId },
        body: {
          location: {
            coords: { heading: 90, latitude: 38.8, longitude },
            timestamp: `2026-11-21T11:${minute}:00Z`,
          },
        },
      });
    await record(30, -77);
    const { page, problems } = await openSignedIn(harness, browser, path);
    const truck = page.locator(`[data-truck-place="${harness.acme.truckId}"]`);
    await truck.getByText("30 min").waitFor();
    const before = await placeOf(truck);
    expect(await page.locator(".legend").innerText()).toContain("here 30 min ago");

    await record(40, -76.8);
    await page.clock.runFor(15_000);
    await truck.getByText("20 min").waitFor();
    const after = await placeOf(truck);
    expect(xOf(after)).toBeGreaterThan(xOf(before));
    expect(yOf(after)).toBeCloseTo(yOf(before), 0);

    await page.getByRole("button", { name: "Map", exact: true }).click();
    let asked = 0;
    page.on("request", (request) => {
      asked += Number(request.url().includes("gps_events"));
    });
    await page.clock.runFor(60_000);
    await page.getByRole("button", { name: "Map", exact: true }).click();
    await truck.waitFor();
    expect(asked).toBe(1);
    expect(problems).toEqual([]);
  });

  it("does not request positions without permission", async () => {
    const { page, problems } = await openSignedIn(harness, browser, path, { as: "ClientCustomer" });
    await page.locator(".map, .empty").first().waitFor();
    expect(await page.locator("[data-truck-place], .map .alarm").count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it("applies the filters and keeps the numbers of the whole day", async () => {
    const { page, problems } = await openSignedIn(harness, browser, path);
    await signOf(page, "C3").waitFor();
    await page.getByLabel("Filter").fill("po-4471");
    await signOf(page, "C1").waitFor({ state: "detached" });
    await expect.poll(() => marksOf(page)).toEqual(["C2"]);
    await page.getByLabel("Filter").fill("");
    await page.getByRole("button", { exact: true, name }).click();
    await signOf(page, "B×2").waitFor({ state: "detached" });
    await expect.poll(async () => (await marksOf(page)).toSorted()).toEqual(["C1", "C2", "C3", "C4"]);
    await page.waitForURL(({ searchParams }) => searchParams.get("truck") === String(truckId));
    expect(problems).toEqual([]);
  });

  it("marks the stop of the focused card, and moves to it", async () => {
    const { page, problems } = await openSignedIn(harness, browser, path);
    await signOf(page, "C2").click();
    expect(await page.locator(".card:focus").innerText()).toContain("PO-4471");
    expect(await marked(page)).toEqual(["C2"]);
    await page.getByRole("button", { name: "Zoom in" }).dblclick();
    await page.getByRole("button", { name: "Zoom in" }).dblclick();
    await signOf(page, "C2").waitFor({ state: "detached" });
    await page.locator(".card", { hasText: "PO-4471" }).focus();
    await signOf(page, "C2").waitFor();
    expect(await marked(page)).toEqual(["C2"]);
    expect(problems).toEqual([]);
  });

  it("moves, zooms and visits stops by keyboard", async () => {
    const { page, problems } = await openSignedIn(harness, browser, path);
    await signOf(page, "C3").waitFor();
    const { keyboard } = page;
    const map = page.getByRole("group", { name: /^Map of Acme yard: 7 stops/ });
    await page.getByRole("button", { name: "Search" }).focus();
    for (let steps = 0; steps < 200 && !(await isFocused(map)); steps += 1) await keyboard.press("Tab");
    const all = await placeOf(signOf(page, "C3"));
    await keyboard.press("ArrowRight");
    expect(xOf(await placeOf(signOf(page, "C3")))).toBeCloseTo(xOf(all) - 60, 0);
    await keyboard.press("-");
    await page.getByText("20 mi", { exact: true }).waitFor();
    await keyboard.press("0");
    expect(await placeOf(signOf(page, "C3"))).toBe(all);

    await keyboard.press("Enter");
    await page.locator("[data-sign]:focus").waitFor();
    // The first two keys move to the corner, the others down.
    for (const key of ["ArrowUp", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowUp"])
      await keyboard.press(key);
    expect(await isFocused(signOf(page, "C3"))).toBe(true);
    await keyboard.press("ArrowDown");
    await keyboard.press("Enter");
    expect(await page.locator(".card:focus").innerText()).toContain("PO-4471");
    expect(problems).toEqual([]);
  });

  it("moves by drag without a click, and zooms by wheel and pinch", async () => {
    const { page, problems } = await openSignedIn(harness, browser, path, { hasTouch: true });
    await signOf(page, "C1").waitFor();
    const box = await page.locator(".map-surface svg").boundingBox();
    const middle = { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
    const start = await placeOf(signOf(page, "C1"));
    const sign = await signOf(page, "C1").boundingBox();
    const from = { x: (sign?.x ?? 0) + 12, y: (sign?.y ?? 0) + 12 };
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + 80, from.y + 40, { steps: 4 });
    await page.mouse.up();
    const dragged = await placeOf(signOf(page, "C1"));
    expect([xOf(dragged) - xOf(start), yOf(dragged) - yOf(start)].map(Math.round)).toEqual([80, 40]);
    expect(await page.locator(".card:focus").count()).toBe(0);

    await page.mouse.move(middle.x, middle.y);
    await page.mouse.wheel(0, 200);
    await page.getByText("20 mi", { exact: true }).waitFor();
    const fingers = await page.context().newCDPSession(page);
    const touch = (type: "touchEnd" | "touchMove" | "touchStart", apart: number) =>
      fingers.send("Input.dispatchTouchEvent", {
        type,
        touchPoints:
          type === "touchEnd" ? [] : [-apart, apart].map((by, id) => ({ id, x: middle.x + by, y: middle.y })),
      });
    await touch("touchStart", 20);
    await touch("touchMove", 40);
    await touch("touchMove", 60);
    await touch("touchEnd", 0);
    await page.getByText("5 mi", { exact: true }).waitFor();
    expect(problems).toEqual([]);
  });

  it("shows the location of the focused card, also at the date line and a pole", async () => {
    const far = await harness.ok("locations.create", {
      as: "Admin",
      body: { distance_label: "km", name: "Date line" },
    });
    const params = { location_id: far.id };
    const own = await harness.ok("trucks.create", { params, body: aTruck() });
    const west = await makeStop(-17, 179.99, { truck_id: own.id, priority: -1 }, far.id);
    await makeStop(-17.02, -179.99, { truck_id: own.id, priority: -2 }, far.id);
    const { page, problems } = await openSignedIn(harness, browser, path);
    await signOf(page, "C1").waitFor();
    await cardOf(page, west).focus();
    await signOf(page, "A2").waitFor();
    expect(await page.locator(".scale text").textContent()).toBe("0.5 km");
    expect(xOf(await placeOf(signOf(page, "A1")))).toBeLessThan(xOf(await placeOf(signOf(page, "A2"))));
    await makeStop(89.99, 10, { truck_id: own.id, priority: -3 }, far.id);
    await signOf(page, "A3").waitFor();
    await page.getByRole("button", { name: "Acme yard", exact: true }).click();
    await signOf(page, "C1").waitFor();
    expect(problems).toEqual([]);
  });

  it.each([
    { colorScheme: "light", viewport: { width: 1280, height: 900 } },
    { colorScheme: "dark", viewport: { width: 390, height: 844 } },
  ] as const)("is accessible and fits its window: $viewport.width, $colorScheme", async (look) => {
    const { page, problems } = await openSignedIn(harness, browser, path, look);
    await signOf(page, "C1").waitFor();
    expect(await findFaults(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    expect(problems).toEqual([]);
  });
});

const signOf = (page: Page, text: string): Locator =>
  page.locator(".map [data-sign]").filter({ has: page.getByText(text, { exact: true }) });

/** The position of a sign, in the notation of SVG points. */
async function placeOf(sign: Locator): Promise<string> {
  const transform = (await sign.getAttribute("transform")) ?? "";
  return transform.replace(/translate\((\S+) (\S+)\)/, "$1,$2");
}

const xOf = (point = "") => Number(point.split(",")[0]);
const yOf = (point = "") => Number(point.split(",")[1]);

const marksOf = (page: Page) => page.locator(".map [data-sign] text").allTextContents();

const marked = (page: Page) => page.locator(".map .marked text").allTextContents();

const focusedJob = async (page: Page) => Number(await page.locator(".card:focus").getAttribute("data-job"));

const isFocused = (one: Locator) =>
  one.evaluate((element) => element === element.ownerDocument.activeElement);

describeOverHttp("the map of a board with 2,000 stops", (harness) => {
  const browser = useBrowser();

  it("shows each stop once, and does not render when a pointer passes over it", async () => {
    const params = { location_id: harness.acme.locationId };
    for (let index = 0; index < 40; index += 1) {
      const place = { latitude: 38.5 + (index % 8) / 10, longitude: -77.5 + (index % 5) / 10 };
      const { addresses, id } = await harness.ok("customers.create", {
        params,
        body: aCustomer({ addresses: [anAddress(place)] }),
      });
      const body = aJob(
        { addressId: addresses[0]?.id ?? 0, customerId: id },
        { schedule_date: day, truck_id: harness.acme.truckId },
      );
      const job = await harness.ok("jobs.create", { params, body });
      copyJob(harness.store.data, 49, job.id);
    }
    const { page, problems } = await openSignedIn(harness, browser, path);
    await page.getByRole("group", { name: /: 2000 stops/ }).waitFor();
    // The signs appear once the map knows its size.
    await page.locator(".map [data-sign]").first().waitFor();
    const counts = (await marksOf(page)).map((mark) => Number(mark.split("×")[1]));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2000);
    await page.evaluate(`
      window.changes = 0;
      new MutationObserver((records) => { window.changes += records.length; })
        .observe(document.querySelector(".map-surface"), { attributes: true, childList: true, subtree: true });
    `);
    const box = await page.locator(".map-surface svg").boundingBox();
    const [x, y] = [box?.x ?? 0, (box?.y ?? 0) + (box?.height ?? 0) / 2];
    await page.mouse.move(x, y);
    await page.mouse.move(x + (box?.width ?? 0) - 60, y + 40, { steps: 30 });
    expect(await page.evaluate("window.changes")).toBe(0);
    await page.mouse.wheel(0, -200);
    await page.mouse.wheel(0, -200);
    await page.mouse.wheel(0, -200);
    await page.getByText("2 mi", { exact: true }).waitFor();
    expect(problems).toEqual([]);
  });
});
