import { failure, throwIfAny } from "../../errors.ts";
import { type CreateJobRequestBody, CreateJobRequestBodyModel } from "../../models/create-job.ts";
import { id } from "../../models/fields.ts";
import { JobModel } from "../../models/job.ts";
import { defineOperation } from "../../operation.ts";
import { found, requireLocation } from "../records.ts";
import { findJobViolations, refuseForeignHauler, requireInService } from "./job-references.ts";
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
  emits: ["Job"],
  cli: {
    example: "jobs create --location 1 --type D --requested-by 1 --address-id 1 --schedule-date 2026-12-01",
  },
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
    refuseContradictions(body);
    refuseForeignHauler(context, body.third_party_hauler_id, model);
    if (body.truck_id) await requireInService(context, params.location_id, body.truck_id, model);
    const fields = toNewJob(body, params.location_id, actor, now);
    const job = await store.jobs.insert(fields, {
      completed_by_driver: await isCompletedByDriver(context, fields),
      created_on: now,
      returned_by: null,
      returned_by_driver: false,
    });
    const shown = found(await store.jobs.show(params.location_id, job.id), "job", job.id);
    changed({
      type: "Job",
      action: "created",
      id: job.id,
      before: null,
      after: job,
      data: await store.jobs.tell(job),
    });
    if (job.is_completed) await makePickup(context, job);
    return shown;
  },
});

const model = "CreateJobRequestBodyModel";

/** OP-44: not completed and failed at once, nor acknowledged and declined. */
function refuseContradictions({
  is_acknowledged,
  is_completed,
  is_declined,
  is_failed,
}: CreateJobRequestBody): void {
  if (is_completed && is_failed)
    throw failure("state_conflict", "A job cannot be completed and failed at once.", `${model}.is_failed`);
  if (is_acknowledged && is_declined) {
    throw failure(
      "state_conflict",
      "A job cannot be acknowledged and declined at once.",
      `${model}.is_declined`,
    );
  }
}
