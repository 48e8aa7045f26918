import type { Context } from "../../core/context.ts";
import { defineOperation } from "../../core/operation.ts";
import { type DispatchError, failure, throwIfAny } from "../../errors/errors.ts";
import { CreateJobRequestBodyModel } from "../../models/create-job.ts";
import { id } from "../../models/fields.ts";
import { JobModel } from "../../models/job.ts";
import type { Job } from "../../store/queries/job-record.ts";
import { requireLocation } from "../records.ts";
import { findJobViolations, refuseForeignHauler, requireInService } from "./job-references.ts";
import { refuseContradictions, refuseLooseFacts } from "./job-steps.ts";
import { createPickup, dispatchesForHauler, isCompletedByDriver, toNewJob } from "./new-job.ts";
import { getJob } from "./read-jobs.ts";

export const createJob = defineOperation({
  name: "jobs.create",
  summary: "Create a job at a location",
  route: "POST /locations/{location_id}/jobs",
  params: { location_id: id().describe("location identifier") },
  body: CreateJobRequestBodyModel,
  output: JobModel,
  allow: ["Dispatcher", "ThirdPartyDispatcher"],
  changes: { record: getJob, writes: "rows", emits: ["Job"] },
  async run(context, { params, body }) {
    const { actor, now, store, changed } = context;
    const { location_id: locationId } = params;
    // One round trip on PostgreSQL. The customer stays in the transaction's memory for the checks.
    const [, truck] = await Promise.all([
      requireLocation(context, locationId),
      body.truck_id ? store.trucks.find(locationId, body.truck_id) : undefined,
      store.customers.findAt(locationId, body.customer_id ?? body.requested_by),
      store.jobs.prepareToWrite(),
    ]);
    const check = {
      isChanged: () => true,
      isNew: true,
      isOfOwnHauler: await isOfOwnHauler(context, locationId, body.third_party_hauler_id ?? null),
      job: body,
      locationId,
      model,
      truck,
    };
    throwIfAny(await findJobViolations(context, check));
    refuseContradictions(body, model);
    refuseLooseFacts(
      body,
      null,
      { is_completed: body.is_completed ?? false, truck_id: body.truck_id ?? null },
      model,
    );
    refuseForeignHauler(context, body.third_party_hauler_id, model);
    requireInService(check);
    const fields = toNewJob(body, locationId, actor, now);
    const written = await store.jobs.insert(fields, {
      completed_by_driver: await isCompletedByDriver(context, fields),
      created_on: now,
      returned_by: null,
      returned_by_driver: false,
    });
    const { job } = written;
    if (!(await store.jobs.isSeen(job.id))) throw toUnseen(context, job);
    const shown = await store.jobs.showWritten(written);
    changed({
      type: "Job",
      action: "created",
      id: job.id,
      before: null,
      after: job,
      data: await store.jobs.toEventPayload(written, shown),
    });
    if (job.is_completed) await createPickup(context, job);
    return shown;
  },
});

const model = "CreateJobRequestBodyModel";

/** A caller who works here for a hauler could create a job at this location and not see it. */
function toUnseen({ actor }: Context, { location_id, third_party_hauler_id }: Job): DispatchError {
  const field = `${model}.third_party_hauler_id`;
  const own = actor.user.third_party_hauler_id;
  const detail = `${field} must be ${own}: at location ${location_id} the caller sees the jobs of this hauler only.`;
  return failure(third_party_hauler_id === null ? "missing_value" : "unknown_reference", detail, field);
}

/** For its own hauler, at a location where the hauler works, the caller may name hidden customers and addresses. */
async function isOfOwnHauler(
  { actor: { roles, user }, store }: Context,
  locationId: number,
  wanted: string | null,
): Promise<boolean> {
  const own = user.third_party_hauler_id?.toLowerCase();
  if (!own || !roles.includes("ThirdPartyDispatcher")) return false;
  const isOwn = wanted === null ? dispatchesForHauler(roles) : wanted.toLowerCase() === own;
  return isOwn && store.locations.isOfHauler(locationId, own);
}
