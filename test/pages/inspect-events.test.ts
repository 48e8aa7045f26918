import type { Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { useBrowser } from "../support/browser.ts";
import { aTruck } from "../support/builders.ts";
import { createHook, createTruck, startTestWorker } from "../support/delivering.ts";
import { startReceiver } from "../support/receiver.ts";
import { openSignedIn, type PageAs } from "../support/signed-in-page.ts";
import { describeOverHttp } from "../support/targets.ts";
import { findFaults } from "../support/watch-page.ts";

const rowsOf = (page: Page) => page.getByRole("listbox").getByRole("option");
const secret = Buffer.from("a secret of a webhook").toString("base64");

describeOverHttp("/inspect, events and deliveries", (harness) => {
  const browser = useBrowser();

  const open = async (address: string, options: PageAs = {}) => {
    const opened = await openSignedIn(harness, browser, address, options);
    onTestFinished(() => opened.close());
    return opened;
  };
  const makeTruck = (name: string) =>
    harness.ok("trucks.create", {
      params: { location_id: harness.acme.locationId },
      body: aTruck({ name }),
    });

  it("lists events as they happen, opens one with its data and deliveries, and finds it by its kind and words", async () => {
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

  it("shows a delivery with what was sent and answered, replays it, and triggers another of its record", async () => {
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
    await attempt.getByRole("heading", { name: "Answered 503" }).waitFor();
    await attempt.getByText("sorry").waitFor();
    const sent = await attempt.innerText();
    expect(sent).toContain("webhook-signature");
    expect(sent).toContain(receiver.url);
    await page.getByRole("button", { name: "Replay" }).click();
    await page.getByText("still to be made").waitFor();

    await page.getByRole("button", { name: "Trigger from this record" }).click();
    await page.getByText(/^200 in \d+ ms/).waitFor();
    expect(JSON.parse(receiver.deliveries.at(-1)?.body ?? "")).toMatchObject({ data: { id: truck_id } });

    harness.clock.advance(3600_000);
    await row.filter({ hasText: "delivered 200" }).waitFor({ timeout: 20_000 });
    await page.getByRole("region", { name: "Attempt 2", exact: true }).waitFor();
    await page.getByRole("button", { name: "Replay" }).click();
    await expect.poll(() => rowsOf(page).count(), { timeout: 20_000 }).toBe(2);
    expect(problems.filter((problem) => !problem.includes("409"))).toEqual([]);
  });

  it("tells why a receiver does not take a delivery, and keeps no secret", async () => {
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
    await page.getByText("The body is not what was signed").first().waitFor();
    const kept = await page.evaluate(
      "JSON.stringify([{ ...sessionStorage }, { ...localStorage }, location.href])",
    );
    expect(kept).not.toContain(secret);
    expect(problems).toEqual([]);
  });

  it("names a webhook by what it is for, and marks a delivery that is refused while attempts are still to come", async () => {
    const { url } = await startReceiver((response) => response.writeHead(500).end());
    await createHook(harness, url, { description: "of the yard", events: ["Truck"] });
    startTestWorker(harness);
    await makeTruck("Truck that nobody takes");
    const { page, problems } = await open("/inspect?view=deliveries");
    const row = rowsOf(page).filter({ hasText: "of the yard" });
    await row.locator(".alarm").getByText("pending 500").waitFor();
    expect(problems).toEqual([]);
  });

  it("shows requests to Admins alone, and tells who may see nothing so", async () => {
    const dispatcher = await open("/inspect");
    await rowsOf(dispatcher.page).first().waitFor();
    expect(await dispatcher.page.getByRole("navigation").getByRole("link").allInnerTexts()).toEqual([
      "Events",
      "Deliveries",
    ]);
    const driver = await open("/inspect?view=requests", { as: "Driver" });
    await driver.page.getByText("It has nothing for the-Driver (Driver)").waitFor();
    expect(await driver.page.getByRole("listbox").count()).toBe(0);
    expect([...dispatcher.problems, ...driver.problems]).toEqual([]);
  });

  it("goes on after a connection that was lost, with what happened meanwhile", async () => {
    const { page } = await open("/inspect?view=events");
    await page.getByRole("status").getByText("Live").waitFor();
    await page.context().setOffline(true);
    await page.route("**/*", (route) => route.abort());
    await page.getByText("Connection lost").waitFor({ timeout: 30_000 });
    await makeTruck("Truck of the meantime");
    await page.unroute("**/*");
    await page.context().setOffline(false);
    await rowsOf(page).filter({ hasText: "Truck of the meantime" }).waitFor();
    await page.getByRole("status").getByText("Live").waitFor();
  });

  it("shows hostile names as text, wherever they stand", async () => {
    const names = [
      "<img src=x onerror=alert(1)><script>alert(2)</script>",
      "\u202egnp.exe \u0007\u001b[31m bell",
      `"><b>${"x".repeat(50)}`,
    ];
    const { url } = await startReceiver((response) =>
      response.writeHead(500).end(`<b>${names[0]}</b>\u202e${"W".repeat(10_000)}`),
    );
    await createHook(harness, url, { events: ["Truck"], description: names[0] });
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
    await page
      .getByRole("link", { name: /^to webhook/ })
      .first()
      .click();
    await page.getByRole("heading", { name: "Answered 500" }).first().waitFor({ timeout: 20_000 });
    expect(await page.locator("b, img, main script").count()).toBe(0);
    const text = await page.locator("body").innerText();
    expect(["\u202e", "\u0007", "\u001b"].filter((character) => text.includes(character))).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    expect(problems).toEqual([]);
  });

  it("has nothing that axe finds serious, light and dark, wide and narrow", async () => {
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
      for (const colorScheme of ["light", "dark"] as const)
        for (const width of [1280, 390]) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height: 844 });
          expect([view, colorScheme, width, ...(await findFaults(page))]).toEqual([view, colorScheme, width]);
        }
    }
    expect(problems).toEqual([]);
  });
});
