import type { Actor } from "../../auth/actor.ts";
import type { Context } from "../../core/context.ts";
import { type CreateJobRequestBody, jobFlagNames } from "../../models/create-job.ts";
import type { Role } from "../../models/user.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { JobFields } from "../../store/queries/jobs.ts";

/** A new job's fields: those that were sent, and the defaults of OP-41 for the others. */
export function toNewJob(
  body: CreateJobRequestBody,
  locationId: number,
  actor: Actor,
  now: Timestamp,
): JobFields {
  const truckId = body.truck_id ?? null;
  const isCompleted = body.is_completed ?? false;
  return {
    ...body,
    ...toFlags(body),
    add_to_routes: body.add_to_routes ?? null,
    add_to_routes_settings: body.add_to_routes_settings?.map(toRouteSettings) ?? null,
    asset_dropped_id: body.asset_dropped_id ?? null,
    asset_id: body.asset_id ?? null,
    asset_type_id: body.asset_type_id ?? null,
    completed_by: body.completed_by ?? (isCompleted ? actor.user.id : null),
    completed_on: body.completed_on ?? (isCompleted ? now : null),
    created_by: actor.user.id,
    created_by_driver: body.created_by_driver ?? actsAsDriver(actor),
    customer_id: body.customer_id ?? body.requested_by,
    departed_on: body.departed_on ?? null,
    // Naming a truck dispatches the job.
    dispatched_on: body.dispatched_on ?? (truckId === null ? null : now),
    driver_notes: body.driver_notes ?? null,
    dump_location_id: body.dump_location_id ?? null,
    dumped_on: body.dumped_on ?? null,
    final_location_id: body.final_location_id ?? null,
    is_acknowledged: body.is_acknowledged ?? false,
    is_completed: isCompleted,
    is_declined: body.is_declined ?? false,
    is_deleted: body.is_deleted ?? false,
    is_failed: body.is_failed ?? false,
    last_updated_on: body.last_updated_on ?? now,
    location_id: locationId,
    original_schedule_date: body.original_schedule_date ?? body.schedule_date ?? null,
    pickup_date: body.pickup_date ?? null,
    priority: body.priority ?? null,
    requested_on: body.requested_on ?? now,
    schedule_date: body.schedule_date ?? null,
    start_location_id: body.start_location_id ?? null,
    third_party_hauler_id: body.third_party_hauler_id ?? toOwnHauler(actor),
    times_failed: body.times_failed ?? 0,
    times_rolled_over: body.times_rolled_over ?? 0,
    truck_id: truckId,
  };
}

/** Whether the caller works on the road in this call (OP-41). */
export function actsAsDriver({ roles }: Actor): boolean {
  return roles.some(isDriverRole);
}

export const isDriverRole = (role: Role) => role === "Driver" || role === "ThirdPartyDriver";

/** OP-49: completed by a user with a driver role. */
export async function isCompletedByDriver({ actor, store }: Context, job: JobFields): Promise<boolean> {
  if (!job.is_completed || job.completed_by === null) return false;
  if (job.completed_by === actor.user.id) return actsAsDriver(actor);
  const user = await store.users.find(job.completed_by);
  return user?.roles.some(isDriverRole) ?? false;
}

function toFlags(body: CreateJobRequestBody) {
  return Object.fromEntries(jobFlagNames.map((name) => [name, body[name] ?? false]));
}

/** In the order of an answer, with nothing absent, because it is stored as ready text. */
export function toRouteSettings(sent: NonNullable<CreateJobRequestBody["add_to_routes_settings"]>[number]) {
  return {
    day_of_week: sent.day_of_week ?? null,
    frequency_weeks: sent.frequency_weeks ?? null,
    position: sent.position ?? null,
    route_id: sent.route_id,
    starts_on: sent.starts_on ?? null,
  };
}

/** Who makes jobs as a hauler's dispatcher makes them for that hauler; otherwise they could not see what they made. */
function toOwnHauler({ roles, user }: Actor): string | null {
  return dispatchesForHauler(roles) ? user.third_party_hauler_id : null;
}

/** Whether nobody but a hauler let the caller dispatch; other roles, as that of its driver, change nothing in that. */
export function dispatchesForHauler(roles: readonly Role[]): boolean {
  return roles.includes("ThirdPartyDispatcher") && !roles.includes("Dispatcher") && !roles.includes("Admin");
}
