import { describe, expect, it } from "vitest";
import type { ErrorBody } from "../../src/errors/errors.ts";
import type { HarnessAnswer } from "./harness.ts";

/** Returns the status, and the code and field of every violation in order. */
export function toViolations({ status, body }: HarnessAnswer): unknown {
  if (status === 200) return body;
  const { errors } = body as ErrorBody;
  return [status, ...errors.map(({ code, field }) => [code, field])];
}

/** Non-empty texts that are not an Integer in a path or a query. */
export const noIntegerTexts = [
  "01",
  "-01",
  "1.0",
  "1e3",
  " 1",
  "1 ",
  "+1",
  "0x1",
  "١",
  "abc",
  "true",
  "null",
  "NaN",
];

type Query = Record<string, string>;

/** Declares the tests of a list's paging: the defaults, and pages that neither repeat nor skip records. */
export function describePaging(send: (query: Query) => Promise<HarnessAnswer>): void {
  describe("paging", () => {
    it("shows page 1 of at most 100 records by default, and every record on exactly one page in that order", async () => {
      const whole = await pageOf({});
      expect(whole).toMatchObject({ current_page: 1, current_limit: 100 });
      expect(whole.results.length).toBeGreaterThan(1);
      const total_count = whole.results.length;
      const pages = [];
      for (let index = 1; index <= total_count; index++) {
        const page = await pageOf({ page_index: String(index), page_limit: "1" });
        const { results, ...place } = page;
        expect(place).toEqual({
          current_limit: 1,
          current_page: index,
          total_count,
          total_pages: total_count,
        });
        pages.push(...results);
      }
      expect(pages).toEqual(whole.results);
    });

    it("shows no records past the end, and still counts them", async () => {
      const { results, total_count } = await pageOf({});
      expect(await pageOf({ page_index: "10000", page_limit: "1000" })).toEqual({
        current_limit: 1000,
        current_page: 10_000,
        results: [],
        total_count,
        total_pages: 1,
      });
      expect(total_count).toBe(results.length);
    });

    async function pageOf(query: Query) {
      const { status, body } = await send(query);
      expect(status).toBe(200);
      return body as { results: unknown[]; total_count: number };
    }
  });
}
