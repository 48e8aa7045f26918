import { expect, it } from "vitest";
import { routeOf } from "../../src/core/operation.ts";
import { identifyByToken } from "../../src/http/identify.ts";
import { buildServer } from "../../src/http/server.ts";
import { loadOperations } from "../../src/operations/index.ts";
import { describeFixtureOverHttp } from "../support/fixture.ts";
import { toDryCall } from "../support/valid-call.ts";

const operations = await loadOperations();

/** A text in the form of a token, a webhook's secret, and a password. */
const marked = "MarkedSecret0MarkedSecret0MarkedSecret0Mark";

describeFixtureOverHttp("a secret in a request", (fixture) => {
  it("appears in no log line, error, audit row, or usage, wherever in the request it was", async () => {
    const { harness } = fixture;
    const lines: string[] = [];
    const log = { write: (line: string) => void lines.push(line) };
    const identify = identifyByToken(harness.service);
    const app = await buildServer(harness.service, { identify, log, logLevel: "trace" });
    const url = await app.listen({ host: "127.0.0.1", port: 0 });
    const answers: string[] = [];
    const send = async (path: string, init: RequestInit) => {
      const answer = await fetch(url + path, init);
      answers.push(`${path.split("?")[0]} ${answer.status} ${await answer.text()}`);
    };
    try {
      for (const operation of operations) {
        const { as, params } = toDryCall(operation, fixture);
        const { method, path: template } = routeOf(operation);
        const path = template.replaceAll(/\{(\w+)\}/g, (_, name) => String(params[name]));
        const headers = { ...harness.headersOf(as), "x-dry-run": "true" };
        await send(path, { method, headers: { ...headers, authorization: `Bearer dispatch.1.${marked}` } });
        await send(`${path}?token=${marked}&secret=${marked}`, { method, headers });
        if (method === "GET") continue;
        const body = JSON.stringify({ password: marked, secret: `${marked}!`, token: marked });
        await send(path, { method, headers, body });
      }
    } finally {
      await app.close();
    }
    await harness.service.usage.write(harness.service.store);
    expect(lines.length).toBeGreaterThanOrEqual(answers.length / 2);
    const kept = JSON.stringify([harness.store.rows("audit"), harness.store.rows("usage")]);
    expect(kept).not.toContain(marked);
    expect(lines.filter((line) => line.includes(marked))).toEqual([]);
    expect(answers.filter((answer) => answer.includes(marked))).toEqual([]);
  });
});
