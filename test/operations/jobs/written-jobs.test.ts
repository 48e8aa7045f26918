import { beforeEach, expect, it } from "vitest";
import type { Role } from "../../../src/models/user.ts";
import type { OperationName } from "../../../src/operations/index.ts";
import { wholeTenant } from "../../../src/store/access/row-scopes.ts";
import { aJob, type Json } from "../../support/builders.ts";
import { addFleet } from "../../support/fleet.ts";
import type { HarnessAnswer } from "../../support/harness.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";
import type { Caller } from "../../support/tenants.ts";

/** Every operation that changes a job and returns it, in sequence, on a job with embedded records. */
const changes: readonly [OperationName, Json][] = [
  ["jobs.update", { dispatcher_notes: 'Ring "twice"\u2028', asset_quantity: 2, priority: -3, flags: null }],
  ["jobs.update", { is_acknowledged: true, departed_on: "2026-11-20T08:00:00Z" }],
  // The job leaves its truck with a full asset, which its answer shows.
  ["jobs.dispatch", { truck_id: null }],
  ["jobs.dispatch", { new_schedule_date: "2026-12-24" }],
  ["jobs.add-image", { description: "signature", url: "https://example.com/1.jpg" }],
  ["jobs.add-image", { url: "https://example.com/2.jpg" }],
  ["jobs.add-material", { heavy_weight: 3.25, material_name: "Gravel" }],
  // This update changes nothing.
  ["jobs.update", {}],
  ["jobs.update", { is_completed: true }],
];

describeOnEveryTarget("a job that was written", (harness) => {
  let made: Json;

  beforeEach(async () => {
    const { acme } = harness;
    const fleet = addFleet(harness.store, acme);
    made = aJob(acme, {
      add_to_routes: "1",
      add_to_routes_settings: [{ route_id: 1 }],
      asset_dropped_id: addFleet(harness.store, acme).assetId,
      asset_id: fleet.assetId,
      asset_type_id: fleet.assetTypeId,
      pickup_date: "2026-12-31",
      third_party_hauler_id: acme.haulerId,
      truck_id: acme.haulerTruckId,
      type: "E",
    });
  });

  /**
   * Expects the last event's payload to equal the job that a read-only transaction returns, with embedded records.
   */
  const expectEvent = async (jobId: unknown) => {
    const { acme, service, store } = harness;
    const event = store
      .rows("events")
      .findLast(({ kind, record_id }) => kind === "Job" && record_id === jobId);
    const scope = { tenantId: acme.tenantId, rowScopes: wholeTenant };
    const payload = await service.store.read(scope, async ({ jobs }) => {
      const kept = await jobs.find(acme.locationId, Number(jobId));
      return kept && jobs.toEventPayload(kept);
    });
    expect(JSON.parse(String(event?.data))).toEqual(JSON.parse(JSON.stringify(payload)));
  };

  const expectSame = async (as: Role | Caller) => {
    const params = { location_id: harness.acme.locationId };
    const job = await harness.call("jobs.create", { as, params, body: made });
    const { id } = job.body as { id: number };
    const place = { ...params, job_id: id };
    const expectRead = async ({ body }: HarnessAnswer) => {
      const read = await harness.call("jobs.get", { as, params: place });
      expect(JSON.stringify(body)).toBe(JSON.stringify(read.body));
      await expectEvent(id);
    };
    await expectRead(job);
    for (const [name, body] of changes)
      await expectRead(await harness.call(name, { as, params: place, body }));
    const item = { deduct_weight: 0, description: "Tyre", heavy_weight: 1 };
    await harness.ok("jobs.add-item", { as, params: place, body: item });
    await expectEvent(id);
    const pickup = harness.store.rows("jobs").find(({ pickup_of }) => pickup_of === id);
    await expectEvent(pickup?.id);
  };

  it("is returned to a dispatcher and sent to webhooks as the next read returns it", () =>
    expectSame("Dispatcher"));

  it("is also equal for a dispatcher of one location or a hauler, although they see only a part of its records", async () => {
    const { locationId } = harness.acme;
    await expectSame(await harness.addCaller({ location_id: locationId, roles: ["Dispatcher"] }));
    // The hauler sees the customer only once it has a job there.
    const body = { ...made, third_party_hauler_id: harness.acme.haulerId };
    await harness.ok("jobs.create", { params: { location_id: locationId }, body });
    await expectSame("ThirdPartyDispatcher");
  });
});
