import { beforeAll, expect, it } from "vitest";
import { isRepeatable, type Operation } from "../../../src/core/operation.ts";
import { loadOperation, loadOperations, type OperationName } from "../../../src/operations/index.ts";
import { aJob, aTruck, type Json } from "../../support/builders.ts";
import { describeFixtureInProcess } from "../../support/fixture.ts";
import type { Harness } from "../../support/harness.ts";
import { describeInProcess } from "../../support/targets.ts";
import { toValidCall } from "../../support/valid-call.ts";

/** The effect of undoing each operation, in an order in which all can run. */
const outcomes: Readonly<Record<string, "as before" | "out of use" | "refused" | "nothing to take back">> = {
  "addresses.add": "out of use",
  "addresses.remove": "as before",
  "addresses.update": "as before",
  "asset-types.create": "out of use",
  "asset-types.update": "as before",
  "assets.create": "refused",
  "assets.update": "as before",
  "audit.undo": "nothing to take back",
  "chats.edit": "refused",
  "chats.send": "refused",
  "contacts.add": "refused",
  "contacts.update": "as before",
  "customer-locations.add": "out of use",
  "customer-locations.remove": "as before",
  "customer-locations.update": "as before",
  "contacts.erase": "refused",
  "customers.create": "out of use",
  "customers.erase": "refused",
  "customers.update": "as before",
  "deliveries.replay": "refused",
  "drivers.create": "out of use",
  "drivers.update": "as before",
  "dump-destinations.create": "out of use",
  "dump-destinations.update": "as before",
  "gps.record": "nothing to take back",
  "haulers.connect": "refused",
  "hooks.create": "out of use",
  "hooks.rotate-secret": "refused",
  "hooks.update": "refused",
  "hooks.delete": "refused",
  "hooks.enable": "refused",
  // The period of this call has no deliveries. A test below covers a period with some.
  "hooks.replay": "nothing to take back",
  "jobs.create": "out of use",
  "jobs.update": "as before",
  "jobs.dispatch": "as before",
  // The job is alone on its truck, so it does not move. A test below covers trucks with several jobs.
  "jobs.move": "nothing to take back",
  "jobs.add-image": "refused",
  "jobs.add-item": "refused",
  "jobs.add-material": "refused",
  "retention.apply": "nothing to take back",
  "retention.update": "refused",
  "users.erase": "refused",
  "locations.create": "out of use",
  "locations.update": "as before",
  "materials.create": "refused",
  "tokens.create": "out of use",
  "tokens.rotate": "refused",
  "tokens.revoke": "refused",
  "trucks.create": "out of use",
  // A single job is in order already.
  "trucks.order-jobs": "nothing to take back",
  "trucks.update": "as before",
  "users.create": "out of use",
  "users.update": "as before",
};

describeFixtureInProcess("undoing each kind of write", (fixture) => {
  it("covers every operation that writes", async () => {
    // A batch leaves the entries of its operations.
    const isWrite = (operation: Operation) =>
      isRepeatable(operation) && operation.name !== "batch.run" && !operation.ofServer;
    const names = (await loadOperations()).filter(isWrite).map(({ name }) => name);
    expect(Object.keys(outcomes).toSorted(), "add its line to `outcomes` in this file").toEqual(
      names.toSorted(),
    );
  });

  it.each(Object.entries(outcomes))("%s: %s", async (name, outcome) => {
    const { harness } = fixture;
    advance(harness);
    const { as, ...call } = toValidCall(await loadOperation(name as OperationName), fixture);
    const before = contents(harness);
    await harness.ok(name as OperationName, { as, ...call });
    const made = contents(harness);
    const { body, status } = await harness.call("audit.last", { as });
    const last = body as { id: number; operation: string };
    if (outcome === "nothing to take back")
      return expect([status === 404, last.operation]).not.toContain(name);
    expect(last.operation).toBe(name);
    const undone = await harness.call("audit.undo", { as, params: { audit_id: last.id } });
    expect([undone.status, undone.body]).toEqual([outcome === "refused" ? 409 : 200, expect.anything()]);
    const after = contents(harness);
    if (outcome === "refused") return expect(after).toEqual(made);
    // Every earlier row has its old values in all columns. Only a new, inactive record may remain.
    for (const [id, row] of before) expect([id, after.get(id)]).toEqual([id, row]);
    expect(after.size - before.size).toBe(outcome === "as before" ? 0 : made.size - before.size);
    if (outcome === "out of use") expect(after).not.toEqual(made);
  });
});

for (const name of ["hooks.replay", "deliveries.replay"] as const)
  describeFixtureInProcess(`undoing ${name}`, (fixture) => {
    it("is refused: the delivery and its webhook stay unchanged", async () => {
      const { harness, own } = fixture;
      advance(harness);
      const params = { hook_id: own.hook_id };
      const period = { delivered: true, from: "2020-01-01T00:00:00Z" };
      const body = name === "hooks.replay" ? period : { delivery_id: own.delivery_id };
      expect((await harness.ok(name, { params, body })).count).toBe(1);
      const before = contents(harness);
      const last = await harness.ok("audit.last", {});
      expect(last.operation).toBe(name);
      const undone = await harness.call("audit.undo", { params: { audit_id: last.id } });
      expect(undone.status).toBe(409);
      expect(contents(harness)).toEqual(before);
    });
  });

describeInProcess("undoing a change of a job", (harness) => {
  const at = () => ({ location_id: harness.acme.locationId });
  let [truckId, otherId, jobId] = [0, 0, 0];
  beforeAll(async () => {
    truckId = (await harness.ok("trucks.create", { params: at(), body: aTruck() })).id;
    otherId = (await harness.ok("trucks.create", { params: at(), body: aTruck() })).id;
  });

  type Step = (trucks: {
    one: number;
    other: number;
  }) => ["jobs.dispatch" | "jobs.move" | "jobs.update", Json];
  const update =
    (body: Json): Step =>
    () => ["jobs.update", body];
  const on: Step = ({ one }) => ["jobs.dispatch", { truck_id: one }];
  const onOther: Step = ({ other }) => ["jobs.dispatch", { truck_id: other }];
  const off: Step = () => ["jobs.dispatch", { truck_id: null }];
  const [completed, failed] = [
    update({ is_completed: true }),
    update({ is_failed: true, fail_reason: "Locked" }),
  ];
  const cases: Readonly<Record<string, Step[]>> = {
    "put on a truck": [on],
    "taken off it, acknowledged": [on, update({ is_acknowledged: true }), off],
    "taken off it with its load, which notes a full return": [
      on,
      update({ departed_on: "2026-11-20T08:00:00Z" }),
      off,
    ],
    "put on another, declined by the first": [on, update({ is_declined: true }), onOther],
    "put on a truck and rescheduled": [
      ({ one }) => ["jobs.dispatch", { new_schedule_date: "2026-12-05", truck_id: one }],
    ],
    "completed with notes": [on, update({ is_completed: true, driver_notes: "Left at the gate" })],
    reopened: [on, completed, update({ is_completed: false })],
    failed: [on, failed],
    "tried again": [on, failed, update({ is_failed: false })],
    "completed after it had failed": [on, failed, update({ is_failed: false, is_completed: true })],
    deleted: [on, update({ is_acknowledged: true }), update({ is_deleted: true })],
    "deleted with a note": [on, update({ dispatcher_notes: "Twice", is_deleted: true })],
    restored: [on, completed, update({ is_deleted: true }), update({ is_deleted: false })],
    "given other notes, flags and routes": [
      update({ add_to_routes: "4, 5", add_to_routes_settings: [{ route_id: 5 }], priority: -4, type: "E" }),
    ],
  };

  it.each(Object.entries(cases))("restores the state before the job was %s", async (_, steps) => {
    jobId = (await harness.ok("jobs.create", { params: at(), body: aJob(harness.acme) })).id;
    const take = async (step: Step | undefined) => {
      advance(harness);
      const [name, body] = step?.({ one: truckId, other: otherId }) ?? ["jobs.update", {}];
      await harness.ok(name, { body, params: { ...at(), job_id: jobId } });
    };
    for (const step of steps.slice(0, -1)) await take(step);
    const before = contents(harness);
    await take(steps.at(-1));
    expect(contents(harness)).not.toEqual(before);
    advance(harness);
    const { id } = await harness.ok("audit.last", { query: { record_id: jobId, record_type: "Job" } });
    await harness.ok("audit.undo", { params: { audit_id: id } });
    expect(contents(harness)).toEqual(before);
  });

  it("restores the position of every job after a move that renumbered them, and after a reorder", async () => {
    const make = async () =>
      (await harness.ok("jobs.create", { params: at(), body: aJob(harness.acme, { truck_id: otherId }) })).id;
    const [first = 0, second = 0, third = 0] = [await make(), await make(), await make()];
    const before = contents(harness);
    advance(harness);
    await harness.ok("jobs.move", { body: { before: second }, params: { ...at(), job_id: third } });
    const { id } = await harness.ok("audit.last");
    const { records } = await harness.ok("audit.undo", { params: { audit_id: id } });
    expect(records.length).toBeGreaterThan(1);
    expect(contents(harness)).toEqual(before);
    advance(harness);
    const onTruck = { ...at(), truck_id: otherId };
    await harness.ok("trucks.order-jobs", { body: { jobs: [third, second, first] }, params: onTruck });
    const ordered = await harness.ok("audit.last");
    expect(ordered.operation).toBe("trucks.order-jobs");
    await harness.ok("audit.undo", { params: { audit_id: ordered.id } });
    expect(contents(harness)).toEqual(before);
  });

  it("refuses to return a job to a truck that went out of service, and gives the reason", async () => {
    const job = await harness.ok("jobs.create", {
      params: at(),
      body: aJob(harness.acme, { truck_id: truckId }),
    });
    advance(harness);
    await harness.ok("jobs.dispatch", { body: { truck_id: null }, params: { ...at(), job_id: job.id } });
    const { id } = await harness.ok("audit.last");
    await harness.ok("trucks.update", {
      body: { out_of_service: true },
      params: { ...at(), truck_id: truckId },
    });
    const refused = await harness.refused("audit.undo", { params: { audit_id: id } });
    expect(refused).toMatchObject({ status: 409, detail: expect.stringContaining("is out of service") });
  });
});

let second = 0;
function advance({ clock }: Harness): void {
  second += 1;
  clock.set(
    `2026-11-21T13:${String(Math.floor(second / 60)).padStart(2, "0")}:${String(second % 60).padStart(2, "0")}.000000`,
  );
}

/** The tables of records, without timestamps of changes and without derived columns. */
const tables = [
  ...[
    "addresses",
    "asset_types",
    "assets",
    "chat_messages",
    "contacts",
    "customer_locations",
    "customers",
    "drivers",
  ],
  ...[
    "dump_destinations",
    "hauler_connections",
    "hooks",
    "job_images",
    "job_items",
    "job_materials",
    "job_returns",
  ],
  ...["jobs", "locations", "materials", "tokens", "trucks", "users"],
];

function contents({ store }: Harness): Map<string, string> {
  const all = store.contents() as Record<string, Record<string, unknown>[]>;
  const rows = tables.flatMap((table) =>
    (all[table] ?? []).map((row) => {
      const key = [table, row.id ?? `${row.customer_id} ${row.location_id}`].join(" ");
      const { changed_on: _, last_updated_on: __, revision: ___, ...lasting } = row;
      return [
        key,
        JSON.stringify(lasting).replaceAll(/\\?"last_updated_on\\?":\\?"[^"\\]*\\?",?/g, ""),
      ] as const;
    }),
  );
  return new Map(rows);
}
