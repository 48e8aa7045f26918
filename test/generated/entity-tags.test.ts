import { describe, expect, it } from "vitest";
import { isDocument, type Operation, rolesOf, routeOf } from "../../src/core/operation.ts";
import { answersRecord, changesRecord } from "../../src/core/precondition.ts";
import { type ApiVersion, apiVersions, newestVersion } from "../../src/models/api-versions.ts";
import { modelName } from "../../src/models/model.ts";
import { loadOperations } from "../../src/operations/index.ts";
import { describeFixtureOverHttp, type Fixture } from "../support/fixture.ts";
import type { WireAnswer } from "../support/http-client.ts";
import { toValidCall } from "../support/valid-call.ts";

const operations = await loadOperations();
// Removals come last: a removed record allows few operations.
const writes = (["write", "delete"] as const).flatMap((kind) =>
  operations.filter(({ effect }) => effect === kind),
);
const answerName = ({ output }: Operation) => (isDocument(output) ? null : modelName(output));
const showing = writes.filter((operation) => {
  const { record } = operation.changes;
  return record && answerName(record) === answerName(operation);
});
// At another version the record would exist already.
const onlyOnce = ["customer-locations.add"];
const changing = writes.filter(changesRecord);

const pathOf = (operation: Operation, params: Readonly<Record<string, unknown>>) =>
  routeOf(operation).path.replaceAll(/\{(\w+)\}/g, (_, name) => String(params[name]));

async function send(
  { harness, ...fixture }: Fixture,
  operation: Operation,
  headers: Record<string, string> = {},
): Promise<WireAnswer> {
  const { as, body, params } = toValidCall(operation, { harness, ...fixture });
  return harness.send({
    method: routeOf(operation).method,
    path: pathOf(operation, params),
    headers: { ...harness.headersOf(as), "x-api-version": newestVersion, ...headers },
    body: body && JSON.stringify(body),
  });
}

describe("the operations that change a record", () => {
  it("name the read that shows it, if there is one", () => {
    const without = writes.filter(({ changes }) => !changes.record).map(({ name }) => name);
    expect(without.sort()).toEqual([
      "audit.undo",
      "batch.run",
      "chats.edit",
      "chats.send",
      "contacts.erase",
      "customers.erase",
      "deliveries.replay",
      "gps.record",
      "haulers.connect",
      "haulers.create",
      "hooks.replay",
      "materials.create",
      "retention.apply",
      "retention.update",
      "sandbox.set-clock",
      "tokens.create",
      "tokens.revoke",
      "tokens.rotate",
      "trucks.order-jobs",
      "users.erase",
    ]);
  });

  it("name a read that all their callers may use, and that takes no query", () => {
    for (const { changes, ...operation } of writes) {
      const { record } = changes;
      if (!record) continue;
      const { name } = operation;
      expect([name, record.query]).toEqual([name, {}]);
      expect([name, rolesOf(operation).filter((role) => !rolesOf(record).includes(role))]).toEqual([
        name,
        [],
      ]);
    }
  });

  it("lock it before the comparison, unless they have the tenant to themselves", () => {
    const unlocked = changing.filter(({ changes }) => changes.writes === "rows" && !changes.lock);
    expect(unlocked.map(({ name }) => name)).toEqual([]);
  });
});

describeFixtureOverHttp("the answer of a write that shows a record", (fixture) => {
  // Before 2021/05/07 query parameters change a truck.
  const versions = apiVersions.filter((version) => version >= "2021/05/07");
  const cases = showing.flatMap((operation) =>
    (onlyOnce.includes(operation.name) ? versions.slice(-1) : versions).map(
      (version): [string, ApiVersion, Operation] => [operation.name, version, operation],
    ),
  );

  it.each(cases)("returns the entity tag of the next read: %s at %s", async (_name, version, operation) => {
    const { harness } = fixture;
    const answer = await send(fixture, operation, { "x-api-version": version });
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    const made = JSON.parse(answer.text) as { id?: number; customer_id?: number; secret?: string | null };
    const { as, params } = toValidCall(operation, fixture);
    const { record } = operation.changes;
    const ownId = Object.keys(record?.params ?? {}).find((param) => !(param in params));
    const id = made.id ?? made.customer_id;
    const path = record && pathOf(record, { ...params, ...(ownId && { [ownId]: id }) });
    const headers = { ...harness.headersOf(as), "x-api-version": version };
    const read = await harness.send({ path: path ?? "", headers });
    // Only the caller who sets a secret sees it, so the answers differ.
    const isSecretSet = typeof made.secret === "string" && as !== "Admin";
    if (isSecretSet || !answersRecord(operation)) {
      expect(answer.headers.etag).toBeUndefined();
      expect(answer.text).not.toBe(read.text);
      return;
    }
    expect(answer.headers.etag).toMatch(/^"[\w-]{27}"$/);
    expect(answer.headers.etag).toBe(read.headers.etag);
    expect(answer.text).toBe(read.text);
  });
});

describeFixtureOverHttp("If-Match", (fixture) => {
  it.each(changing.map((operation) => [operation.name, operation] as const))(
    "stops %s on a changed record, and allows it on an unchanged one",
    async (_name, operation) => {
      const { harness } = fixture;
      const { as, params } = toValidCall(operation, fixture);
      const { record } = operation.changes;
      const path = record ? pathOf(record, params) : "";
      const read = await harness.send({
        path,
        headers: { ...harness.headersOf(as), "x-api-version": newestVersion },
      });
      if (read.status === 404) {
        // The record does not exist yet.
        expect((await send(fixture, operation, { "if-match": "*" })).status).toBe(404);
        return;
      }
      const before = harness.store.rowCounts();
      const stale = await send(fixture, operation, { "if-match": '"AAAAAAAAAAAAAAAAAAAAAAAAAAA"' });
      expect([stale.status, JSON.parse(stale.text)]).toMatchObject([412, { code: "precondition_failed" }]);
      expect(harness.store.rowCounts()).toEqual(before);
      const { etag = "" } = read.headers;
      expect((await send(fixture, operation, { "if-match": etag })).status).toBe(200);
    },
  );

  it.each(writes.filter((operation) => !changesRecord(operation)).map((one) => [one.name, one] as const))(
    "is refused without a record to compare: %s",
    async (_name, operation) => {
      const refused = await send(fixture, operation, { "if-match": "*" });
      expect([refused.status, JSON.parse(refused.text)]).toMatchObject([
        400,
        { code: "invalid_header", field: "if-match" },
      ]);
    },
  );
});
