import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { startServer } from "../../src/http/serve.ts";
import { useBrowser } from "../support/browser.ts";
import { aTruck } from "../support/builders.ts";
import { createHook, createTruck, startTestWorker } from "../support/delivering.ts";
import { startReceiver } from "../support/receiver.ts";
import { openSignedIn, type PageAs } from "../support/signed-in-page.ts";
import { describeOverHttp, freshHarness } from "../support/targets.ts";
import { testStart } from "../support/test-clock.ts";
import { findFaults } from "../support/watch-page.ts";

const rowsOf = (page: Page) => page.getByRole("listbox").getByRole("option");
const secret = Buffer.from("a secret of a webhook").toString("base64");

describeOverHttp("/inspect, events and deliveries", (harness) => {
  const browser = useBrowser();

  const open = (address: string, options: PageAs = {}) => openSignedIn(harness, browser, address, options);
  const makeTruck = (name: string) =>
    harness.ok("trucks.create", {
      params: { location_id: harness.acme.locationId },
      body: aTruck({ name }),
    });

  it("lists events live, opens one with its data and deliveries, and filters by kind and text", async () => {
    const { url } = await startReceiver();
    await createHook(harness, url, { events: ["Truck"] });
    const worker = startTestWorker(harness);
    const { page, problems } = await open("/inspect?view=events");
    await page.getByRole("status").getByText("Live").waitFor();
    await makeTruck("Truck of the list");
    const row = rowsOf(page).filter({ hasText: "Truck of the list" });
    await row.click();
    await page.getByRole("region", { name: "Data of the event" }).getByText("Truck of the list").waitFor();
    await page.getByLabel("Kind").selectOption("Customer");
    await row.waitFor({ state: "detached" });
    await page.getByLabel("Kind").selectOption("Truck");
    await page.getByLabel("Search").fill("of the LIST");
    await row.waitFor();
    expect(await rowsOf(page).count()).toBe(1);
    await page.getByRole("link", { name: /^to webhook/ }).click();
    await page.getByRole("region", { name: /^Truck \d+ created to webhook/ }).waitFor();
    await worker.stop(0);
    expect(problems).toEqual([]);
  });

  it("opens an event by its link, also if the list does not contain it", async () => {
    const { id } = await makeTruck("Truck of long ago");
    const { results } = await harness.ok("events.list", { query: { record: `Truck:${id}` } });
    const { tenantId } = harness.acme;
    for (let number = 0; number < 400; number += 1)
      harness.store.insert("events", {
        action: "updated",
        created_on: testStart,
        data: "{}",
        kind: "Ping",
        record_id: 1,
        tenant_id: tenantId,
        uuid: randomUUID(),
      });
    const { page, problems } = await open(`/inspect?view=events&entry=${results[0]?.id}`);
    await page.getByRole("region", { name: "Data of the event" }).getByText("Truck of long ago").waitFor();
    await rowsOf(page).first().waitFor();
    expect(await rowsOf(page).filter({ hasText: "Truck of long ago" }).count()).toBe(0);
    expect(problems).toEqual([]);
    await page.goto(page.url().replace(/entry=[^&]*/, `entry=${randomUUID()}`));
    await page.getByRole("alert").getByText("There is no event").waitFor();
  });

  it("reads the deliveries of many webhooks within the rate limit of its token", async () => {
    const own = await freshHarness(harness);
    for (let number = 1; number <= 40; number += 1)
      await createHook(own, `https://hooks.example/${number}`, { events: ["Truck"] });
    await createTruck(own);
    const server = await startServer(own.service, {
      delivers: false,
      host: "127.0.0.1",
      log: { write() {} },
      logLevel: "silent",
      port: 0,
      rateLimit: { burst: 12, perSecond: 22 },
    });
    onTestFinished(() => server.close());
    const { page, problems } = await openSignedIn(own, browser, `${server.url}/inspect?view=deliveries`);
    await rowsOf(page).filter({ hasText: "hooks.example/40" }).waitFor();
    // `problems` would contain a failed request.
    expect(problems).toEqual([]);
  });

  it("shows a delivery with request and response, replays it, and triggers an event of its record", async () => {
    const receiver = await startReceiver((response, number) =>
      response.writeHead(number === 1 ? 503 : 200).end("sorry"),
    );
    const id = await createHook(harness, receiver.url, { events: ["Truck"] });
    startTestWorker(harness);
    const { page, problems } = await open(`/inspect?view=deliveries&hook=${id}`);
    await page.getByRole("status").getByText("Live").waitFor();
    const { truck_id } = await createTruck(harness);
    const row = rowsOf(page).filter({ hasText: `Truck created` });
    await row.filter({ hasText: "503" }).click();
    const attempt = page.getByRole("region", { name: "Attempt 1", exact: true });
    await attempt.getByRole("heading", { name: "Response 503" }).waitFor();
    await attempt.getByText("sorry").waitFor();
    const sent = await attempt.innerText();
    expect(sent).toContain("webhook-signature");
    expect(sent).toContain(receiver.url);
    await page.getByRole("button", { name: "Trigger from this record" }).click();
    await page.getByText(/^200 in \d+ ms/).waitFor();
    expect(JSON.parse(receiver.deliveries.at(-1)?.body ?? "")).toMatchObject({ data: { id: truck_id } });

    await page.getByRole("button", { name: "Retry now" }).click();
    await page.getByText("The next attempt starts now.").waitFor();
    await row.filter({ hasText: "delivered 200" }).waitFor();
    await page.getByRole("region", { name: "Attempt 2", exact: true }).waitFor();
    await page.getByRole("button", { name: "Replay" }).click();
    await expect.poll(() => rowsOf(page).count()).toBe(2);
    expect(problems).toEqual([]);
  });

  it("explains why a receiver rejects a delivery, and keeps no secret", async () => {
    const receiver = await startReceiver();
    const id = await createHook(harness, receiver.url, { events: ["Truck"], secret });
    startTestWorker(harness);
    const { page, problems } = await open(`/inspect?view=deliveries&hook=${id}`);
    await makeTruck("Truck to verify");
    await rowsOf(page).filter({ hasText: "delivered" }).click();
    await page.getByText("Why did verification fail?").click();
    const verify = async (changes: { secret?: string; body?: string }) => {
      await page.getByLabel("Secret").fill(changes.secret ?? secret);
      if (changes.body !== undefined) await page.getByRole("textbox", { name: "Body" }).fill(changes.body);
      await page.getByRole("button", { name: "Verify" }).click();
    };
    await verify({});
    await page.getByText("standard-webhooks holds").waitFor();
    await verify({ secret: Buffer.from("another secret altogether").toString("base64") });
    await page.getByText("standard-webhooks fails").waitFor();
    await verify({ secret: "no!" });
    await page.getByText("The secret must have").waitFor();
    const body = receiver.deliveries.at(-1)?.body ?? "";
    await verify({ body: JSON.stringify(JSON.parse(body), null, 2) });
    await page.getByText("The body differs from the signed one").first().waitFor();
    const kept = await page.evaluate(
      "JSON.stringify([{ ...sessionStorage }, { ...localStorage }, location.href])",
    );
    expect(kept).not.toContain(secret);
    expect(problems).toEqual([]);
  });

  it("names a webhook by its description, and marks a pending delivery after a failed attempt", async () => {
    const { url } = await startReceiver((response) => response.writeHead(500).end());
    await createHook(harness, url, { description: "of the yard", events: ["Truck"] });
    startTestWorker(harness);
    await makeTruck("Truck that nobody takes");
    const { page, problems } = await open("/inspect?view=deliveries");
    const row = rowsOf(page).filter({ hasText: "of the yard" });
    await row.locator(".alarm").getByText("pending 500").waitFor();
    expect(problems).toEqual([]);
  });

  it("shows requests only to Admins, and tells a Driver that it has nothing to show", async () => {
    const dispatcher = await open("/inspect");
    await rowsOf(dispatcher.page).first().waitFor();
    expect(await dispatcher.page.getByRole("navigation").getByRole("link").allInnerTexts()).toEqual([
      "Events",
      "Deliveries",
      "Webhooks",
    ]);
    const driver = await open("/inspect?view=requests", { as: "Driver" });
    await driver.page.getByText("Your roles (Driver) see nothing here").waitFor();
    expect(await driver.page.getByRole("listbox").count()).toBe(0);
    expect([...dispatcher.problems, ...driver.problems]).toEqual([]);
  });

  it("reconnects and shows the events of the meantime", async () => {
    const { page } = await open("/inspect?view=events");
    await page.getByRole("status").getByText("Live").waitFor();
    await page.context().setOffline(true);
    await page.route("**/*", (route) => route.abort());
    await page.getByText("Connection lost").waitFor();
    await makeTruck("Truck of the meantime");
    await page.unroute("**/*");
    await page.context().setOffline(false);
    await rowsOf(page).filter({ hasText: "Truck of the meantime" }).waitFor();
    await page.getByRole("status").getByText("Live").waitFor();
  });

  it("skips to the last events after the page was hidden", async () => {
    const own = await freshHarness(harness);
    const { location_id, truck_id } = await createTruck(own);
    const { page } = await openSignedIn(own, browser, "/inspect?view=events");
    await rowsOf(page).first().waitFor();
    const setHidden = (isHidden: boolean) =>
      page.evaluate(`{
        Object.defineProperty(document, "hidden", { configurable: true, value: ${isHidden} });
        document.dispatchEvent(new Event("visibilitychange"));
      }`);
    await setHidden(true);
    const path = `/locations/${location_id}/trucks/${truck_id}`;
    for (let number = 0; number < 3_000; number += 100) {
      const operations = Array.from({ length: 100 }, (_, index) => ({
        body: { name: `Truck ${number + index}` },
        method: "PATCH",
        path,
      }));
      await own.ok("batch.run", { body: { operations } });
    }
    let asked = 0;
    page.on("request", (request) => {
      if (new URL(request.url()).pathname === "/events") asked += 1;
    });
    await setHidden(false);
    await rowsOf(page).filter({ hasText: "Truck 2999" }).waitFor();
    // Reading all events would take 15 pages.
    expect(asked).toBeLessThan(13);
  });

  it("shows markup in names as text", async () => {
    const names = [
      "<img src=x onerror=alert(1)><script>alert(2)</script>",
      "\u202egnp.exe \u0007\u001b[31m bell",
      `"><b>${"x".repeat(50)}`,
    ];
    const { url } = await startReceiver((response) =>
      response.writeHead(500).end(`<b>${names[0]}</b>\u202e${"W".repeat(10_000)}`),
    );
    const hookId = await createHook(harness, url, { events: ["Truck"], description: names[0] });
    startTestWorker(harness);
    for (const name of names) await makeTruck(name);
    const { page, problems } = await open("/inspect?view=events", { viewport: { width: 390, height: 844 } });
    for (const name of ["<img", "\\u202egnp", '"><b>']) {
      await rowsOf(page).filter({ hasText: name }).first().click();
      await page
        .getByRole("region", { name: "Data of the event" })
        .getByText(name.replace(/^"/, '\\"'))
        .waitFor();
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    }
    // The webhooks of other tests get the event too.
    await page.getByRole("link", { exact: true, name: `to webhook ${hookId}` }).click();
    await page.getByRole("heading", { name: "Response 500" }).first().waitFor();
    expect(await page.locator("b, img, main script").count()).toBe(0);
    const text = await page.locator("body").innerText();
    expect(["\u202e", "\u0007", "\u001b"].filter((character) => text.includes(character))).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    expect(problems).toEqual([]);
  });

  it("has no serious axe violations, light and dark, wide and narrow", async () => {
    const { url } = await startReceiver();
    await createHook(harness, url, { events: ["Truck"] });
    startTestWorker(harness);
    await makeTruck("Truck for axe");
    const { page, problems } = await open("/inspect?view=events");
    for (const view of ["Events", "Deliveries"]) {
      await page.getByRole("link", { name: view, exact: true }).click();
      await rowsOf(page).first().click();
      await page
        .getByRole("heading", { name: /^(?:Data|Attempt)/ })
        .first()
        .waitFor();
      if (view === "Deliveries") await page.getByText("Why did verification fail?").click();
      for (const [colorScheme, width] of [
        ["light", 1280],
        ["dark", 390],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 844 });
        expect([view, colorScheme, width, ...(await findFaults(page))]).toEqual([view, colorScheme, width]);
      }
    }
    expect(problems).toEqual([]);
  });
});
