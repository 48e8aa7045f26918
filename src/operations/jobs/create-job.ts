import type { Context } from "../../core/context.ts";
import { defineOperation } from "../../core/operation.ts";
import { type DispatchError, failure, throwIfAny } from "../../errors/errors.ts";
import { CreateJobRequestBodyModel } from "../../models/create-job.ts";
import { id } from "../../models/fields.ts";
import { JobModel } from "../../models/job.ts";
import type { Job } from "../../store/queries/job-record.ts";
import { requireLocation } from "../records.ts";
import { findJobViolations, refuseForeignHauler, requireInService } from "./job-references.ts";
import { refuseContradictions } from "./job-steps.ts";
import { isCompletedByDriver, toNewJob } from "./new-job.ts";
import { makePickup } from "./pickup-job.ts";

export const createJob = defineOperation({
  name: "jobs.create",
  summary: "Create a job at a location",
  method: "POST",
  path: "/locations/{location_id}/jobs",
  params: { location_id: id().describe("location identifier") },
  query: {},
  body: CreateJobRequestBodyModel,
  output: JobModel,
  roles: ["Dispatcher", "ThirdPartyDispatcher"],
  effect: "write",
  writes: "rows",
  emits: ["Job"],
  async run(context, { params, body }) {
    const { actor, now, store, changed } = context;
    await requireLocation(context, params.location_id);
    throwIfAny(
      await findJobViolations(context, {
        isChanged: () => true,
        isNew: true,
        job: body,
        locationId: params.location_id,
        model,
      }),
    );
    refuseContradictions(body, model);
    refuseForeignHauler(context, body.third_party_hauler_id, model);
    if (body.truck_id) await requireInService(context, params.location_id, body.truck_id, model);
    const fields = toNewJob(body, params.location_id, actor, now);
    const job = await store.jobs.insert(fields, {
      completed_by_driver: await isCompletedByDriver(context, fields),
      created_on: now,
      returned_by: null,
      returned_by_driver: false,
    });
    const shown = await store.jobs.show(params.location_id, job.id);
    if (!shown) throw toUnseen(context, job);
    changed({
      type: "Job",
      action: "created",
      id: job.id,
      before: null,
      after: job,
      data: await store.jobs.toEventPayload(job),
    });
    if (job.is_completed) await makePickup(context, job);
    return shown;
  },
});

const model = "CreateJobRequestBodyModel";

/**
 * Refuses a job that its creator could not see. Only a caller who works at this location for a hauler, and dispatches at
 * another location, can come here.
 */
function toUnseen({ actor }: Context, { location_id, third_party_hauler_id }: Job): DispatchError {
  const field = `${model}.third_party_hauler_id`;
  const own = actor.user.third_party_hauler_id;
  const detail = `${field} must be ${own}: at location ${location_id} the caller sees the jobs of this hauler only.`;
  return failure(third_party_hauler_id === null ? "missing_value" : "unknown_reference", detail, field);
}
