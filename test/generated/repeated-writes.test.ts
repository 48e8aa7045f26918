import { expect, it } from "vitest";
import { toPath } from "../../src/client/exchange.ts";
import { isRepeatable, routeOf } from "../../src/core/operation.ts";
import { apiVersions } from "../../src/models/api-versions.ts";
import { loadOperations } from "../../src/operations/index.ts";
import { describeFixtureOverHttp } from "../support/fixture.ts";
import { toValidCall } from "../support/valid-call.ts";

const takesAway = /\.(?:delete|erase|remove|revoke)$/;

const repeatable = (await loadOperations()).filter(
  (operation) => isRepeatable(operation) && !operation.ofServer,
);

/** Removals come last, because the other operations need those records. */
const operations = repeatable.toSorted(
  (a, b) => Number(takesAway.test(a.name)) - Number(takesAway.test(b.name)),
);

describeFixtureOverHttp("a write that is repeated with its Idempotency-Key", (fixture) => {
  it.each(operations)(
    "$name returns the same answer again, unless the answer contains a secret",
    async (operation) => {
      const { as, body, params, query } = toValidCall(operation, fixture);
      const ids = Object.entries(params).map(([name, id]): [string, string] => [name, String(id)]);
      const path = toPath(operation.name, routeOf(operation), Object.fromEntries(ids));
      const asked = new URLSearchParams(
        Object.entries(query ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
      );
      let isAnswered = false;
      for (const version of [apiVersions[0], apiVersions.at(-1) ?? ""]) {
        const headers = {
          ...fixture.harness.headersOf(as),
          "idempotency-key": `${operation.name} ${version}`.replace(" ", "-"),
          "x-api-version": version,
        };
        const request = {
          method: routeOf(operation).method,
          path: `${path}?${asked}`,
          headers,
          body: body && JSON.stringify(body),
        };
        const first = await fixture.harness.send(request);
        if (first.status !== 200) continue;
        isAnswered = true;
        const again = await fixture.harness.send(request);
        if (first.headers["cache-control"] === "no-store" && again.status === 409) continue;
        expect([again.status, again.text]).toEqual([200, first.text]);
      }
      expect(isAnswered).toBe(true);
    },
  );
});
