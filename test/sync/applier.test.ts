import { beforeAll, expect, it } from "vitest";
import type { Client } from "../../src/client/client.ts";
import type { Operation } from "../../src/core/operation.ts";
import { DispatchError, type Violation } from "../../src/errors/errors.ts";
import { loadOperation } from "../../src/operations/index.ts";
import { createApplier } from "../../src/sync/applier.ts";
import { createKnownNumbers, toPlaceholder } from "../../src/sync/placeholders.ts";
import type { Calls, Plan, PlannedCall } from "../../src/sync/planner.ts";
import { createLocalClient } from "../support/local-client.ts";
import { describeInProcess } from "../support/targets.ts";

describeInProcess("an applier", (harness) => {
  let client: Client;
  let path: { location_id: number };
  let operations: { create: Operation; update: Operation };
  let before: number;

  beforeAll(async () => {
    client = createLocalClient(harness.service, harness.acme.owner);
    path = { location_id: harness.acme.locationId };
    const [create, update] = await Promise.all([
      loadOperation("trucks.create"),
      loadOperation("trucks.update"),
    ]);
    operations = { create, update };
    before = (await client.trucks.list({ params: path })).results.length;
  });

  const toPlan = (calls: () => Calls): Plan => ({ action: "create", body: {}, calls });
  const create = (body: PlannedCall["body"]) => ({ operation: operations.create, path, body });
  const update = (id: unknown, body: PlannedCall["body"]) => ({
    operation: operations.update,
    path: { ...path, truck_id: id },
    body,
  });
  const refuseNothing = (violations: readonly Violation[]) => expect(violations).toEqual([]);
  /** The trucks that the tests created. */
  const trucks = async () => (await client.trucks.list({ params: path })).results.slice(before);
  const named = async (name: string) => (await trucks()).filter((truck) => truck.name === name);

  it("passes each answer to the plan, which uses it", async () => {
    const plan = toPlan(function* (): Calls {
      const { id } = yield create({ name: "First" });
      yield update(id, { notes: "second" });
    });
    expect(await createApplier({ client }).apply(plan, refuseNothing)).toBe(true);
    expect(await named("First")).toMatchObject([{ notes: "second" }]);
  });

  it("stores nothing in a dry run, and skips calls that need records that were not created", async () => {
    const plan = toPlan(function* (): Calls {
      const { id } = yield create({ name: "Dry" });
      yield { ...update(id, { notes: "x" }), needsRecord: true };
    });
    expect(await createApplier({ client }, { dryRun: true }).apply(plan, refuseNothing)).toBe(true);
    expect(await named("Dry")).toEqual([]);
  });

  it("throws a refusal into the plan, which may continue, and reports a refusal that the plan does not catch", async () => {
    const refused: Violation[] = [];
    const plan = toPlan(function* (): Calls {
      try {
        yield create({ name: 7 });
      } catch (error) {
        expect(error).toBeInstanceOf(DispatchError);
      }
      yield create({ name: "Went on" });
      yield create({ name: 8 });
      yield create({ name: "Never" });
    });
    const applier = createApplier({ client });
    expect(await applier.apply(plan, (violations) => refused.push(...violations))).toBe(false);
    expect(refused.map(({ code }) => code)).toEqual(["wrong_type"]);
    expect([await named("Went on"), await named("Never")]).toMatchObject([[{ notes: null }], []]);
  });

  it("makes late calls at the end, with the ids of the records created before", async () => {
    const known = createKnownNumbers();
    const applier = createApplier({ client }, { known });
    const driver = await client.call("drivers.create", { params: path, body: { name: "Late" } });
    const plan = toPlan(function* (): Calls {
      const { id } = yield create({ name: "Early" });
      yield {
        ...update(id, { driver_id: toPlaceholder("Driver", 12) }),
        late: { references: { driver_id: "Driver" } },
      };
    });
    await applier.apply(plan, refuseNothing);
    expect(await named("Early")).toMatchObject([{ driver_id: null }]);
    known.set("Driver", 12, driver.id);
    await applier.finish();
    expect(await named("Early")).toMatchObject([{ driver_id: driver.id }]);
  });

  it("stops at an error that is not caused by the record", async () => {
    const driver = { ...harness.acme.owner, roles: ["Driver"] as const };
    const applier = createApplier({ client: createLocalClient(harness.service, driver) });
    const plan = toPlan(function* (): Calls {
      yield create({ name: "Not allowed" });
    });
    await expect(applier.apply(plan, refuseNothing)).rejects.toMatchObject({ code: "role_not_allowed" });
    expect(await named("Not allowed")).toEqual([]);
  });
});
