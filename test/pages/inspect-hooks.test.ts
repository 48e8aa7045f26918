import { expect, it } from "vitest";
import { useBrowser } from "../support/browser.ts";
import { createHook, createTruck, startTestWorker } from "../support/delivering.ts";
import { startReceiver } from "../support/receiver.ts";
import { openSignedIn } from "../support/signed-in-page.ts";
import { describeOverHttp, freshHarness } from "../support/targets.ts";
import { findFaults } from "../support/watch-page.ts";

describeOverHttp("/inspect, webhooks", (like) => {
  const browser = useBrowser();

  it("creates, tests, pauses, resumes, and rotates a webhook", async () => {
    const harness = await freshHarness(like);
    const receiver = await startReceiver();
    const { page, problems } = await openSignedIn(harness, browser, "/inspect?view=webhooks", {
      as: "Admin",
    });
    await page.getByText("No webhooks.").waitFor();
    await page.getByRole("button", { name: "New webhook" }).click();
    await page.getByLabel("URL").fill(receiver.url);
    await page.getByLabel("Truck").check();
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByText(/^Created webhook \d+\. Secret: .*whsec_/).waitFor();
    const row = page.getByRole("listbox").getByRole("option").filter({ hasText: receiver.url });
    await row.filter({ hasText: "unused" }).click();
    await page.getByRole("button", { name: "Test" }).click();
    await page.getByText(/^200\. /).waitFor();
    expect(receiver.deliveries.at(-1)?.headers["x-service-event"] ?? "Ping").toContain("Ping");
    await row.filter({ hasText: "healthy" }).waitFor();
    await page.getByRole("button", { name: "Send a sample job" }).click();
    await page.getByText(/^200 in \d+ ms/).waitFor();
    await page.getByRole("button", { name: "Rotate the secret" }).click();
    await page.getByText("Both secrets sign for 24 hours.").waitFor();
    await page.getByRole("button", { name: "Pause deliveries" }).click();
    await row.filter({ hasText: "paused" }).waitFor();
    await page.getByRole("button", { name: "Resume with pending deliveries" }).click();
    await row.filter({ hasText: "healthy" }).waitFor();
    expect(await findFaults(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it("shows the health and the backlog of each webhook, and leads to its pending deliveries", async () => {
    const harness = await freshHarness(like);
    const receiver = await startReceiver(500);
    await createHook(harness, receiver.url, { events: ["Truck"] });
    const worker = startTestWorker(harness);
    await createTruck(harness);
    await createTruck(harness);
    await worker.drain();
    const { page, problems } = await openSignedIn(harness, browser, "/inspect?view=webhooks");
    const row = page.getByRole("listbox").getByRole("option").filter({ hasText: receiver.url });
    await row.filter({ hasText: "failing" }).filter({ hasText: /\b2\b/ }).click();
    expect(await page.getByRole("button", { name: "Rotate the secret" }).count()).toBe(0);
    await page.getByRole("link", { name: "2 deliveries" }).click();
    await expect
      .poll(() => page.getByRole("listbox").getByRole("option").filter({ hasText: "pending" }).count())
      .toBe(2);
    expect(problems).toEqual([]);
  });
});
