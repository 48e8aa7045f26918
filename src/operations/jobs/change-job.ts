import type { Context } from "../../core/context.ts";
import type { OperationCure } from "../../errors/cure.ts";
import { DispatchError, throwIfAny } from "../../errors/errors.ts";
import type { UpdateJobProfile } from "../../models/job-changes.ts";
import type { JobAction } from "../../models/job-life.ts";
import {
  completesAsDriver,
  findMissing,
  type JobRequirementName,
  jobRequirements,
} from "../../models/job-requirements.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { StoredJob } from "../../store/queries/job-embeds.ts";
import type { Job } from "../../store/queries/job-record.ts";
import type { ChangingJobMetadata, KeptJob } from "../../store/queries/jobs.ts";
import type { Truck } from "../../store/queries/location-records.ts";
import { found } from "../records.ts";
import {
  findJobViolations,
  refuseForeignHauler,
  refuseTakeover,
  requireInService,
} from "./job-references.ts";
import { requireUndispatched } from "./job-rights.ts";
import {
  type JobRequest,
  refuseContradictions,
  refuseLooseFacts,
  requireSteps,
  toEventAction,
  toSteps,
} from "./job-steps.ts";
import { actsAsDriver, createPickup, isCompletedByDriver, toRouteSettings } from "./new-job.ts";

/** All changes of jobs run here: checks, effects, and one event. Returns the job unchanged if nothing changes. */
export async function changeJob(context: Context, request: JobRequest): Promise<StoredJob> {
  const { store, actor, changed } = context;
  const kept = found(await store.jobs.findToChange(request.locationId, request.jobId), "job", request.jobId);
  const before = kept.job;
  const merged = mergeJob(before, request.sent);
  const names = findChanged(before, merged);
  const steps = toSteps(before, merged, names, request.asked);
  if (steps.length === 0) return store.jobs.showWritten(kept);

  const truck = await requireReferences(context, before, merged, names, request);
  requireUndispatched(actor, before, names);
  refuseContradictions(request.sent, request.model);
  refuseLooseFacts(request.sent, before, merged, request.model);
  requireSteps(before, merged, steps, request);
  if (steps.includes("dispatch")) requireInService({ ...request, truck });
  if (steps.includes("complete")) await requireProof(context, merged);
  // The job has this date already.
  if (names.length === 0 && steps.every((step) => step === "reschedule")) return store.jobs.showWritten(kept);

  const by = await findOwnId(context);
  const after = toOutcome(context, before, merged, { by, sent: request.sent, steps });
  const metadata = await toMetadata(context, kept, after, { by, steps });
  const comesBackFull = steps.includes("return") && after.departed_on !== null && after.dumped_on === null;
  const counts = comesBackFull ? { ...kept.row, return_count: kept.row.return_count + 1 } : kept.row;
  const written = await store.jobs.update(after, metadata, counts, context.now);
  if (comesBackFull) await store.jobParts.addReturn(toFullReturn(after, context.now));
  const shown = await store.jobs.showWritten(written);
  changed({
    type: "Job",
    action: toEventAction(steps),
    id: after.id,
    // With the metadata that list filters read, so that an undo restores it.
    before: { ...before, ...kept.metadata },
    after: { ...after, ...metadata },
    data: await store.jobs.toEventPayload(written, shown),
  });
  if (steps.includes("complete")) await createPickup(context, after);
  return shown;
}

/** Another truck clears the driver's answer, unless the request has a new one. */
function mergeJob(job: Job, sent: UpdateJobProfile): Job {
  const given = Object.entries(sent).filter(([, value]) => value !== undefined);
  const merged: Job = { ...job, ...Object.fromEntries(given) };
  if (sent.add_to_routes_settings)
    merged.add_to_routes_settings = sent.add_to_routes_settings.map(toRouteSettings);
  // As at creation, the customer is the requester unless the request names another.
  if (sent.customer_id === null) merged.customer_id = merged.requested_by;
  if (sent.last_updated_on === null) merged.last_updated_on = job.last_updated_on;
  if (merged.truck_id !== null && merged.truck_id !== job.truck_id) {
    merged.is_acknowledged = sent.is_acknowledged ?? false;
    merged.is_declined = sent.is_declined ?? false;
  }
  return merged;
}

export function findChanged(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): string[] {
  return Object.keys(after).filter((name) => isDifferent(before[name], after[name]));
}

function isDifferent(before: unknown, after: unknown): boolean {
  return before !== after && JSON.stringify(before ?? null) !== JSON.stringify(after ?? null);
}

export async function requireReferences(
  context: Context,
  before: Job,
  job: Job,
  names: readonly string[],
  { locationId, model }: Pick<JobRequest, "locationId" | "model">,
): Promise<Truck | undefined> {
  const isChanged = (name: string) => names.includes(name);
  const truckId = isChanged("truck_id") ? job.truck_id : null;
  const truck = truckId === null ? undefined : await context.store.trucks.find(locationId, truckId);
  throwIfAny(await findJobViolations(context, { isChanged, isNew: false, job, locationId, model, truck }));
  if (isChanged("third_party_hauler_id")) {
    refuseTakeover(context, before, model);
    refuseForeignHauler(context, job.third_party_hauler_id, model);
  }
  return truck;
}

/** `by` is the person who takes the steps. */
interface StepsTaken {
  by: number;
  steps: readonly JobAction[];
}

/** Does not change fields that the request sets itself. */
function toOutcome(
  { now }: Context,
  before: Job,
  merged: Job,
  { by, sent, steps }: StepsTaken & { sent: UpdateJobProfile },
): Job {
  const job: Job = { ...merged, last_updated_on: sent.last_updated_on ?? now };
  for (const step of steps) {
    switch (step) {
      case "reopen":
        job.completed_by = null;
        job.completed_on = null;
        break;
      case "complete":
        job.completed_by = sent.completed_by ?? by;
        job.completed_on = sent.completed_on ?? now;
        break;
      case "fail":
        if (job.times_failed === before.times_failed) job.times_failed += 1;
        break;
      case "dispatch":
        job.dispatched_on = sent.dispatched_on ?? now;
        break;
      case "return":
        job.dispatched_on = null;
        break;
    }
  }
  return job;
}

/** Facts that only filters of lists read. */
async function toMetadata(
  context: Context,
  { metadata, job: before }: KeptJob,
  after: Job,
  { by, steps }: StepsTaken,
): Promise<ChangingJobMetadata> {
  const isSameCompletion =
    before.is_completed === after.is_completed && before.completed_by === after.completed_by;
  return {
    ...metadata,
    ...(!isSameCompletion && { completed_by_driver: await isCompletedByDriver(context, after) }),
    ...(steps.includes("return") && {
      returned_by: by,
      returned_by_driver: actsAsDriver(context.actor),
    }),
  };
}

/** The truck departed and did not dump, so the asset came back full: our reading of an undefined term. */
function toFullReturn({ asset_id, driver_notes, id }: Job, now: Timestamp) {
  return { asset_id, created_on: now, job_id: id, note: driver_notes };
}

const addedBy: Record<JobRequirementName, OperationCure> = {
  require_image: { operation: "jobs.add-image" },
  require_material: { operation: "jobs.add-material", body: { material_name: "{material_name}" } },
  require_materials: { operation: "jobs.add-item" },
  require_signature: { operation: "jobs.add-image", body: { description: "signature" } },
  require_weights: {
    operation: "jobs.add-material",
    body: { heavy_weight: "{heavy_weight}", light_weight: "{light_weight}" },
  },
};

/** Names all missing parts. */
async function requireProof({ actor, store }: Context, job: Job): Promise<void> {
  if (!completesAsDriver(actor.roles)) return;
  if (!jobRequirements.some(({ field }) => job[field])) return;
  const missing = findMissing(job, await store.jobParts.proofOf(job.id));
  const [first] = missing;
  if (!first) return;
  const named = missing.map(({ field, missing: what }) => `${what}, for ${field}`).join("; ");
  const detail = `Job ${job.id} cannot be completed by a driver yet. Missing: ${named}. A dispatcher can complete it without.`;
  const field = "UpdateJobProfileModel.is_completed";
  const see = { ...addedBy[first.field], params: { job_id: job.id, location_id: job.location_id } };
  throw new DispatchError([{ code: "state_conflict", detail, field, see }]);
}

/** The driver id only if a driver role allows the action and no other user has that number; else the user id. */
async function findOwnId({ actor: { roles, user }, store }: Context): Promise<number> {
  const { driver_id: driverId } = user;
  if (driverId === null || !completesAsDriver(roles)) return user.id;
  const person = await store.people.find(driverId);
  return person?.kind === "driver" ? driverId : user.id;
}
