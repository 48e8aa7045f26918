import { beforeAll, describe, expect, it } from "vitest";
import type { AnswerNamed } from "../../../src/client/client.ts";
import { aJob, type Json } from "../../support/builders.ts";
import { describePaging } from "../../support/describe-input.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";

/** Jobs in list order: by schedule date with unscheduled jobs last, then by priority with −1 first, then by id. */
const inOrder: Json[] = [
  { schedule_date: "0001-01-01" },
  { schedule_date: "2026-12-01T07:00:00" },
  { priority: -1, schedule_date: "2026-12-01T08:00:00" },
  { priority: -1, schedule_date: "2026-12-01T08:00:00" },
  { priority: -2, schedule_date: "2026-12-01T08:00:00" },
  { priority: -10, schedule_date: "2026-12-01T08:00:00" },
  { priority: -999_999, schedule_date: "2026-12-01T08:00:00" },
  { schedule_date: "2026-12-01T08:00:00" },
  { schedule_date: "2026-12-01T08:00:00" },
  { schedule_date: "2026-12-01T08:00:00.000001" },
  { priority: -1, schedule_date: "9999-12-31T23:59:59.999999" },
  { priority: -1 },
  { priority: -500 },
  {},
  {},
];

describeOnEveryTarget("the pages of the job lists", (harness) => {
  const references = inOrder.map((_, index) => `place ${index}`);
  const referencesOf = (list: AnswerNamed<"jobs.list">) => list.results.map((job) => job.reference_number);

  beforeAll(async () => {
    const { acme } = harness;
    const params = { location_id: acme.locationId };
    // Create jobs that differ only in their ids in list order, and all others in reverse order.
    const places = inOrder.map((changes, index) => ({ ...changes, reference_number: references[index] }));
    const twins = [3, 8, 14].map((index) => places[index]);
    const others = places.filter((place) => !twins.includes(place));
    for (const changes of [...others.reverse(), ...twins]) {
      await harness.ok("jobs.create", { params, body: aJob(acme, changes) });
    }
  });

  it("are sorted by schedule date, priority and id", async () => {
    expect(referencesOf(await harness.ok("jobs.list"))).toEqual(references);
  });

  it.each([1, 2, 4, 7, 15, 16, 1000])("neither repeat nor skip a job with %i jobs a page", async (limit) => {
    const shown = [];
    const pages = Math.ceil(inOrder.length / limit);
    for (let index = 1; index <= pages; index++) {
      const page = await harness.ok("jobs.list", { query: { page_index: index, page_limit: limit } });
      expect(page).toMatchObject({
        current_limit: limit,
        current_page: index,
        total_count: 15,
        total_pages: pages,
      });
      shown.push(...referencesOf(page));
    }
    expect(shown).toEqual(references);
  });

  it.each([1, 4, 15])("continue after any cursor in the list, %i jobs a page", async (limit) => {
    const shown = [];
    let last: AnswerNamed<"jobs.get"> | undefined;
    do {
      const after = last && `${last.schedule_date ?? ""},${last.priority ?? ""},${last.id}`;
      const query = { page_limit: limit, ...(after && { page_after: after }) };
      const page = await harness.ok("jobs.list", { query });
      shown.push(...referencesOf(page));
      last = page.results.at(-1);
    } while (last);
    expect(shown).toEqual(references);
  });

  it.each([1, 4, 15])(
    "continue after the id of a job in the order of the list, %i jobs a page",
    async (limit) => {
      const shown = [];
      let last: AnswerNamed<"jobs.get"> | undefined;
      do {
        const query = { page_limit: limit, ...(last && { page_after: last.id }) };
        const page = await harness.ok("jobs.list", { query });
        expect(page).toMatchObject({ total_count: 15, total_pages: Math.ceil(15 / limit) });
        shown.push(...referencesOf(page));
        last = page.results.at(-1);
      } while (last);
      expect(shown).toEqual(references);
    },
  );

  it("continue after the id of a job that the filters exclude", async () => {
    const [first] = (await harness.ok("jobs.list")).results;
    const query = {
      page_after: first?.id ?? 0,
      schedule_gte: "2026-11-01",
      schedule_lt: "2026-12-01T08:00:00",
    };
    const page = await harness.ok("jobs.list", { query });
    expect([referencesOf(page), page.total_count]).toEqual([["place 1"], 1]);
  });

  it.each([
    ["that is not there", "Dispatcher", () => 999_999_999],
    ["of a job that the caller may not see", "Driver", (ids: readonly number[]) => ids[0] ?? 0],
  ] as const)("refuse the id %s: 400 with a fix", async (_, as, choose) => {
    const ids = (await harness.ok("jobs.list")).results.map(({ id }) => id);
    const query = { page_after: choose(ids) };
    const params = { location_id: harness.acme.locationId };
    for (const error of [
      await harness.refused("jobs.list", { as, query }),
      await harness.refused("locations.jobs", { as, params, query }),
    ])
      expect(error).toMatchObject({
        status: 400,
        errors: [
          {
            code: "unknown_reference",
            field: "page_after",
            detail: expect.stringMatching(/schedule_date,priority,id.*order=id/),
          },
        ],
      });
  });

  it.each([1, 4, 15])("are sorted by id with order=id, also after an id, %i jobs a page", async (limit) => {
    const ids = (await harness.ok("jobs.list")).results.map(({ id }) => id).toSorted((a, b) => a - b);
    const params = { location_id: harness.acme.locationId };
    for (const list of [
      (query: Record<string, string | number>) => harness.ok("jobs.list", { query }),
      (query: Record<string, string | number>) => harness.ok("locations.jobs", { params, query }),
    ]) {
      const shown: number[] = [];
      for (let after: number | undefined; shown.length < ids.length; after = shown.at(-1)) {
        const query = { order: "id", page_limit: limit, ...(after !== undefined && { page_after: after }) };
        const page = await list(query);
        expect(page.total_count).toBe(15);
        shown.push(...page.results.map(({ id }) => id));
      }
      expect(shown).toEqual(ids);
      expect((await list({ order: "id", page_index: 2, page_limit: 4 })).results.map(({ id }) => id)).toEqual(
        ids.slice(4, 8),
      );
    }
  });

  it("continue after a deleted id with order=id", async () => {
    const page = await harness.ok("jobs.list", { query: { order: "id", page_after: 999_999_999 } });
    expect(page).toMatchObject({ results: [], total_count: 15 });
  });

  it.each(["x", "-1", "017", "1,2", ",,017", ",5,17", "2026-13-01,,17", "2026-12-01,,", ",,-17"])(
    "refuse %s, which is not a valid cursor",
    async (page_after) => {
      expect(await harness.refused("jobs.list", { query: { page_after } })).toMatchObject({
        status: 400,
        errors: [{ field: "page_after" }],
      });
    },
  );

  it("count only the jobs that pass the filters", async () => {
    const query = { page_limit: 2, schedule_lt: "2026-12-01T08:00:00" };
    expect(await harness.ok("jobs.list", { query })).toMatchObject({ total_count: 2, total_pages: 1 });
    const nothing = await harness.ok("jobs.list", { query: { completed: true } });
    expect(nothing).toEqual({
      current_limit: 100,
      current_page: 1,
      results: [],
      total_count: 0,
      total_pages: 0,
    });
  });

  describe.each([
    ["jobs.list", () => ({})],
    ["locations.jobs", () => ({ location_id: harness.acme.locationId })],
  ] as const)("of %s", (name, params) => {
    describePaging((query) => harness.call(name, { params: params(), query }));
  });
});

describeOnEveryTarget("the pages of a list of 100,005 jobs", (harness) => {
  beforeAll(async () => {
    const { acme } = harness;
    const create = async (reference_number: string, schedule_date: string) => {
      const body = aJob(acme, { reference_number, schedule_date });
      return (await harness.ok("jobs.create", { params: { location_id: acme.locationId }, body })).id;
    };
    await create("first", "2026-01-01");
    const between = await create("between", "2026-02-01");
    const last = await create("last", "2026-03-01");
    // No page below shows these jobs. Empty records make 100,000 copies fast: a second instead of many.
    harness.store.update("jobs", between, { record: "" });
    harness.store.multiply("jobs", between, 99_898);
    harness.store.multiply("jobs", last, 104);
  });

  it("count 100,000 jobs on 1000 pages (interface: Limits)", async () => {
    expect(await harness.ok("jobs.list", { query: { page_limit: 1 } })).toMatchObject({
      results: [{ reference_number: "first" }],
      total_count: 100_000,
      total_pages: 1000,
    });
  });

  it("return jobs beyond the 100,000th to a client that follows the cursors", async () => {
    const [job] = (await harness.ok("jobs.list", { query: { schedule_gte: "2026-03-01" } })).results;
    const place = `2026-03-01,,${job?.id}`;
    const page = await harness.ok("jobs.list", { query: { page_after: place, page_limit: 1000 } });
    expect(page.results).toHaveLength(104);
    expect(page.total_count).toBe(100_000);
    for (const order of ["id", "schedule"]) {
      const query = { order, page_after: page.results.at(-3)?.id ?? 0 };
      const behind = await harness.ok("jobs.list", { query });
      expect([behind.results.length, behind.total_count]).toEqual([2, 100_000]);
    }
  });

  it("return no job beyond the 100,000th by page number", async () => {
    const last = await harness.ok("jobs.list", { query: { page_index: 101, page_limit: 999 } });
    expect(last).toMatchObject({ total_count: 100_000, total_pages: 101 });
    expect(last.results.map((job) => job.reference_number)).toEqual(Array(100).fill("last"));
    const beyond = await harness.ok("jobs.list", { query: { page_index: 101, page_limit: 1000 } });
    expect(beyond).toMatchObject({ results: [], total_count: 100_000, total_pages: 100 });
  });

  it.runIf(harness.transport.name === "HTTP")(
    "continue by Link past the 100,000th, in the order of the cursors",
    async () => {
      const lengths: number[] = [];
      const followFrom = async (start: string) => {
        for (let next: string | undefined = start; next !== undefined; ) {
          const { headers, text } = await harness.send({
            path: next,
            headers: harness.headersOf("Dispatcher"),
          });
          lengths.push(JSON.parse(text).results.length);
          next = /<([^>]+)>; rel="next"/.exec(headers.link ?? "")?.[1];
        }
      };
      await followFrom("/jobs?page_index=101&page_limit=999");
      expect(lengths.splice(0)).toEqual([100, 5]);
      const [job] = (await harness.ok("jobs.list", { query: { schedule_gte: "2026-03-01" } })).results;
      const last = (job?.id ?? 0) + 99_898;
      await followFrom(`/jobs?order=id&page_after=${last}&page_limit=40`);
      expect(lengths.splice(0)).toEqual([40, 40, 24]);
      // The first job of that date has a smaller id than its copies.
      await followFrom(`/jobs?page_after=${last}&page_limit=40`);
      expect(lengths).toEqual([40, 40, 25]);
    },
  );
});
