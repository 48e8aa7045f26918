import type { Context } from "../../core/context.ts";
import type { Job } from "../../store/queries/job-record.ts";
import { toNewJob } from "./new-job.ts";

/**
 * Creates the pickup job of a completed job with a pickup_date, with an event of its own (OP-47). A job gets one pickup,
 * however often it is completed; the unique index jobs_by_pickup_of enforces it too.
 */
export async function makePickup({ actor, now, store, changed }: Context, job: Job): Promise<void> {
  if (job.pickup_date === null || (await store.jobs.hasPickup(job.id))) return;
  const fields = toNewJob(
    {
      address_id: job.address_id,
      asset_id: job.asset_dropped_id ?? job.asset_id,
      customer_id: job.customer_id,
      dispatcher_notes: `Pickup of what job ${job.id} left.`,
      requested_by: job.requested_by,
      schedule_date: job.pickup_date,
      type: "P",
    },
    job.location_id,
    actor,
    now,
  );
  const written = await store.jobs.insert(fields, {
    completed_by_driver: false,
    created_on: now,
    pickup_of: job.id,
    returned_by: null,
    returned_by_driver: false,
  });
  changed({
    type: "Job",
    action: "created",
    id: written.job.id,
    before: null,
    after: written.job,
    data: await store.jobs.toEventPayload(written),
  });
}
