import { describe, expect, it } from "vitest";
import type { ErrorBody } from "../../src/errors/errors.ts";
import type { HarnessAnswer } from "./harness.ts";

/** What is wrong with a request, as a test compares it: status, and code and field of every violation in order. */
export function toViolations({ status, body }: HarnessAnswer): unknown {
  if (status === 200) return body;
  const { errors } = body as ErrorBody;
  return [status, ...errors.map(({ code, field }) => [code, field])];
}

/** Texts that are no Integer in a path or a query (OP-7), but for the empty one. */
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

/** Declares the bounds of an Integer parameter of the query. */
export function describeIntegerParameter(
  name: string,
  [min, max]: readonly [number, number],
  send: (query: Query) => Promise<HarnessAnswer>,
): void {
  it(`takes ${name} from ${min} to ${max}, written as an Integer`, async () => {
    for (const text of [String(min), String(max)]) {
      expect((await send({ [name]: text })).status, text).toBe(200);
    }
    const belowMin = await send({ [name]: String(min - 1) });
    expect(toViolations(belowMin)).toEqual([400, ["too_small", name]]);
    const aboveMax = await send({ [name]: String(max + 1) });
    expect(toViolations(aboveMax)).toEqual([400, ["too_big", name]]);
    for (const text of [...noIntegerTexts, ""]) {
      expect(toViolations(await send({ [name]: text })), text).toEqual([400, ["wrong_type", name]]);
    }
  });
}

/** Declares the forms of a Boolean parameter of the query. */
export function describeBooleanParameter(name: string, send: (query: Query) => Promise<HarnessAnswer>): void {
  it(`takes ${name} as 0, 1, true or false in any case`, async () => {
    for (const text of ["0", "1", "true", "True", "TRUE", "false", "False", "FALSE"]) {
      expect((await send({ [name]: text })).status, text).toBe(200);
    }
    for (const text of ["", "2", "-1", "yes", "t", " true", "null"]) {
      expect(toViolations(await send({ [name]: text })), text).toEqual([400, ["wrong_type", name]]);
    }
  });
}

/** Declares the paging of a list (OP-52): bounds, defaults, and pages that neither repeat nor skip. */
export function describePaging(send: (query: Query) => Promise<HarnessAnswer>): void {
  describe("paging", () => {
    describeIntegerParameter("page_index", [1, 10_000], send);
    describeIntegerParameter("page_limit", [1, 1000], send);

    it("shows page 1 of at most 100 records unless asked otherwise", async () => {
      const { body } = await send({});
      expect(body).toMatchObject({ current_page: 1, current_limit: 100 });
    });

    it("shows every record on exactly one page, in the order of the whole list", async () => {
      const whole = await pageOf({});
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
