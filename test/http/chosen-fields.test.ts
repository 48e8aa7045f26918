import { beforeAll, expect, it } from "vitest";
import { inYardOf } from "../operations/jobs/a-job-of.ts";
import { aHook } from "../support/builders.ts";
import { describeOverHttp } from "../support/targets.ts";

describeOverHttp("the fields that a read asks for", (harness) => {
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const sent = await harness.send({ path, headers: { ...harness.headersOf("Admin"), ...headers } });
    return { ...sent, value: JSON.parse(sent.text) };
  };
  let job: { id: number; location_id: number };

  beforeAll(async () => {
    job = await inYardOf(harness).create({ schedule_date: "2026-12-01" });
    for (let made = 0; made < 25; made++) await harness.ok("hooks.create", { body: aHook() });
  });

  it("are the only ones in each record of a list, also of an inner record and on the next page", async () => {
    const { headers, value } = await get("/jobs?fields=customer.name,id&page_limit=1");
    expect(value).toMatchObject({ current_page: 1, total_count: 1 });
    expect(value.results).toEqual([{ customer: { name: expect.any(String) }, id: job.id }]);
    expect(headers.link).toContain("fields=customer.name%2Cid");
    const { results } = (await get("/jobs")).value;
    expect(results[0]).toHaveProperty("schedule_date");
    const long = (await get("/hooks?fields=id&page_limit=25")).value.results;
    expect([long.length, ...long.map(Object.keys)]).toEqual([25, ...long.map(() => ["id"])]);
  });

  it("have an entity tag of their own, which If-Match takes as the tag of the record", async () => {
    const path = `/locations/${job.location_id}/jobs/${job.id}`;
    const [whole, part] = [await get(path), await get(`${path}?fields=id`)];
    const other = await get(`${path}?fields=id,type`);
    expect(part.value).toEqual({ id: job.id });
    const tags = [whole, part, other].map(({ headers }) => headers.etag);
    expect(new Set(tags).size).toBe(3);
    const ask = (query: string, etag = "") =>
      harness.send({ path: path + query, headers: { ...harness.headersOf("Admin"), "if-none-match": etag } });
    const asked = [
      await ask("?fields=id", part.headers.etag),
      await ask("", part.headers.etag),
      await ask("?fields=id", whole.headers.etag),
    ];
    expect(asked.map(({ status }) => status)).toEqual([304, 200, 200]);
    const change = async (notes: string) => {
      const headers = { ...harness.headersOf("Admin"), "content-type": "application/json" };
      const body = JSON.stringify({ dispatcher_notes: notes });
      const tagged = { ...headers, "if-match": part.headers.etag ?? "" };
      return (await harness.send({ method: "PATCH", path, headers: tagged, body })).status;
    };
    expect([await change("one"), await change("two")]).toEqual([200, 412]);
  });

  it("have the names of the caller's version", async () => {
    const path = `/locations/${job.location_id}/jobs/${job.id}?fields=created_by_id`;
    expect((await get(path, { "x-api-version": "2021/08/02" })).value).toHaveProperty("created_by_id");
    expect((await get(path, { "x-api-version": "2023/04/19" })).status).toBe(400);
  });

  it("are refused with the nearest name, beside the other violations", async () => {
    const { status, value } = await get("/trucks?fields=nmae&page_limit=0");
    expect([status, value.errors]).toMatchObject([
      400,
      [
        {
          code: "invalid_choice",
          detail: 'The records have no field "nmae". Did you mean name?',
          field: "fields",
        },
        { code: "too_small", field: "page_limit" },
      ],
    ]);
  });

  it("are refused by a write", async () => {
    const headers = { ...harness.headersOf("Admin"), "content-type": "application/json" };
    const body = JSON.stringify({ dispatcher_notes: "n" });
    const path = `/locations/${job.location_id}/jobs/${job.id}?fields=id`;
    const { status, text } = await harness.send({ method: "PATCH", path, headers, body });
    expect([status, JSON.parse(text).code]).toEqual([400, "unknown_parameter"]);
  });
});
