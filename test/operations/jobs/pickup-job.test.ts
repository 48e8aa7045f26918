import { expect, it } from "vitest";
import { addFleet } from "../../support/fleet.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";
import { testStart } from "../../support/test-clock.ts";
import { inYardOf, whatIsLeftBy } from "./a-job-of.ts";

const pickup_date = "2026-12-24T00:00:00.000000";

describeOnEveryTarget("the pickup job of a completed job", (harness) => {
  const yard = inYardOf(harness);
  const pickupsOf = (id: number) => harness.store.rows("jobs").filter(({ pickup_of }) => pickup_of === id);

  it("picks up the dropped asset from its place, on the pickup date", async () => {
    const { acme } = harness;
    const { assetId } = addFleet(harness.store, acme);
    const dropped = addFleet(harness.store, acme).assetId;
    const job = await yard.create({
      asset_dropped_id: dropped,
      asset_id: assetId,
      pickup_date,
      truck_id: acme.truckId,
      type: "E",
    });
    const left = await whatIsLeftBy(harness, () =>
      yard.updated(job.id, { is_completed: true }, { as: "Driver" }),
    );
    const [row] = pickupsOf(job.id);
    const pickup = await yard.get(Number(row?.id));
    expect(pickup).toMatchObject({
      address_id: acme.addressId,
      asset: { id: dropped },
      asset_dropped_id: null,
      asset_id: dropped,
      created_by: acme.callers.Driver.user.id,
      created_by_driver: true,
      customer_id: acme.customerId,
      dispatcher_notes: `Pickup for job ${job.id}.`,
      is_completed: false,
      location_id: acme.locationId,
      original_schedule_date: pickup_date,
      pickup_date: null,
      requested_by: acme.customerId,
      requested_on: testStart,
      schedule_date: pickup_date,
      truck_id: null,
      type: "P",
    });
    expect(left.events).toMatchObject([
      { action: "completed", kind: "Job", record_id: job.id },
      { action: "created", data: { asset: { id: dropped } }, kind: "Job", record_id: pickup.id },
    ]);
    expect(left.audit).toMatchObject([
      { action: "completed", operation: "jobs.update", record_id: job.id },
      { action: "created", before: null, operation: "jobs.update", record_id: pickup.id },
    ]);
  });

  it("picks up the asset of the job if none was dropped", async () => {
    const { assetId } = addFleet(harness.store, harness.acme);
    const { id } = await yard.create({ asset_id: assetId });
    // The request that completes the job may set the date.
    await yard.updated(id, { is_completed: true, pickup_date });
    expect(pickupsOf(id)).toMatchObject([{ asset_id: assetId }]);
  });

  it("is created once, however often the job is completed", async () => {
    const { id } = await yard.create({ pickup_date });
    for (const is_completed of [true, true, false, true, false, true])
      await yard.updated(id, { is_completed });
    expect(pickupsOf(id)).toHaveLength(1);
  });

  it("is also created for a job that is created as completed", async () => {
    const { id } = await yard.create({ is_completed: true, pickup_date });
    expect(pickupsOf(id)).toHaveLength(1);
  });

  it("is not created without a pickup date, or when the completion is refused", async () => {
    const { id } = await yard.create();
    await yard.updated(id, { is_completed: true });
    expect(pickupsOf(id)).toEqual([]);
    const failed = await yard.create({ is_failed: true, pickup_date });
    expect((await yard.update(failed.id, { is_completed: true })).status).toBe(409);
    expect(pickupsOf(failed.id)).toEqual([]);
  });
});
