import { expect, it } from "vitest";
import { loadOperations } from "../../src/operations/index.ts";
import { describeFixtureOverHttp } from "../support/fixture.ts";
import { hookSecret, otherHookSecret } from "../support/valid-bodies.ts";
import { nameOf, toDryCall } from "../support/valid-call.ts";

const operations = (await loadOperations()).filter(({ ofServer }) => !ofServer);

describeFixtureOverHttp("the headers of every operation's answers", (fixture) => {
  it("keep no answer that shows a token or a secret, and let no answer be taken for another type", async () => {
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

  it("are the same of a 304, of OPTIONS, of pages, and of what is no path", async () => {
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

  it("come with an answer that was made for the request: none that shows a secret is given again", async () => {
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

/** Whether an answer has a secret of a webhook, or what looks like a token, anywhere in it. */
function showsSecret(hooks: readonly Record<string, unknown>[], body: unknown): boolean {
  const text = JSON.stringify(body) ?? "";
  const secrets = [hookSecret, otherHookSecret, ...hooks.map(({ secret }) => String(secret))];
  return /dispatch\.\d+\.[\w-]{43}/.test(text) || secrets.some((secret) => text.includes(secret));
}
