import { beforeAll, expect, it } from "vitest";
import { aHook } from "../support/builders.ts";
import { clientOfToken } from "../support/local-client.ts";
import { describeOverHttp } from "../support/targets.ts";

describeOverHttp("the Link header of a list (RFC 8288)", (harness) => {
  beforeAll(async () => {
    for (let made = 0; made < 5; made++) await harness.ok("hooks.create", { body: aHook() });
  });

  const linksOf = async (path: string) => {
    const { status, headers } = await harness.send({ path, headers: harness.headersOf("Admin") });
    expect(status).toBe(200);
    const links = (headers.link ?? "").split(", ").map((link) => /^<([^>]*)>; rel="(\w+)"$/.exec(link));
    return Object.fromEntries(links.map((link) => [link?.[2] ?? "", link?.[1] ?? ""]));
  };
  const page = (index: number, limit = 2) => ({ page_index: String(index), page_limit: String(limit) });
  const queryOf = (link = "") => Object.fromEntries(new URL(link, "http://x").searchParams);

  it.each([
    ["/hooks?page_limit=2", { first: page(1), last: page(3), next: page(2) }],
    ["/hooks?page_index=2&page_limit=2", { first: page(1), last: page(3), next: page(3), prev: page(1) }],
    ["/hooks?page_index=3&page_limit=2", { first: page(1), last: page(3), prev: page(2) }],
    ["/hooks?page_index=9&page_limit=2", { first: page(1), last: page(3), prev: page(3) }],
    ["/hooks", { first: page(1, 100), last: page(1, 100) }],
  ])("of %s links to the first, previous, next and last page", async (path, links) => {
    const found = Object.entries(await linksOf(path));
    for (const [, link] of found) expect(link).toMatch(/^\/hooks\?/);
    expect(Object.fromEntries(found.map(([relation, link]) => [relation, queryOf(link)]))).toEqual(links);
  });

  it("keeps the filters, and escapes their special characters", async () => {
    const { next } = await linksOf("/hooks?deleted=false&page_limit=2");
    expect(queryOf(next)).toEqual({ deleted: "false", ...page(2) });
    const location = `/locations/${harness.acme.locationId}/customers`;
    const { first } = await linksOf(`${location}?name=a%26b%3E+c&page_limit=1`);
    expect(queryOf(first)).toEqual({ name: "a&b> c", ...page(1, 1) });
  });

  it("of an empty list links to its only page", async () => {
    expect(await linksOf("/jobs")).toEqual({
      first: "/jobs?page_index=1&page_limit=100",
      last: "/jobs?page_index=1&page_limit=100",
    });
  });

  it("leads from page to page to every record", async () => {
    const ids = [];
    let next: string | undefined = "/hooks?page_limit=2";
    while (next !== undefined) {
      const path: string = next;
      const { text } = await harness.send({ path, headers: harness.headersOf("Admin") });
      ids.push(...JSON.parse(text).results.map(({ id }: { id: number }) => id));
      next = (await linksOf(path)).next;
    }
    const { results } = await harness.ok("hooks.list");
    expect(ids).toEqual(results.map(({ id }) => id));
  });

  it("is missing in other answers", async () => {
    const { headers } = await harness.send({ path: "/hooks/999999", headers: harness.headersOf("Admin") });
    expect(headers).not.toHaveProperty("link");
  });
});

describeOverHttp("the Link header of a long list", (harness) => {
  const send = async (path: string) => {
    const { headers, text } = await harness.send({ path, headers: harness.headersOf("Admin") });
    const links = [...(headers.link ?? "").matchAll(/<([^>]*)>; rel="(\w+)"/g)];
    return {
      links: Object.fromEntries(links.map(([, link = "", relation = ""]) => [relation, link])),
      list: JSON.parse(text) as { results: { id: number }[]; total_count: number; total_pages: number },
    };
  };
  const idsOf = ({ list }: Awaited<ReturnType<typeof send>>) => list.results.map(({ id }) => id);

  /** Follows `next` links. Returns every record and the last address. */
  const follow = async (start: string) => {
    const ids: number[] = [];
    let last = start;
    for (let next: string | undefined = start; next !== undefined; ) {
      last = next;
      const page = await send(next);
      ids.push(...idsOf(page));
      next = page.links.next;
    }
    return { ids, last };
  };

  const total = 100_051;
  const all = Array.from({ length: total }, (_, index) => index + 1);
  const assets = () => `/locations/${harness.acme.locationId}/assets`;
  const trucks = () => `/locations/${harness.acme.locationId}/trucks`;

  beforeAll(async () => {
    const params = { location_id: harness.acme.locationId };
    const asset = await harness.ok("assets.create", { params, body: { quantity: 1 } });
    harness.store.multiply("assets", asset.id, total - 1);
    harness.store.multiply("trucks", harness.acme.truckId, 1001);
  });

  it("leads to each of 1,003 records one by one, although the body reports 1,000 pages", async () => {
    const { ids } = await follow(`${trucks()}?page_limit=1`);
    expect(new Set(ids).size).toBe(1003);
    expect(ids).toHaveLength(1003);
    const { links, list } = await send(`${trucks()}?page_limit=1&page_index=1003`);
    expect(list).toMatchObject({ total_count: 1003, total_pages: 1000 });
    expect(links).toMatchObject({
      last: `${trucks()}?page_limit=1&page_index=1003`,
      prev: `${trucks()}?page_limit=1&page_index=1002`,
    });
    expect(links).not.toHaveProperty("next");
  });

  it("does not end `--all` at page 1,000", async () => {
    const client = await clientOfToken(harness.service, harness.acme.callers.Admin);
    const request = { params: { location_id: harness.acme.locationId }, query: { page_limit: 1 } };
    const ids = new Set<unknown>();
    for await (const { id } of client.pages("trucks.list", request)) {
      ids.add(id);
      if (ids.size > 1000) break;
    }
    expect(ids.size).toBe(1001);
  });

  it("leads to each of 100,051 records, by page_after past the 100,000th", async () => {
    const { ids, last } = await follow(`${assets()}?page_limit=1000`);
    expect(ids).toEqual(all);
    expect(last).toBe(`${assets()}?page_limit=1000&page_index=1&page_after=100000`);
    const { links } = await send(last);
    expect(links).toEqual({ first: `${assets()}?page_limit=1000&page_index=1`, last });
  });

  it("leads onward from page 10,000, the last page with a number, at any page size", async () => {
    const { links, list } = await send(`${assets()}?page_limit=3&page_index=10000`);
    expect(list).toMatchObject({ total_count: 100_000, total_pages: 1000 });
    expect(links).toEqual({
      first: `${assets()}?page_limit=3&page_index=1`,
      last: `${assets()}?page_limit=3&page_index=10000`,
      next: `${assets()}?page_limit=3&page_index=1&page_after=30000`,
      prev: `${assets()}?page_limit=3&page_index=9999`,
    });
    const behind = await send(links.next ?? "");
    expect(idsOf(behind)).toEqual([30_001, 30_002, 30_003]);
    expect(behind.links.next).toBe(`${assets()}?page_limit=3&page_index=1&page_after=30003`);
    expect(behind.links).not.toHaveProperty("prev");
    expect(behind.links).not.toHaveProperty("last");
  });

  it("leads back from a page past the end, or from a page after the first record", async () => {
    const past = await send(`${assets()}?page_limit=1000&page_index=200`);
    expect([past.list.results, past.links.prev]).toEqual([[], `${assets()}?page_limit=1000&page_index=100`]);
    expect(past.links).not.toHaveProperty("next");
    const second = await send(`${assets()}?page_after=10&page_limit=5&page_index=2`);
    expect(idsOf(second)).toEqual([16, 17, 18, 19, 20]);
    expect(idsOf(await send(second.links.prev ?? ""))).toEqual([11, 12, 13, 14, 15]);
    expect(idsOf(await send(second.links.next ?? ""))).toEqual([21, 22, 23, 24, 25]);
  });

  it("stops at the last record, also on the last page by number", async () => {
    harness.store.execute("delete from assets where id > 100000");
    const { links } = await send(`${assets()}?page_limit=1000&page_index=100`);
    expect(links).not.toHaveProperty("next");
  });
});
