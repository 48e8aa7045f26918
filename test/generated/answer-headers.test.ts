import { expect, it } from "vitest";
import { toPath } from "../../src/client/exchange.ts";
import { type Operation, routeOf } from "../../src/core/operation.ts";
import { type ApiVersion, apiVersions, newestVersion } from "../../src/models/api-versions.ts";
import { toOpenapi } from "../../src/openapi/document.ts";
import { loadOperations } from "../../src/operations/index.ts";
import { describeFixtureOverHttp } from "../support/fixture.ts";
import { hookSecret, otherHookSecret } from "../support/valid-bodies.ts";
import { nameOf, toDryCall } from "../support/valid-call.ts";

const operations = (await loadOperations()).filter(({ ofServer }) => !ofServer);

describeFixtureOverHttp("the headers of every operation's answers", (fixture) => {
  it("never cache an answer that shows a token or a secret, and forbid guessing the type", async () => {
    const { harness } = fixture;
    const unkept: string[] = [];
    for (const operation of operations) {
      const name = nameOf(operation);
      const call = toDryCall(operation, fixture);
      const answers = [
        await harness.call(name, call),
        await harness.call(name, { ...call, query: { ...call.query, nothing_like_it: 1 } }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 400]);
      for (const { headers } of answers) expect(headers["x-content-type-options"]).toBe("nosniff");
      const kept = answers.filter(({ headers }) => headers["cache-control"] !== "no-store");
      expect([
        name,
        kept.filter(({ body }) => showsSecret(fixture.harness.store.rows("hooks"), body)),
      ]).toEqual([name, []]);
      if (kept.length === 0) unkept.push(name);
    }
    expect(unkept.sort()).toEqual([
      "batch.run",
      "hooks.create",
      "hooks.delete",
      "hooks.enable",
      "hooks.get",
      "hooks.list",
      "hooks.rotate-secret",
      "hooks.update",
      "tokens.create",
      "tokens.list",
      "tokens.revoke",
      "tokens.rotate",
    ]);
  });

  it("are all in the OpenAPI document, with each status: 200, 304, and errors", async () => {
    const { harness } = fixture;
    const unknown: string[] = [];
    for (const operation of operations) {
      const { as, body, params, query, version = newestVersion } = toDryCall(operation, fixture);
      const ids = Object.entries(params).map(([name, id]): [string, string] => [name, String(id)]);
      const asked = Object.entries(query ?? {}).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]);
      const isWrite = operation.effect === "write" || operation.effect === "delete";
      const headers = {
        ...harness.headersOf(as),
        ...(isWrite && { "x-dry-run": "true" }),
        "accept-encoding": "gzip, identity;q=0",
        "x-api-version": version,
      };
      const request = {
        method: routeOf(operation).method,
        path: `${toPath(operation.name, routeOf(operation), Object.fromEntries(ids))}?${new URLSearchParams(asked)}`,
        headers,
        body: body && JSON.stringify(body),
      };
      const first = await harness.send(request);
      const { etag } = first.headers;
      const isRead = request.method === "GET" && etag !== undefined;
      const answers = [
        first,
        ...(isRead
          ? [await harness.send({ ...request, headers: { ...headers, "if-none-match": etag } })]
          : []),
        await harness.send({ ...request, path: `${request.path}&nothing_like_it=1` }),
        ...(operation.allow === "anyone"
          ? []
          : [await harness.send({ ...request, headers: { "x-api-version": version } })]),
      ];
      expect([operation.name, ...answers.map(({ status }) => status)]).toEqual([
        operation.name,
        200,
        ...(isRead ? [304] : []),
        400,
        ...(operation.allow === "anyone" ? [] : [401]),
      ]);
      for (const { headers: sent, status } of answers) {
        const documented = documentedHeaders(operation, version, status);
        for (const name of Object.keys(sent))
          if (!ofHttp.has(name) && !documented.has(name)) unknown.push(`${operation.name} ${status} ${name}`);
      }
    }
    expect(unknown).toEqual([]);
  });

  it("are the same for 304, for OPTIONS, for pages, and for unknown paths", async () => {
    const { harness, own } = fixture;
    const headers = harness.headersOf("Admin");
    const path = `/hooks/${own.hook_id}`;
    const { headers: first } = await harness.send({ path, headers });
    const again = await harness.send({ path, headers: { ...headers, "if-none-match": first.etag ?? "" } });
    expect([again.status, again.headers["cache-control"]]).toEqual([304, "no-store"]);
    const others = [
      await harness.send({ method: "OPTIONS", path }),
      await harness.send({ method: "PUT", path, headers }),
      await harness.send({ path: "/nowhere" }),
      await harness.send({ path: "/healthz" }),
      await harness.send({ path: "/openapi.json" }),
      await harness.send({ path: "/whoami" }),
    ];
    for (const answer of [again, ...others]) {
      expect(answer.headers["x-content-type-options"]).toBe("nosniff");
    }
    expect(await harness.sendBytes("NONSENSE\r\n\r\n")).toMatch(/x-content-type-options: nosniff/i);
  });

  it("come with a newly made answer if it can show a secret: no such answer is replayed", async () => {
    const { harness, own } = fixture;
    const { store } = harness.service;
    const headers = harness.headersOf("Admin");
    const readsOf = async (path: string) => {
      await harness.send({ path, headers });
      const { read } = store;
      let reads = 0;
      store.read = (...asked) => {
        reads += 1;
        return read(...asked);
      };
      const { status } = await harness.send({ path, headers }).finally(() => {
        store.read = read;
      });
      return [status, reads];
    };
    expect(await readsOf("/locations")).toEqual([200, 0]);
    expect(await readsOf(`/hooks/${own.hook_id}`)).toEqual([200, 1]);
    expect(await readsOf("/hooks")).toEqual([200, 1]);
  });
});

/** Headers that OpenAPI describes elsewhere, or that HTTP has in every message. */
const ofHttp = new Set(["connection", "content-length", "content-type", "date", "keep-alive"]);

const documents = new Map(apiVersions.map((version) => [version, toOpenapi(operations, version)]));

/** The headers, in lower case, that the document lists for an answer of an operation. */
function documentedHeaders(operation: Operation, version: ApiVersion, status: number): Set<string> {
  const document = documents.get(version);
  const { method, path } = routeOf(operation);
  const answer = document?.paths[path]?.[method.toLowerCase()]?.responses[status];
  const found =
    answer && "$ref" in answer ? document?.components.responses[answer.$ref.split("/").at(-1) ?? ""] : answer;
  if (!found) throw new Error(`${operation.name} lists no status ${status} at ${version}.`);
  return new Set(Object.keys(found.headers).map((name) => name.toLowerCase()));
}

/** Whether an answer contains a webhook's secret, or text that looks like a token. */
function showsSecret(hooks: readonly Record<string, unknown>[], body: unknown): boolean {
  const text = JSON.stringify(body) ?? "";
  const secrets = [hookSecret, otherHookSecret, ...hooks.map(({ secret }) => String(secret))];
  return /dispatch\.\d+\.[\w-]{43}/.test(text) || secrets.some((secret) => text.includes(secret));
}
