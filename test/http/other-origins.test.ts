import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newestVersion } from "../../src/models/api-versions.ts";
import { useBrowser } from "../support/browser.ts";
import { aHook } from "../support/builders.ts";
import { describeOverHttp } from "../support/targets.ts";

/** An answer, with the headers that the browser lets the page read. */
interface Fetched {
  status: number;
  headers: Record<string, string>;
  body: string;
}

describeOverHttp("a page of another origin, in Chromium", (harness) => {
  const browser = useBrowser();
  const site = createServer((_, response) => response.end("<!doctype html><title>Elsewhere</title>"));
  let page: Page;
  beforeAll(async () => {
    site.listen(0, "127.0.0.1");
    await once(site, "listening");
    page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    for (let made = 0; made < 3; made++) await harness.ok("hooks.create", { body: aHook() });
  });
  afterAll(() => site.close());

  const fetchInPage = (path: string, init: RequestInit = {}): Promise<Fetched> =>
    page.evaluate(
      async ({ url, options }) => {
        const answer = await fetch(url, options);
        return {
          status: answer.status,
          headers: Object.fromEntries(answer.headers.entries()),
          body: await answer.text(),
        };
      },
      {
        url: new URL(path, harness.origin).href,
        options: {
          ...init,
          headers: {
            "x-api-version": newestVersion,
            ...harness.headersOf("Admin"),
            ...(init.headers as object),
          },
        },
      },
    );

  it("selects a version, and reads the effective version and the request id", async () => {
    const { headers, status } = await fetchInPage("/hooks", { headers: { "x-api-version": "2021/04/07" } });
    expect(status).toBe(200);
    expect(headers["x-api-version"]).toBe("2021/04/07");
    expect(headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("follows Link to the last record", async () => {
    const ids: number[] = [];
    let next: string | undefined = "/hooks?page_limit=1";
    while (next !== undefined) {
      const { body, headers }: Fetched = await fetchInPage(next);
      ids.push(...JSON.parse(body).results.map(({ id }: { id: number }) => id));
      next = /<([^>]+)>; rel="next"/.exec(headers.link ?? "")?.[1];
    }
    expect(ids).toHaveLength(3);
  });

  it("sends a dry run, which stores nothing", async () => {
    const made = await fetchInPage("/hooks", {
      method: "POST",
      headers: { "content-type": "application/json", "x-dry-run": "true" },
      body: JSON.stringify(aHook()),
    });
    expect(made.status).toBe(200);
    expect((await harness.ok("hooks.list")).total_count).toBe(3);
  });

  it("repeats a write by its key, and reads that it was repeated", async () => {
    const init = {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": "a-page" },
      body: JSON.stringify({ name: "Truck of a page" }),
    };
    const path = `/locations/${harness.acme.locationId}/trucks`;
    const first = await fetchInPage(path, init);
    const second = await fetchInPage(path, init);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body).toBe(first.body);
    expect(second.headers["idempotent-replayed"]).toBe("true");
  });

  it("reads the ETag of a record and changes the record only while the ETag is current", async () => {
    const path = `/locations/${harness.acme.locationId}/trucks/${harness.acme.truckId}`;
    const { headers } = await fetchInPage(path);
    const change = (name: string) =>
      fetchInPage(path, {
        method: "PATCH",
        headers: { "content-type": "application/json", "if-match": headers.etag ?? "" },
        body: JSON.stringify({ name }),
      });
    expect((await change("Once")).status).toBe(200);
    expect((await change("Twice")).status).toBe(412);
  });

  it("gets 404 for an unknown path, for any request", async () => {
    for (const method of ["GET", "POST", "PATCH", "DELETE"]) {
      const { body, headers, status } = await fetchInPage("/nowhere", {
        method,
        headers: { "x-dry-run": "true" },
      });
      expect([method, status]).toEqual([method, 404]);
      expect(JSON.parse(body).request_id).toBe(headers["x-request-id"]);
    }
  });

  it("sends a compressed body", async () => {
    const made = await fetchInPage("/hooks", {
      method: "POST",
      headers: { "content-type": "application/json", "content-encoding": "gzip" },
      body: "no gzip",
    });
    expect([made.status, JSON.parse(made.body).code]).toEqual([400, "malformed_request"]);
  });

  it("reads the headers of deprecated operations and of authentication", async () => {
    const { locationId, truckId } = harness.acme;
    const path = `/locations/${locationId}/trucks/${truckId}/get_jobs_list_pdf`;
    const ended = await fetchInPage(path, { headers: { "x-api-version": "2021/08/02" } });
    expect([ended.status, ended.headers.deprecation]).toEqual([200, expect.stringMatching(/^@\d+$/)]);
    const refused = await fetchInPage("/jobs", { headers: { authorization: "Bearer dispatch.1.x" } });
    expect([refused.status, refused.headers["www-authenticate"]]).toEqual([401, "Bearer"]);
  });

  it("may send each documented header, and a trace", async () => {
    const { status } = await fetchInPage("/jobs", {
      headers: {
        "x-sandbox-fault": "503",
        "if-none-match": '"x"',
        traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "x-request-id": "11111111-1111-4111-8111-111111111111",
      },
    });
    expect(status).toBe(200);
  });
});
