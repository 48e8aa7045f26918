import { expect, it } from "vitest";
import { aHook } from "../support/builders.ts";
import { crossOrigin } from "../support/cross-origin.ts";
import { roleTable, toUnusedPath } from "../support/role-table.ts";
import { describeOverHttp } from "../support/targets.ts";

const order = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** The Allow headers that the interface specifies. */
const written: [path: string, allow: string][] = [
  ["/customers/{customer_id}/addresses", "GET,POST"],
  ["/locations/{location_id}/customers", "GET,POST"],
  ["/hooks/{hook_id}", "GET,PATCH,DELETE"],
  ["/jobs", "GET"],
  ["/locations/{location_id}/jobs", "GET,POST"],
  ["/locations/{location_id}/trucks/{truck_id}/get_jobs_list_pdf", "GET"],
  ["/hooks/{hook_id}/ping", "GET"],
];

const paths = [...new Set(roleTable.map(({ path }) => path))];
const allowOf = (path: string) => {
  const methods = roleTable.filter((row) => row.path === path).map(({ method }) => method);
  return order.filter((method) => methods.includes(method)).join(",");
};

/** Headers of a single answer or of its connection. */
const perAnswer = ["connection", "date", "keep-alive", "x-request-id"];

function without(headers: Record<string, string>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}

describeOverHttp("the methods of a path", (harness) => {
  it.each(written)("%s answers Allow: %s", async (path, allow) => {
    const { headers } = await harness.send({
      path: toUnusedPath(path),
      headers: harness.headersOf("Dispatcher"),
    });
    expect(headers).toMatchObject({ allow, "access-control-allow-methods": allow });
  });

  it.each(paths)("%s answers OPTIONS without authorization: 200, no body, the methods", async (path) => {
    for (const slash of ["", "/"]) {
      const answer = await harness.send({ method: "OPTIONS", path: `${toUnusedPath(path)}${slash}` });
      expect([answer.status, answer.text]).toEqual([200, ""]);
      expect(answer.headers).toMatchObject({
        ...crossOrigin,
        "access-control-allow-methods": allowOf(path),
        allow: allowOf(path),
        "content-length": "0",
        "access-control-max-age": "7200",
        "x-api-version": "2019/02/08",
      });
    }
  });

  it.each(paths)("%s refuses other methods with 405 and lists its own", async (path) => {
    const others = order.filter((method) => !allowOf(path).split(",").includes(method));
    for (const method of [...others, "TRACE", "PROPFIND", "REPORT", "PURGE", "SEARCH", "LOCK"]) {
      const { status, headers, text } = await harness.send({ method, path: toUnusedPath(path) });
      expect([method, status, headers.allow]).toEqual([method, 405, allowOf(path)]);
      expect(JSON.parse(text)).toMatchObject({ code: "method_not_allowed", status: 405 });
    }
  });

  it("refuses HEAD if GET has an effect: only ping calls a webhook", async () => {
    const made = await harness.ok("hooks.create", { body: aHook({ url: "http://127.0.0.1:9/" }) });
    const request = { path: `/hooks/${made.id}/ping`, headers: harness.headersOf("Admin") };
    const { headers, status } = await harness.send({ ...request, method: "HEAD" });
    expect([status, headers.allow]).toEqual([405, "GET"]);
    expect(harness.store.rows("deliveries")).toEqual([]);
  });

  it.each(paths.filter((path) => !path.endsWith("/ping")))(
    "%s answers HEAD with the headers of GET, without the body",
    async (path) => {
      const request = { path: toUnusedPath(path), headers: harness.headersOf("Admin") };
      const get = await harness.send(request);
      const head = await harness.send({ ...request, method: "HEAD" });
      expect([head.status, head.text]).toEqual([get.status, ""]);
      // The length of a 405 differs: its body names the method.
      const differing = allowOf(path).includes("GET") ? perAnswer : [...perAnswer, "content-length"];
      expect(without(head.headers, differing)).toEqual(without(get.headers, differing));
    },
  );

  it("accepts only methods in capitals, as HTTP requires", async () => {
    const answer = await harness.sendBytes("get /jobs HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
  });
});
