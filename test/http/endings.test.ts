import { expect, it } from "vitest";
import { addEnding } from "../../src/http/answer.ts";
import { endingOf, toEndingText } from "../../src/models/versions/index.ts";
import { describeOverHttp } from "../support/targets.ts";

describeOverHttp("an answer of a deprecated operation", (harness) => {
  const send = (path: string, version: string) =>
    harness.send({ path, headers: { ...harness.headersOf("Admin"), "x-api-version": version } });
  const pdf = () => `/locations/${harness.acme.locationId}/trucks/${harness.acme.truckId}/get_jobs_list_pdf`;

  it("names the date of the deprecation (RFC 9745) and its page", async () => {
    for (const version of ["2019/02/08", "2021/08/02"]) {
      const { headers, status } = await send(pdf(), version);
      expect(status).toBe(200);
      // 2021/11/04, the first version without it.
      expect(headers.deprecation).toBe("@1635984000");
      expect(headers.link).toBe('</docs/changes#2021-08-02>; rel="deprecation"; type="text/html"');
      // It has no end date yet.
      expect(headers).not.toHaveProperty("sunset");
    }
  });

  it("has no such headers for other operations, or after the removal", async () => {
    for (const [path, version] of [
      ["/jobs", "2019/02/08"],
      ["/jobs", "2023/04/19"],
      [pdf(), "2023/04/19"],
    ] as const)
      expect((await send(path, version)).headers).not.toHaveProperty("deprecation");
  });
});

it("the answer at a version with a declared end has the date (RFC 8594), next to the links of a list", () => {
  const declared = { "2019/02/08": { deprecatedOn: "2026/01/01", endsOn: "2027/01/01" } } as const;
  const ending = endingOf({}, "2019/02/08", declared);
  expect(ending && toEndingText(ending)).toBe("deprecated since 2026/01/01, and ends on 2027/01/01");
  const list = { status: 200, headers: { link: '</jobs>; rel="first"' }, body: "{}" };
  expect(addEnding(list, ending).headers).toEqual({
    deprecation: "@1767225600",
    link: [
      '</jobs>; rel="first"',
      '</docs/changes#2019-02-08>; rel="deprecation"; type="text/html"',
      '</docs/changes#2019-02-08>; rel="sunset"; type="text/html"',
    ].join(", "),
    sunset: "Fri, 01 Jan 2027 00:00:00 GMT",
  });
  expect(endingOf({}, "2023/04/19", declared)).toBeNull();
  // The operation ends before the version.
  expect(endingOf({ lifetime: { until: "2021/08/02" } }, "2019/02/08", declared)?.page).toContain(
    "2021-08-02",
  );
});
