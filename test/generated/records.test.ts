import { beforeAll, expect, it } from "vitest";
import { type Operation, rolesOf } from "../../src/core/operation.ts";
import { loadOperations } from "../../src/operations/index.ts";
import { aCustomer } from "../support/builders.ts";
import { describeFixture, type Fixture } from "../support/fixture.ts";
import type { HarnessAnswer } from "../support/harness.ts";
import { unknownId } from "../support/role-table.ts";
import { nameOf, toParams, toValidCall } from "../support/valid-call.ts";

const withParams = (await loadOperations()).filter(
  ({ ofServer, params }) => !ofServer && Object.keys(params).length > 0,
);

/** The parameters before the last one that name its parent. */
const parentsOf = ({ params }: Operation) =>
  (["customer_id", "location_id"] as const).filter((name) => Object.keys(params).slice(0, -1).includes(name));
/** A user without a location, and a customer at several locations, have no single parent. */
const ofNoParent = /^users\.|^customer-locations\.|^locations\.customer$/;
const withParents = withParams.filter(
  (operation) => parentsOf(operation).length > 0 && !ofNoParent.test(operation.name),
);

/** Haulers belong to no tenant, so no hauler is foreign. */
const ofNobody = ["hauler_uuid"];

describeFixture("the ids in a path", (fixture) => {
  let otherCustomerId = 0;
  const call = (operation: Operation, params: Record<string, string | number>) => {
    const valid = toValidCall(operation, fixture);
    return fixture.harness.call(nameOf(operation), { ...valid, params: { ...valid.params, ...params } });
  };

  let before: unknown;
  beforeAll(async () => {
    const { harness, own } = fixture;
    const params = { location_id: Number(own.location_id) };
    otherCustomerId = (await harness.ok("customers.create", { params, body: aCustomer() })).id;
    before = harness.store.contents();
  });

  it.each(withParams)("of $name: an unknown id answers 404", async (operation) => {
    const names = Object.keys(operation.params);
    for (const name of names) {
      const answer = await call(operation, { [name]: unknownId(name) });
      expect([name, answer.status, answer.body]).toMatchObject([name, 404, { code: "record_not_found" }]);
    }
    expect((await call(operation, toUnknown(names))).status).toBe(404);
  });

  it.each(withParams)("of $name: an id of another tenant answers the same 404", async (operation) => {
    const foreign = toParams(operation, fixture.foreign);
    const names = Object.keys(foreign).filter((name) => !ofNobody.includes(name));
    for (const some of [...names.map((name) => [name]), names]) {
      if (some.length === 0) continue;
      const told = await call(operation, pick(foreign, some));
      expect([some, toWords(told)]).toEqual([some, toWords(await call(operation, toUnknown(some)))]);
      expect(told.status).toBe(404);
    }
  });

  it.each(withParents)("of $name: an id of another location or customer answers 404", async (operation) => {
    const others = { customer_id: otherCustomerId, location_id: fixture.otherLocationId };
    for (const parent of parentsOf(operation)) {
      const answer = await call(operation, { [parent]: others[parent] });
      expect([parent, answer.status, answer.body]).toMatchObject([parent, 404, { code: "record_not_found" }]);
    }
  });

  it("change nothing in the store when they are refused", () => {
    expect(fixture.harness.store.contents()).toEqual(before);
  });

  it("belong to the records of two tenants, and their owners can read them", async () => {
    await expectOwn(fixture);
  });
});

/**
 * Without this check, a mistake in the fixture would make foreign ids unknown ones, and the tests would still pass.
 */
async function expectOwn(fixture: Fixture): Promise<void> {
  const { harness, foreign } = fixture;
  for (const operation of withParams.filter(({ effect }) => effect === "read")) {
    if (!rolesOf(operation).some((role) => role === "Admin" || role === "Dispatcher")) continue;
    const { params: _own, ...call } = toValidCall(operation, fixture);
    const theirs = { ...call, as: harness.globex.caller, params: toParams(operation, foreign) };
    expect([operation.name, (await harness.call(nameOf(operation), theirs)).status]).toEqual([
      operation.name,
      200,
    ]);
  }
}

const toUnknown = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, unknownId(name)]));

const pick = (params: Record<string, string | number>, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, params[name] ?? ""]));

/** The answer without ids and without its request id. */
function toWords({ status, body }: HarnessAnswer): unknown {
  const text = JSON.stringify({ ...(body as object), request_id: null });
  return [status, text.replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b|\b\d+\b/g, "#")];
}
