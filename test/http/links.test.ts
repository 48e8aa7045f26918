import { beforeAll, expect, it } from "vitest";
import { aHook } from "../support/builders.ts";
import { describeOverHttp } from "../support/targets.ts";

describeOverHttp("the Link header of a list (OP-52, RFC 8288)", (harness) => {
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
  ])("of %s leads to the first, previous, next and last page", async (path, links) => {
    const found = Object.entries(await linksOf(path));
    for (const [, link] of found) expect(link).toMatch(/^\/hooks\?/);
    expect(Object.fromEntries(found.map(([relation, link]) => [relation, queryOf(link)]))).toEqual(links);
  });

  it("keeps the filters, and their special characters", async () => {
    const { next } = await linksOf("/hooks?deleted=false&page_limit=2");
    expect(queryOf(next)).toEqual({ deleted: "false", ...page(2) });
    const location = `/locations/${harness.acme.locationId}/customers`;
    const { first } = await linksOf(`${location}?name=a%26b%3E+c&page_limit=1`);
    expect(queryOf(first)).toEqual({ name: "a&b> c", ...page(1, 1) });
  });

  it("of an empty list leads to its only page", async () => {
    expect(await linksOf("/jobs")).toEqual({
      first: "/jobs?page_index=1&page_limit=100",
      last: "/jobs?page_index=1&page_limit=100",
    });
  });

  it("can be followed from page to page to every record", async () => {
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

  it("is not on other answers", async () => {
    const { headers } = await harness.send({ path: "/hooks/999999", headers: harness.headersOf("Admin") });
    expect(headers).not.toHaveProperty("link");
  });
});
