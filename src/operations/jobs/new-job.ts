import type { Actor } from "../../core/actor.ts";
import type { Context } from "../../core/context.ts";
import { type CreateJobRequestBody, jobDefaults } from "../../models/create-job.ts";
import { jobStoredFields } from "../../models/job.ts";
import { isDriverRole } from "../../models/job-requirements.ts";
import type { Role } from "../../models/user.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { Job, JobFields } from "../../store/queries/job-record.ts";

export function toNewJob(
  body: CreateJobRequestBody,
  locationId: number,
  actor: Actor,
  now: Timestamp,
): JobFields {
  const origin = { actor, body, now };
  const job: Record<string, unknown> = { ...unset, created_by: actor.user.id, location_id: locationId };
  for (const [name, toDefault] of Object.entries(defaults)) job[name] = toDefault(origin);
  for (const [name, value] of Object.entries(body)) if ((value ?? null) !== null) job[name] = value;
  if (body.add_to_routes_settings)
    job.add_to_routes_settings = body.add_to_routes_settings.map(toRouteSettings);
  // Safe: `unset` has every stored field, and the model has parsed the sent fields.
  return job as JobFields;
}

interface Origin {
  actor: Actor;
  body: CreateJobRequestBody;
  now: Timestamp;
}

type Defaults = {
  [Name in keyof CreateJobRequestBody & keyof JobFields]?: (origin: Origin) => JobFields[Name];
};

/** Fields with another default than `unset`. */
const defaults: Defaults = {
  completed_by: ({ actor, body }) => (body.is_completed ? actor.user.id : null),
  completed_on: ({ body, now }) => (body.is_completed ? now : null),
  created_by_driver: ({ actor }) => actsAsDriver(actor),
  customer_id: ({ body }) => body.requested_by,
  // Naming a truck dispatches the job.
  dispatched_on: ({ body, now }) => ((body.truck_id ?? null) === null ? null : now),
  last_updated_on: ({ now }) => now,
  original_schedule_date: ({ body }) => body.schedule_date ?? null,
  requested_on: ({ now }) => now,
  third_party_hauler_id: ({ actor }) => toOwnHauler(actor),
  times_failed: ({ body }) => (body.is_failed ? 1 : 0),
};

const unset = {
  ...Object.fromEntries(Object.keys(jobStoredFields).map((name) => [name, null])),
  ...jobDefaults,
};

export function actsAsDriver({ roles }: Actor): boolean {
  return roles.some(isDriverRole);
}

export async function isCompletedByDriver({ store }: Context, job: JobFields): Promise<boolean> {
  if (!job.is_completed || job.completed_by === null) return false;
  const person = await store.people.find(job.completed_by);
  return person?.kind === "driver" || (person?.roles.some(isDriverRole) ?? false);
}

/** In the order of a response, with null for absent fields, because the store keeps the text. */
export function toRouteSettings(sent: NonNullable<CreateJobRequestBody["add_to_routes_settings"]>[number]) {
  return {
    day_of_week: sent.day_of_week ?? null,
    frequency_weeks: sent.frequency_weeks ?? null,
    position: sent.position ?? null,
    route_id: sent.route_id,
    starts_on: sent.starts_on ?? null,
  };
}

/** Without its hauler, a hauler's dispatcher could not see the job. */
function toOwnHauler({ roles, user }: Actor): string | null {
  return dispatchesForHauler(roles) ? user.third_party_hauler_id : null;
}

/** Roles that do not dispatch make no difference. */
export function dispatchesForHauler(roles: readonly Role[]): boolean {
  return roles.includes("ThirdPartyDispatcher") && !roles.includes("Dispatcher") && !roles.includes("Admin");
}

/** A completed job gets one pickup, however often it is completed (index jobs_by_pickup_of). */
export async function createPickup({ actor, now, store, changed }: Context, job: Job): Promise<void> {
  if (job.pickup_date === null || (await store.jobs.hasPickup(job.id))) return;
  const fields = toNewJob(
    {
      address_id: job.address_id,
      asset_id: job.asset_dropped_id ?? job.asset_id,
      customer_id: job.customer_id,
      dispatcher_notes: `Pickup for job ${job.id}.`,
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
