import { expect, it } from "vitest";
import { laneOf } from "../support/board-page.ts";
import { useBrowser } from "../support/browser.ts";
import { openSignedIn } from "../support/signed-in-page.ts";
import { describeOverHttp } from "../support/targets.ts";

describeOverHttp("the board of 300 locations with five trucks each", (harness) => {
  const browser = useBrowser();

  it("takes a handful of requests", async () => {
    const { acme, store } = harness;
    store.multiply("locations", acme.locationId, 299);
    const locations = store.rows("locations").filter(({ tenant_id }) => tenant_id === acme.tenantId);
    const [pattern] = store.rows("trucks").filter(({ id }) => id === acme.truckId);
    const { id: _, ...truck } = pattern as Record<string, string | number | null>;
    const trucks = locations.flatMap(({ id }) =>
      [1, 2, 3, 4, 5].map((number) => ({ ...truck, location_id: Number(id), name: `${id}-${number}` })),
    );
    store.insertAll("trucks", trucks);
    const { page, problems } = await openSignedIn(harness, browser, "/");
    const asked: string[] = [];
    page.on("request", (request) => {
      const { pathname, search } = new URL(request.url());
      if (request.resourceType() === "fetch") asked.push(`${pathname}${search}`);
    });
    await page.goto(new URL("/board", harness.origin).href);
    await laneOf(page, trucks.at(-1)?.name ?? "").waitFor();
    expect(asked.filter((path) => path.startsWith("/trucks"))).toHaveLength(2);
    // The default limit is 200 requests for a token.
    expect(asked.length).toBeLessThan(20);
    expect(problems).toEqual([]);
  });
});
